import { createHmac, randomBytes } from 'node:crypto';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { identityKey } from '@platform-sync/core/model/identity';
import { readImportId } from '@platform-sync/core/model/import-id';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Provider, ProviderPackage } from '@platform-sync/core/model/provider';
import { Redactor } from '@platform-sync/core/model/redactor';
import { programTrust } from '@platform-sync/core/model/trust';
import {
  hasSecret,
  type JsonObject,
  reveal,
  type Value,
  type ValueObject,
  ownMember,
} from '@platform-sync/core/model/value';
import { redactedProvider } from '@platform-sync/engine/redacted-provider';
import { Seals } from '@platform-sync/core/value/seal';
import { engineVersion } from '@platform-sync/engine/version';
import { SharedReads } from './calls/shared-reads.js';
import { Cancelled, InvalidRequest } from './failures.js';
import { credentials, Metadata } from '@grpc/grpc-js';
import { EngineClient, messages } from './wire/messages.js';

const concurrency = 16;
/** Waits that people would wonder about, milliseconds. */
const longWaitMs = 5000;

type Env = Readonly<Record<string, string | undefined>>;

/** One provider resource of the engine's: its settings, what was started with them, and whether it still may write. */
export class Session {
  readonly loaded: ProviderPackage;
  readonly env: Env;
  /** Knows every secret that came in a request. */
  readonly redactor = new Redactor();
  /** Nothing is kept under this key: it lets values be compared as the planner does. */
  readonly seals: Seals;
  /** Where people hear of what happens during a call. */
  readonly log = new EngineLog();
  /** Objects that the engine knows, or was told of in this run, by `identityKey`: no create can have left them behind. */
  readonly known = new Set<string>();
  /** Objects that creates of this run found made already. */
  readonly adopted = new Set<string>();
  readonly reads = new SharedReads();
  #settings: JsonObject = {};
  #provider: Promise<Provider> | undefined;
  #cancel = new AbortController();
  readonly #never = new AbortController().signal;

  constructor(loaded: ProviderPackage, env: Env) {
    this.loaded = loaded;
    this.env = env;
    const key = randomBytes(32);
    this.seals = new Seals((value) => createHmac('sha256', key).update(canonicalJson(value)).digest('hex'));
  }

  get settings(): JsonObject {
    return this.#settings;
  }

  /** Takes other settings; what was started with the former ones ends. */
  async configure(settings: JsonObject): Promise<void> {
    await this.close();
    this.known.clear();
    this.adopted.clear();
    this.#settings = settings;
    this.#cancel = new AbortController();
  }

  /** The provider, started with the first call that needs it. Rejects with what is wrong with the settings. */
  provider(): Promise<Provider> {
    this.#provider ??= this.#start().catch((error: unknown) => {
      this.#provider = undefined;
      throw error;
    });
    return this.#provider;
  }

  /** For calls that write: refused once the engine has cancelled. What was read before says nothing any more. */
  writer(): Promise<Provider> {
    if (this.#cancel.signal.aborted) throw new Cancelled();
    this.reads.forget();
    return this.provider();
  }

  /** What was sent is finished, nothing new is. */
  cancel(): void {
    this.#cancel.abort();
  }

  /** A further engine connects to a process that another one had cancelled. */
  resume(): void {
    if (this.#cancel.signal.aborted) this.#cancel = new AbortController();
  }

  get isCancelled(): boolean {
    return this.#cancel.signal.aborted;
  }

  /** The engine has this object: nobody left it behind. */
  knows(type: ResourceType, id: string): void {
    const read = readImportId(type.importId, id);
    if ('identity' in read) this.known.add(identityKey(type.token, read.identity));
  }

  /** Tells people; secrets are taken out. */
  say(severity: 'info' | 'warning', message: string, urn?: string): void {
    this.log.say(severity, this.redactor.text(message), urn);
  }

  /** From now on the secrets in these values are taken out of every message. */
  hide(...objects: readonly ValueObject[]): void {
    for (const value of objects.flatMap((object) => Object.values(object))) this.#hideIn(value);
  }

  async close(): Promise<void> {
    const started = this.#provider;
    this.#provider = undefined;
    this.reads.forget();
    await (await started?.catch(() => undefined))?.close();
  }

  #hideIn(value: Value): void {
    if (!hasSecret(value)) return;
    this.redactor.addValue(value);
  }

  async #start(): Promise<Provider> {
    const { settings } = this;
    for (const [name, { secret }] of Object.entries(this.loaded.settings)) {
      const value = settings[name];
      if (secret && typeof value === 'string') this.redactor.add(value);
    }
    const provider = await this.loaded.start({
      settings,
      env: this.env,
      trust: programTrust,
      concurrency,
      redactor: this.redactor,
      onDiagnostic: ({ summary, hint }) => this.say('warning', [summary, hint].filter(Boolean).join('\n')),
      onWait: ({ ms, reason }) => {
        if (ms >= longWaitMs) this.say('info', `Waiting ${String(Math.round(ms / 1000))} s: ${reason}.`);
      },
      userAgent: `platform-sync/${engineVersion} (pulumi)`,
      fence: () => {
        const { signal } = this.#cancel;
        return { mayWrite: () => !signal.aborted, dropped: signal, cut: this.#never };
      },
    });
    return redactedProvider(provider, this.redactor);
  }
}

/** The provider's settings as the engine sends them: what is no text comes as its JSON. Throws for what is no setting. */
export function settingsIn(
  loaded: ProviderPackage,
  members: ValueObject,
  types: Readonly<Record<string, string>>,
): JsonObject {
  const given = Object.entries(members).filter(([name]) => !ownMembers.has(name));
  const strange = given.find(([name]) => !Object.hasOwn(loaded.settings, name));
  if (strange !== undefined) throw new InvalidRequest(noSetting(loaded, strange[0]));
  return Object.fromEntries(
    given.map(([name, value]) => {
      const [plain, type = 'JSON'] = [reveal(value), ownMember(types, name)];
      if (typeof plain !== 'string' || type === 'string') return [name, plain];
      try {
        return [name, JSON.parse(plain)];
      } catch {
        throw new InvalidRequest(`The setting ${name} must be ${type}.`);
      }
    }),
  );
}

/** Members that the engine puts beside the settings. */
export const ownMembers: ReadonlySet<string> = new Set(['version', 'pluginDownloadURL', '__internal']);

export function noSetting({ name, settings }: ProviderPackage, given: string): string {
  return `The provider ${name} has no setting ${given}; it has ${Object.keys(settings).join(', ')}.`;
}

type Severity = 'info' | 'warning';

const severities = {
  info: messages.LogSeverity.INFO,
  warning: messages.LogSeverity.WARNING,
} as const;

/** Longest wait for the engine to take a message, milliseconds. */
const patienceMs = 2000;

/** What people are told while a call runs: the engine shows it, under the resource where there is one. */
class EngineLog {
  #client: InstanceType<typeof EngineClient> | undefined;
  readonly #sent = new Set<Promise<void>>();

  /** The engine's address, as its handshake says. */
  connect(address: string): void {
    this.#client?.close();
    this.#client = address === '' ? undefined : new EngineClient(address, credentials.createInsecure());
  }

  /** Says it once it can; that nobody hears it is no failure of the call. */
  say(severity: Severity, message: string, urn = ''): void {
    const client = this.#client;
    if (client === undefined) return;
    const request = new messages.LogRequest();
    request.setSeverity(severities[severity]);
    request.setMessage(message);
    request.setUrn(urn);
    const sent = new Promise<void>((resolve) => {
      client.log(request, new Metadata(), { deadline: Date.now() + patienceMs }, () => resolve());
    });
    this.#sent.add(sent);
    void sent.then(() => this.#sent.delete(sent));
  }

  /** Resolves when everything said so far is taken: what comes after the answer to a call may be shown nowhere. */
  async told(): Promise<void> {
    await Promise.all(this.#sent);
  }

  close(): void {
    this.#client?.close();
    this.#client = undefined;
  }
}
