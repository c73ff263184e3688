import { ruledLookup, type HowMany } from '@platform-sync/core/lookups/by-rule';
import { findObjects } from '@platform-sync/engine/find-objects';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { defined, isPlainObject, type JsonObject, reveal } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { LookupType, Provider, ProviderPackage } from '@platform-sync/core/model/provider';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { programTrust } from '@platform-sync/core/model/trust';
import { Reads } from '@platform-sync/engine/reads/reads';
import { engineVersion } from '@platform-sync/engine/version';
import { providerPackages } from './registry.js';
import { checkArguments } from './arguments.js';
import { once } from './output.js';
import type { ProviderOptions } from './provider-options.js';
import { refuse } from './refuse.js';
import { resolveInput, waitsOf, type Resolved } from './resolve.js';
import { realWorld } from '@platform-sync/core/model/world';

const defaultConcurrency = 16;

/** The objects of a type, by its token: `platform:GatewayService`. */
interface ObjectsOf {
  readonly type: string;
  readonly many: HowMany;
}

/** A lookup of the provider's own by its token, or one that follows from a type. */
export type Called = string | ObjectsOf;

/** What stands behind a provider instance: its settings, the started provider, and the calls made so far. */
export class Connection {
  readonly #name: string;
  readonly #options: ProviderOptions;
  readonly #calls = new Map<string, Promise<JsonObject>>();
  readonly #package: () => Promise<ProviderPackage>;
  readonly #provider: () => Promise<Provider>;
  readonly #reads: Reads;
  #started = false;
  #closed = false;
  /** The settings as given, once promises and Outputs in them have come. */
  readonly settings: () => Promise<Resolved>;

  constructor(name: string, settings: unknown, options: ProviderOptions) {
    this.#name = name;
    this.#options = options;
    this.settings = once(() => resolveInput(settings));
    this.#package = once(() => providerPackages.load(name));
    this.#provider = once(() => this.#start());
    const { concurrency = defaultConcurrency } = options;
    this.#reads = new Reads({ providerOf: this.#provider, concurrency, isFresh: true, turn: realWorld.turn });
  }

  get closed(): boolean {
    return this.#closed;
  }

  get env(): Readonly<Record<string, string | undefined>> {
    return this.#options.env ?? process.env;
  }

  /** The settings as plain values, those left out left out. Rejects for unknown ones and for names there are not. */
  async plainSettings(): Promise<JsonObject> {
    const { value } = await this.settings();
    const waitsFor = waitsOf(value);
    if (waitsFor !== undefined) throw refuse('output-unknown', settingsUnknown(this.#name, waitsFor));
    const given = reveal(value);
    const { settings: known } = await this.#package();
    if (!isPlainObject(given)) throw refuse('unknown-provider-setting', `Settings of ${this.#name} must be an object.`);
    const strange = Object.keys(given).filter((name) => !Object.hasOwn(known, name));
    if (strange.length > 0) {
      const names = Object.keys(known).join(', ');
      const sentence = `The provider ${this.#name} has no setting ${strange.join(', ')}; it has ${names}.`;
      throw refuse('unknown-provider-setting', sentence);
    }
    return defined(given) as JsonObject;
  }

  /** One lookup; identical ones share a call. A call that failed is made again. */
  async call(called: Called, args: unknown): Promise<JsonObject> {
    this.#refuseWhenClosed();
    const loaded = await this.#package();
    const { lookup, type, many } = typeof called === 'string' ? ownLookup(loaded, called) : typeLookup(loaded, called);
    const checked = await checkArguments(loaded, lookup, args);
    const key = `${type === undefined ? 'own' : 'of a type'} ${lookup.token} ${canonicalJson(checked)}`;
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const running = this.#provider()
      .then((provider) =>
        type === undefined
          ? provider.lookup(lookup.token, checked)
          : findObjects({ type, many, args: checked }, this.#reads),
      )
      .then(deepFreeze);
    this.#calls.set(key, running);
    running.catch(() => this.#calls.delete(key));
    return running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#calls.clear();
    if (!this.#started) return;
    // A provider that could not start has told its callers why, and has nothing to close.
    const provider = await this.#provider().catch(() => undefined);
    await provider?.close();
  }

  async #start(): Promise<Provider> {
    this.#refuseWhenClosed();
    this.#started = true;
    const [loaded, settings] = await Promise.all([this.#package(), this.plainSettings()]);
    const { onEvent, concurrency = defaultConcurrency, requestsPerMinute } = this.#options;
    return loaded.start({
      settings,
      env: this.env,
      trust: programTrust,
      concurrency,
      ...defined({ requestsPerMinute }),
      userAgent: `platform-sync/${engineVersion} (program)`,
      onWait: (wait) => onEvent?.({ type: 'waiting', ...wait }),
      onDiagnostic: (diagnostic) => {
        if (onEvent === undefined) warn(diagnostic);
        else onEvent({ type: 'diagnostic', diagnostic });
      },
    });
  }

  #refuseWhenClosed(): void {
    if (!this.#closed) return;
    throw refuse('provider-closed', `This instance of the provider ${this.#name} was closed.`);
  }
}

interface Found {
  readonly lookup: LookupType;
  /** Of a lookup that follows from a type. */
  readonly type?: ResourceType;
  readonly many: HowMany;
}

function ownLookup(loaded: ProviderPackage, token: string): Found {
  const lookup = loaded.lookups.get(token);
  if (lookup === undefined) throw new Error(`bug: no lookup ${token}`);
  return { lookup, many: 'one' };
}

function typeLookup(loaded: ProviderPackage, called: ObjectsOf): Found {
  const token = [...loaded.types.keys()].find((each) => [each, shortToken(each)].includes(called.type));
  const type = token === undefined ? undefined : loaded.types.get(token);
  const lookup = type && ruledLookup(type, called.many);
  if (type !== undefined && lookup !== undefined) return { lookup, type, many: called.many };
  const why =
    type === undefined ? 'There is no such type' : 'Nothing lists objects of this type; get finds one by its id';
  throw refuse('invalid-arguments', `${why}: ${called.type}.`);
}

function settingsUnknown(name: string, waitsFor: readonly string[]): string {
  return `The settings of the provider ${name} are not known: they wait for ${waitsFor.join(', ')}.`;
}

function warn({ code, summary, hint }: Diagnostic): void {
  process.emitWarning(summary, { type: 'PlatformSyncWarning', code, ...defined({ detail: hint }) });
}

/** Callers of identical lookups get the same record; none of them may change it under the others. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
