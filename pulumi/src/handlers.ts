import { hasUnknown, type ValueObject } from '@platform-sync/core/model/value';
import type { Failure } from './calls/broken-rules.js';
import { check } from './calls/check.js';
import { clashes, compare, pathsOf, type Comparison, type PathChange } from './calls/compare.js';
import { checkConfig, configure, diffConfig } from './calls/config.js';
import { create } from './calls/create.js';
import { remove } from './calls/delete.js';
import { call, invoke } from './calls/invoke.js';
import { changedOutputs, plannedOutputs } from './calls/preview.js';
import { read } from './calls/read.js';
import { withSecrets } from './calls/secrets.js';
import { update, type Addressed } from './calls/update.js';
import type { Host } from './host.js';
import { typeOf } from './resource-types.js';
import { membersOf, messages, structOf } from './wire/messages.js';
import { objectFromWire, propertiesFromWire, propertiesToWire } from './wire/values.js';

/** Answers one call; what it throws becomes the status of the call. */
export type Handler = (host: Host, request: never) => unknown;

type Struct = Parameters<typeof membersOf>[0];
type Request<Name extends keyof typeof messages> = (typeof messages)[Name] extends new () => infer Message
  ? Message
  : never;

/** By name of the method, as the service has it. */
export const handlers: Readonly<Record<string, Handler>> = {
  handshake: ({ session }: Host, request: Request<'ProviderHandshakeRequest'>) => {
    session.resume();
    session.log.connect(request.getEngineAddress());
    const answer = new messages.ProviderHandshakeResponse();
    answer.setAcceptSecrets(true);
    answer.setAcceptResources(true);
    return answer;
  },
  attach: ({ session }: Host, request: Request<'PluginAttach'>) => {
    session.resume();
    session.log.connect(request.getAddress());
    return new messages.Empty();
  },
  getPluginInfo: ({ version }: Host) => {
    const answer = new messages.PluginInfo();
    answer.setVersion(version);
    return answer;
  },
  getSchema: async ({ schemaText }: Host) => {
    const answer = new messages.GetSchemaResponse();
    answer.setSchema(await schemaText());
    return answer;
  },
  checkConfig: (host: Host, request: Request<'CheckRequest'>) => {
    const { inputs, failures } = checkConfig(host, named(host, request.getNews()));
    return checked(inputs, failures);
  },
  diffConfig: (host: Host, request: Request<'DiffRequest'>) => {
    const olds = named(host, request.getOldInputs() ?? request.getOlds());
    const changes = diffConfig(host, olds, named(host, request.getNews()));
    return differing(changes, [], false);
  },
  configure: async (host: Host, request: Request<'ConfigureRequest'>) => {
    const variables = Object.fromEntries(
      [...request.getVariablesMap().entries()].map(([key, value]) => [key.split(':').at(-1) ?? key, value]),
    );
    const args = request.hasArgs() ? named(host, request.getArgs()) : variables;
    await configure(host, args);
    const answer = new messages.ConfigureResponse();
    answer.setAcceptsecrets(true);
    answer.setAcceptresources(true);
    answer.setSupportspreview(true);
    return answer;
  },
  check: async (host: Host, request: Request<'CheckRequest'>) => {
    const { inputs, failures } = await check(host.session, request.getUrn(), values(host, request.getNews()));
    return checked(inputs, failures);
  },
  diff: (host: Host, request: Request<'DiffRequest'>) => {
    const comparison = comparisonOf(host, request);
    host.session.knows(comparison.type, request.getId());
    const { changes, kept } = compare(host.session, comparison);
    const paths = changes.flatMap((change) => pathsOf(comparison, change));
    const own = kept.map((path): PathChange => ({ path, kind: 'update', isReplacement: false }));
    const isReplaced = paths.some(({ isReplacement }) => isReplacement);
    const { type } = comparison;
    const moved = new Set(changes.map(({ rule }) => rule.name));
    const stables = Object.values(type.fields).flatMap(({ name, stable }) =>
      stable && !moved.has(name) ? [name] : [],
    );
    return differing([...paths, ...own], isReplaced ? [] : stables, isReplaced && clashes(comparison, changes));
  },
  create: async (host: Host, request: Request<'CreateRequest'>) => {
    const { session } = host;
    const type = typeOf(session.loaded, request.getUrn());
    const inputs = values(host, request.getProperties());
    const answer = new messages.CreateResponse();
    if (request.getPreview()) {
      answer.setProperties(struct(withSecrets(type, plannedOutputs(type, inputs), inputs)));
      return answer;
    }
    const urn = request.getUrn();
    const { id, outputs } = await create(session, { type, urn, inputs, signal: within(request.getTimeout()) });
    answer.setId(id);
    answer.setProperties(struct(outputs));
    return answer;
  },
  read: async (host: Host, request: Request<'ReadRequest'>) => {
    const answer = new messages.ReadResponse();
    const id = request.getId();
    if (request.getProperties()?.getFieldsMap().getLength() !== 0)
      host.session.knows(typeOf(host.session.loaded, request.getUrn()), id);
    const seen = await read(host.session, {
      id,
      type: typeOf(host.session.loaded, request.getUrn()),
      inputs: values(host, request.getInputs()),
      olds: values(host, request.getProperties()),
    });
    if (seen === undefined) return answer;
    answer.setId(id);
    answer.setProperties(struct(seen.outputs));
    answer.setInputs(struct(seen.inputs));
    return answer;
  },
  update: async (host: Host, request: Request<'UpdateRequest'>) => {
    const comparison = comparisonOf(host, request);
    const { type, olds, news, oldInputs } = comparison;
    const answer = new messages.UpdateResponse();
    // What is not known yet can only be shown, never sent.
    const isShown = request.getPreview() || Object.values(news).some(hasUnknown);
    const outputs = isShown
      ? withSecrets(type, changedOutputs(type, comparison), news, oldInputs, olds)
      : await update(host.session, addressed(request), comparison);
    answer.setProperties(struct(outputs));
    return answer;
  },
  delete: async (host: Host, request: Request<'DeleteRequest'>) => {
    await remove(host.session, {
      ...addressed(request),
      type: typeOf(host.session.loaded, request.getUrn()),
      oldInputs: values(host, request.getOldInputs()),
      olds: values(host, request.getProperties()),
    });
    return new messages.Empty();
  },
  invoke: async (host: Host, request: Request<'InvokeRequest'>) => {
    const { result, failures } = await invoke(host.session, request.getTok(), named(host, request.getArgs()));
    const answer = new messages.InvokeResponse();
    answer.setReturn(struct(result));
    answer.setFailuresList(failures.map(checkFailure));
    return answer;
  },
  call: async (host: Host, request: Request<'CallRequest'>) => {
    const answer = new messages.CallResponse();
    answer.setReturn(struct(await call(host.session, request.getTok())));
    return answer;
  },
  cancel: ({ session }: Host) => {
    session.cancel();
    return new messages.Empty();
  },
};

/** Which object a request is about, and until when. */
function addressed(request: Request<'UpdateRequest'> | Request<'DeleteRequest'>): Addressed {
  return { id: request.getId(), urn: request.getUrn(), signal: within(request.getTimeout()) };
}

/** Fires when the time that the program allows is up; a time of 0 is none. */
function within(seconds: number): AbortSignal | undefined {
  return seconds > 0 ? AbortSignal.timeout(Math.ceil(seconds * 1000)) : undefined;
}

/** The properties in a request; secrets among them are taken out of every message from here on. */
function values({ session }: Host, given: Struct): ValueObject {
  const read = propertiesFromWire(membersOf(given));
  session.hide(read);
  return read;
}

/** Settings or arguments in a request: null is the same as left out. */
function named({ session }: Host, given: Struct): ValueObject {
  const read = objectFromWire(membersOf(given));
  session.hide(read);
  return read;
}

function struct(members: ValueObject): ReturnType<typeof structOf> {
  return structOf(propertiesToWire(members));
}

function comparisonOf(host: Host, request: Request<'DiffRequest'> | Request<'UpdateRequest'>): Comparison {
  return {
    type: typeOf(host.session.loaded, request.getUrn()),
    oldInputs: values(host, request.getOldInputs()),
    olds: values(host, request.getOlds()),
    news: values(host, request.getNews()),
    ignored: request.getIgnorechangesList(),
  };
}

function checked(inputs: ValueObject, failures: readonly Failure[]): Request<'CheckResponse'> {
  const answer = new messages.CheckResponse();
  answer.setInputs(struct(inputs));
  answer.setFailuresList(failures.map(checkFailure));
  return answer;
}

function checkFailure({ property, reason }: Failure): Request<'CheckFailure'> {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

const { Kind } = messages.PropertyDiff;
const kinds = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
} as const;

function differing(
  changes: readonly PathChange[],
  stables: readonly string[],
  deleteBeforeReplace: boolean,
): Request<'DiffResponse'> {
  const { DiffChanges } = messages.DiffResponse;
  const answer = new messages.DiffResponse();
  answer.setChanges(changes.length === 0 ? DiffChanges.DIFF_NONE : DiffChanges.DIFF_SOME);
  answer.setDiffsList([...new Set(changes.map(({ path }) => fieldOf(path)))]);
  answer.setReplacesList([...new Set(changes.filter((one) => one.isReplacement).map(({ path }) => fieldOf(path)))]);
  answer.setStablesList([...stables]);
  answer.setDeletebeforereplace(deleteBeforeReplace);
  answer.setHasdetaileddiff(true);
  for (const { path, kind, isReplacement } of changes) {
    const detail = new messages.PropertyDiff();
    detail.setKind(kinds[kind][isReplacement ? 1 : 0]);
    detail.setInputdiff(true);
    answer.getDetaileddiffMap().set(path, detail);
  }
  return answer;
}

function fieldOf(path: string): string {
  return /^\w+/.exec(path)?.[0] ?? path;
}
