import { credentials, type ServiceError } from '@grpc/grpc-js';
import { defaultGoModule } from '../../pulumi/src/languages.js';
import { wholeSchema } from '../../pulumi/src/whole-schema.js';
import cloudSchema from '../../schemas/cloud.json' with { type: 'json' };
import platformSchema from '../../schemas/platform.json' with { type: 'json' };
import { hostOf, type Host } from '../../pulumi/src/host.js';
import { serve } from '../../pulumi/src/server.js';
import { membersOf, messages, ResourceProviderClient, structOf } from '../../pulumi/src/wire/messages.js';
import { variables } from '@platform-sync/cloud/wire';
import type { PackageSchema } from '@platform-sync/rest/schema/package-schema';

export const schemas: Readonly<Record<string, PackageSchema>> = { platform: platformSchema, cloud: cloudSchema };

/** What a process serves that no build has written a schema for. */
export async function hostOfSources(name: string, env: Readonly<Record<string, string>>): Promise<Host> {
  const base = schemas[name];
  if (base === undefined) throw new Error(name);
  return hostOf(base, env, () => Promise.resolve(JSON.stringify(wholeSchema(name, defaultGoModule))));
}

/** Values as they travel: plain JSON with the protocol's own marks. */
export type Members = Readonly<Record<string, unknown>>;

export const unknownMarker = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
export const asSecret = (value: unknown): Members => ({
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  value,
});
export const urnOf = (type: string, name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;

export interface Difference {
  readonly changes: 'none' | 'some';
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  readonly detailed: Readonly<Record<string, number>>;
}

/** The engine's side of one provider process: its calls, over the wire. */
export class Caller {
  readonly #client: InstanceType<typeof ResourceProviderClient>;
  readonly #close: () => Promise<void>;

  constructor(port: number, close: () => Promise<void>) {
    this.#close = close;
    this.#client = new ResourceProviderClient(`127.0.0.1:${String(port)}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
    });
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#close();
  }

  /** One call; rejects with the ServiceError that the engine would get. */
  send<Answer>(method: string, request: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const call = (this.#client as unknown as Record<string, Call<Answer> | undefined>)[method];
      if (call === undefined) throw new Error(`no method ${method}`);
      call.call(this.#client, request, (error, answer) => (error === null ? resolve(answer) : reject(error)));
    });
  }

  /** The beginning of every command; `address` is where the engine takes messages for people. */
  async configure(args: Members = {}, address = ''): Promise<void> {
    const hello = new messages.ProviderHandshakeRequest();
    hello.setEngineAddress(address);
    await this.send('handshake', hello);
    const request = new messages.ConfigureRequest();
    request.setArgs(structOf(args));
    request.setAcceptsecrets(true);
    await this.send('configure', request);
  }

  async checkConfig(news: Members): Promise<{ readonly inputs: Members; readonly failures: readonly string[] }> {
    const request = new messages.CheckRequest();
    request.setNews(structOf(news));
    return checked(await this.send('checkConfig', request));
  }

  async check(
    urn: string,
    news: Members,
    olds: Members = {},
  ): Promise<{ readonly inputs: Members; readonly failures: readonly string[] }> {
    const request = new messages.CheckRequest();
    request.setUrn(urn);
    request.setOlds(structOf(olds));
    request.setNews(structOf(news));
    return checked(await this.send('check', request));
  }

  async diff(
    urn: string,
    {
      id,
      olds,
      oldInputs,
      news,
      ignored = [],
    }: { id: string; olds: Members; oldInputs: Members; news: Members; ignored?: string[] },
    method: 'diff' | 'diffConfig' = 'diff',
  ): Promise<Difference> {
    const request = new messages.DiffRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(structOf(olds));
    request.setOldInputs(structOf(oldInputs));
    request.setNews(structOf(news));
    request.setIgnorechangesList(ignored);
    const answer = await this.send<InstanceType<typeof messages.DiffResponse>>(method, request);
    return {
      changes: answer.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME ? 'some' : 'none',
      replaces: answer.getReplacesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
      detailed: Object.fromEntries(
        [...answer.getDetaileddiffMap().entries()].map(([path, one]) => [path, one.getKind()]),
      ),
    };
  }

  async create(
    urn: string,
    properties: Members,
    preview = false,
  ): Promise<{ readonly id: string; readonly outputs: Members }> {
    const request = new messages.CreateRequest();
    request.setUrn(urn);
    request.setProperties(structOf(properties));
    request.setPreview(preview);
    const answer = await this.send<InstanceType<typeof messages.CreateResponse>>('create', request);
    return { id: answer.getId(), outputs: membersOf(answer.getProperties()) };
  }

  async read(
    urn: string,
    id: string,
    inputs: Members = {},
    olds: Members = {},
  ): Promise<{ readonly id: string; readonly inputs: Members; readonly outputs: Members }> {
    const request = new messages.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setInputs(structOf(inputs));
    request.setProperties(structOf(olds));
    const answer = await this.send<InstanceType<typeof messages.ReadResponse>>('read', request);
    return { id: answer.getId(), inputs: membersOf(answer.getInputs()), outputs: membersOf(answer.getProperties()) };
  }

  async update(
    urn: string,
    {
      id,
      olds,
      oldInputs,
      news,
      preview = false,
      ignored = [],
    }: { id: string; olds: Members; oldInputs: Members; news: Members; preview?: boolean; ignored?: string[] },
  ): Promise<Members> {
    const request = new messages.UpdateRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(structOf(olds));
    request.setOldInputs(structOf(oldInputs));
    request.setNews(structOf(news));
    request.setIgnorechangesList(ignored);
    request.setPreview(preview);
    return membersOf(
      (await this.send<InstanceType<typeof messages.UpdateResponse>>('update', request)).getProperties(),
    );
  }

  async delete(urn: string, { id, olds, oldInputs }: { id: string; olds: Members; oldInputs: Members }): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(structOf(olds));
    request.setOldInputs(structOf(oldInputs));
    await this.send('delete', request);
  }

  async invoke(
    token: string,
    args: Members,
  ): Promise<{ readonly result: Members; readonly failures: readonly string[] }> {
    const request = new messages.InvokeRequest();
    request.setTok(token);
    request.setArgs(structOf(args));
    const answer = await this.send<InstanceType<typeof messages.InvokeResponse>>('invoke', request);
    return { result: membersOf(answer.getReturn()), failures: answer.getFailuresList().map(failureText) };
  }

  async call(token: string, args: Members = {}): Promise<Members> {
    const request = new messages.CallRequest();
    request.setTok(token);
    request.setArgs(structOf(args));
    return membersOf((await this.send<InstanceType<typeof messages.CallResponse>>('call', request)).getReturn());
  }
}

/** A provider in this process, and the calls to it. */
export class Engine extends Caller {
  readonly host: Host;

  static async start(name: 'platform' | 'cloud', url: string, env: Record<string, string> = {}): Promise<Engine> {
    const host = await hostOfSources(name, {
      PLATFORM_TOKEN: 'test-token',
      PLATFORM_SERVER_URL: url,
      [variables.accessToken[0]]: 'test-token',
      [variables.endpoint[0]]: `${url}/v1/`,
      ...env,
    });
    const { port, close } = await serve(host);
    return new Engine(host, port, close);
  }

  constructor(host: Host, port: number, close: () => Promise<void>) {
    super(port, close);
    this.host = host;
  }
}

type Call<Answer> = (request: unknown, done: (error: ServiceError | null, answer: Answer) => void) => void;
type CheckAnswer = InstanceType<typeof messages.CheckResponse>;

function checked(answer: CheckAnswer): { readonly inputs: Members; readonly failures: readonly string[] } {
  return { inputs: membersOf(answer.getInputs()), failures: answer.getFailuresList().map(failureText) };
}

function failureText(one: InstanceType<typeof messages.CheckFailure>): string {
  return `${one.getProperty()}: ${one.getReason()}`;
}

export interface HalfMade {
  readonly id: string;
  readonly outputs: Members;
  readonly inputs: Members;
  readonly reasons: readonly string[];
}

/** What the engine keeps of an object whose call failed halfway; undefined for an error of which it keeps nothing. */
export function halfMade(error: ServiceError): HalfMade | undefined {
  const [trailer] = error.metadata.get('grpc-status-details-bin');
  if (!(trailer instanceof Buffer)) return undefined;
  const [detail] = messages.Status.deserializeBinary(trailer).getDetailsList();
  const kept = messages.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return {
    id: kept.getId(),
    outputs: membersOf(kept.getProperties()),
    inputs: membersOf(kept.getInputs()),
    reasons: kept.getReasonsList(),
  };
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error;
}

/** The ServiceError a call ends with. */
export async function refusal(call: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (isServiceError(error)) return error;
  throw new Error(`expected a ServiceError, got ${String(error)}`);
}
