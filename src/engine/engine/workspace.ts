import type { OpenOptions, OptionsInWorld } from './api.js';
import { loadCatalogue } from '@platform-sync/catalogue/load';
import { LoadedPackages } from './loaded-packages.js';
import { type HowMany, ruledTokens } from '@platform-sync/core/lookups/by-rule';
import type { Expression } from '@platform-sync/core/model/expression';
import { defined, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Event } from '@platform-sync/core/model/event';
import type { Fence, Lease } from '@platform-sync/core/model/state-store';
import type { RunWait } from '@platform-sync/core/model/run';
import type { Outbox } from '@platform-sync/core/model/outbox';
import type { LabelSettings, ProjectConfig } from '@platform-sync/core/model/project';
import { type Provider, ProviderError, type ProviderPackage } from '@platform-sync/core/model/provider';
import { packageNameOf, type FieldRule, type ResourceType } from '@platform-sync/core/model/resource-type';
import { Redactor } from '@platform-sync/core/model/redactor';
import type { World } from '@platform-sync/core/model/world';
import type { ReadingRules, Trust } from '@platform-sync/core/model/trust';
import { Reads, type ReadsContext } from './reads/reads.js';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import { newerChoices } from './use-cases/newer-choices.js';
import { noPermissions, type Permissions } from './trust/permissions.js';
import { projectTrust, readingRules } from './trust/project-trust.js';
import { secretExpressions, writtenSecrets } from '@platform-sync/core/resolve/evaluate';
import { ProjectState } from './project-state.js';
import { redactedProvider } from './redacted-provider.js';
import type { SealedStateStore } from './sealed-state.js';
import { engineVersion } from './version.js';
import type { PackageSource } from '@platform-sync/core/model/package-source';
import { LazyMap, valueIn as typeIn } from '@platform-sync/core/model/lazy-map';

type LoadedCatalogue = Awaited<ReturnType<typeof loadCatalogue>>;

/** What the use cases of one open project share: the catalogue, the providers and the state, each opened on first use. */
export class Workspace {
  readonly config: ProjectConfig;
  readonly options: OpenOptions;
  readonly world: World;
  /** Warnings that belong to no single call (two tokens configured …). */
  readonly warnings: Diagnostic[] = [];
  readonly permissions: Permissions;
  readonly trust: Trust;
  /** What the catalogue's files alone gave cause to say. */
  readonly ofFiles = new WeakSet<Diagnostic>();
  /** What must never be told, by whomever. */
  readonly redactor: Redactor;
  /** The stack's lease while this workspace holds it over several pieces of work. */
  lease: Lease | undefined;
  /** What is left of the time that this run gives others, while it holds the lease, milliseconds. */
  patienceMs = 0;
  /** What lets writes leave; absent: none may. */
  fence: Fence | undefined;
  readonly #packages: LoadedPackages;
  readonly #state: ProjectState;
  /** For what is asked outside of a plan: something may be written between two questions. */
  readonly #fresh: Reads;
  readonly #providers = new Map<string, Promise<Provider>>();
  /** Started ahead, and needed by nobody after all. */
  readonly #idle: Promise<Provider>[] = [];
  #deferred: DeferredNotices | undefined;
  readonly #waits = new Map<string, RunWait>();
  /** Nobody waits for a state that is still being opened. */
  #isHasty = false;
  #catalogue: Promise<LoadedCatalogue> | undefined;
  #addresses: readonly Address[] = [];

  constructor(config: ProjectConfig, options: OptionsInWorld, permissions: Permissions = noPermissions) {
    this.config = config;
    const packages = withLabelRules(options.packages, config.labels);
    this.options = { ...options, packages: withStackOutputs(packages, config.stack, () => this.state()) };
    this.world = options.world;
    this.permissions = permissions;
    this.redactor = new Redactor({ isWholeOnly: this.isUnderReview });
    this.#packages = new LoadedPackages(this.options.packages);
    this.#state = new ProjectState({
      ...{
        config,
        permissions,
        options: this.options,
        world: this.world,
        packages: this.#packages,
        trust: () => this.trust,
      },
      tell: (diagnostic) => this.#teller()(() => this.#warn(diagnostic)),
    });
    this.#fresh = this.reads({ isFresh: true });
    this.trust = projectTrust(config, permissions, (sender) => this.#state.recorded(sender));
    for (const text of settingSecrets(config)) this.redactor.add(text);
  }

  /** The files are somebody's proposal. */
  get isUnderReview(): boolean {
    return this.options.untrusted !== undefined;
  }

  /** How the files of this project are read. */
  get reading(): Pick<OpenOptions, 'env' | 'packages' | 'texts' | 'expression'> &
    Pick<World, 'turn'> & { readonly rules: ReadingRules; readonly part?: readonly string[] } {
    const { env, packages, texts, part, expression } = this.options;
    // What is hidden is hidden from whoever repeats it, too.
    const hide = this.isUnderReview ? (content: string) => this.redactor.add(content) : undefined;
    return {
      env,
      packages,
      turn: this.world.turn,
      rules: readingRules(this.permissions, hide),
      ...defined({ texts, part: part?.files, expression }),
    };
  }

  readonly isInAddress = (text: string): boolean => this.#addresses.some((address) => address.includes(text));

  catalogue(): Promise<LoadedCatalogue> {
    this.#catalogue ??= this.#loadCatalogue();
    return this.#catalogue;
  }

  async #loadCatalogue(): Promise<LoadedCatalogue> {
    const loaded = await loadCatalogue(this.config, this.reading);
    for (const diagnostic of loaded.diagnostics) this.ofFiles.add(diagnostic);
    // Before anything is sent: a platform may still quote what an earlier run sent.
    const { resources, variables } = loaded.desired ?? {};
    this.#addresses = [...(resources?.keys() ?? [])];
    const hide = (expression: Expression, isSecret: boolean): void => {
      for (const text of writtenSecrets(expression, isSecret)) this.redactor.add(text);
    };
    variables?.forEach((expression) => hide(expression, false));
    for (const { properties } of resources?.values() ?? []) properties.forEach((value) => hide(value, false));
    if (loaded.desired === undefined) return loaded;
    await this.loadPackages([...loaded.desired.resources.values()].map(({ type }) => type));
    // A line of the file that somebody is shown may hold the secret of a step that never begins.
    for (const { type, properties } of loaded.desired.resources.values())
      for (const [name, value] of properties)
        for (const part of secretExpressions(value, this.typeOf(type).fields[name])) hide(part, true);
    const newer = newerChoices(loaded.desired, this.typeOf);
    return newer.length === 0 ? loaded : { ...loaded, diagnostics: [...loaded.diagnostics, ...newer] };
  }

  /** False: to open the state would make it. */
  get hasState(): boolean {
    return this.#state.isThere;
  }

  state(): Promise<SealedStateStore> {
    return this.#state.open();
  }

  /** What the state store did not take, beside the project. */
  outbox(): Promise<Outbox> {
    return this.#state.outbox();
  }

  /** Loads the packages that own these type or function tokens, so that `typeOf` answers at once. */
  loadPackages(tokens: Iterable<string>): Promise<void> {
    return this.#packages.load(tokens);
  }

  readonly typeOf = (token: string): ResourceType => this.#packages.typeOf(token);

  /** What is wrong with declared values of a type, whose package must be loaded. */
  readonly validate: ProviderPackage['validate'] = (token, properties) =>
    this.#packages.get(packageNameOf(token)).validate(token, properties);

  types(): ReadonlyMap<string, ResourceType> {
    return this.#packages.types();
  }

  readonly providerOf = (type: ResourceType): Promise<Provider> => this.provider(type.provider);

  provider(name: string): Promise<Provider> {
    const started = this.#providers.get(name) ?? this.#start(name);
    this.#providers.set(name, started);
    return started;
  }

  async #start(name: string): Promise<Provider> {
    await this.loadPackages([`${name}:`]);
    const loaded = this.#packages.get(name);
    const { config, options } = this;
    const tell = this.#teller();
    const provider = await loaded.start({
      settings: ownMember(config.providers, name) ?? {},
      env: options.env,
      trust: this.trust,
      concurrency: config.concurrency,
      ...defined({
        requestsPerMinute: config.requestsPerMinute,
        round: options.round,
        sharedRate: this.#state.sharedRate(),
      }),
      redactor: this.redactor,
      fence: () => this.fence,
      requestTimeoutMs: config.timing.requestMs,
      retries: config.timing.retries,
      world: this.world,
      userAgent: `platform-sync/${engineVersion} (${options.purpose})`,
      onWait: (wait) => {
        this.waited(wait);
        tell(() => this.emit({ type: 'waiting', ...wait }));
      },
      onDiagnostic: (diagnostic) => tell(() => this.#warn(diagnostic)),
    });
    return redactedProvider(provider, this.redactor);
  }

  #teller(): (work: () => void) => void {
    const held = this.#deferred;
    return (work) => (held === undefined ? work() : held.say(work));
  }

  /** What a provider or a store has to say. */
  #warn(said: Diagnostic): void {
    const diagnostic = this.redactor.diagnostic(said);
    this.warnings.push(diagnostic);
    this.emit({ type: 'diagnostic', diagnostic });
  }

  /** What one run reads through. */
  reads(how: Pick<ReadsContext, 'together' | 'isFresh' | 'signal'> = { together: {} }): Reads {
    const providerOf = (type: ResourceType): Promise<Provider> => this.provider(type.provider);
    const { turn } = this.world;
    const isShared = this.options.round !== undefined;
    return new Reads({ providerOf, turn, isShared, concurrency: this.config.concurrency, ...how });
  }

  async lookup(token: string, args: JsonObject, reads?: Reads): Promise<JsonObject> {
    const name = packageNameOf(token);
    await this.loadPackages([token]);
    const ruled = ruledTokens(this.#packages.get(name)).get(token);
    if (ruled !== undefined) return this.find(...ruled, args, reads);
    return (await this.provider(name)).lookup(token, args, defined({ signal: reads?.signal }));
  }

  /** The type whose objects a lookup finds, where it follows from a type; its package must be loaded. */
  lookedUpType(token: string): ResourceType | undefined {
    const [type] = ruledTokens(this.#packages.get(packageNameOf(token))).get(token) ?? [];
    return type === undefined ? undefined : this.typeOf(type);
  }

  /** Objects of a type, by the token of the type: the one, or all that match. */
  async find(token: string, many: HowMany, args: JsonObject, reads = this.#fresh): Promise<JsonObject> {
    await this.loadPackages([token]);
    const { findObjects } = await import('./find-objects.js');
    return findObjects({ type: this.typeOf(token), many, args }, reads);
  }

  /** A lookup that the catalogue asks for. Rejects before anything is sent when an argument is made from a secret. */
  async catalogueLookup(call: LookupCall, reads?: Reads): Promise<JsonObject> {
    const { lookupRefusal } = await import('./trust/lookups.js');
    const refused = lookupRefusal(call, this.permissions, this.isUnderReview);
    if (refused !== undefined) throw new ProviderError('configuration', [refused]);
    return this.lookup(call.token, call.args, reads);
  }

  readonly emit = (event: Event): void => this.options.onEvent?.(redactedEvent(event, this.redactor));

  /** Notes a wait for the history. */
  waited({ reason: said, ms }: Pick<RunWait, 'reason' | 'ms'>): void {
    const reason = this.redactor.text(said).slice(0, 300);
    const known = this.#waits.get(reason);
    this.#waits.set(reason, { reason, times: (known?.times ?? 0) + 1, ms: (known?.ms ?? 0) + ms });
  }

  /** What it waited for, the longest first. */
  waits(): readonly RunWait[] {
    return [...this.#waits.values()].sort((a, b) => b.ms - a.ms).slice(0, mostWaits);
  }

  /** False: what would be begun ahead of the catalogue is there already, or must wait for it. */
  mayStartAhead(): boolean {
    if (this.#catalogue !== undefined || this.isUnderReview) return false;
    // No state is made for a catalogue that may be broken.
    return this.#state.isThere;
  }

  /** From now on, what providers have to say waits until it is `told`, or is `forgotten` with the providers themselves. */
  startAhead(): { readonly told: () => void; readonly forgotten: () => void } {
    const notices = new DeferredNotices();
    this.#deferred = notices;
    return {
      told: () => {
        this.#deferred = undefined;
        notices.tell();
      },
      forgotten: () => {
        this.#deferred = undefined;
        this.#isHasty = true;
        this.#idle.push(...this.#providers.values());
        this.#providers.clear();
      },
    };
  }

  /** Provider → whose token it signs with, of those that were needed and know. */
  async subjects(): Promise<Readonly<Record<string, string>> | undefined> {
    const started = await Promise.all(this.#providers.values());
    const known = started.flatMap(({ name, subject }) => (subject === undefined ? [] : [[name, subject] as const]));
    return known.length === 0 ? undefined : Object.fromEntries(known.sort());
  }

  /** Requests of all providers so far. */
  async requests(): Promise<number> {
    const started = await Promise.all(this.#providers.values());
    return started.reduce((sum, provider) => sum + provider.requests(), 0);
  }

  async close(): Promise<void> {
    await closeAll(this.#idle, true);
    await closeAll([...this.#providers.values()], false);
    await closeAll(this.#state.toClose, this.#isHasty);
  }
}

/** More reasons than these tell nobody anything. */
const mostWaits = 10;

/** Texts of sync.yaml that give access to something. */
function settingSecrets({ state, drift, hidden = [] }: ProjectConfig): readonly string[] {
  const known = [drift?.webhook, drift?.secret, ...hidden];
  if (state.backend === 'postgres' && URL.canParse(state.url)) {
    const { password } = new URL(state.url);
    known.push(password, decodeURIComponent(password));
  }
  return known.filter((text): text is string => text !== undefined && text !== '');
}

function redactedEvent(event: Event, redactor: Redactor): Event {
  if (event.type === 'diagnostic') return { ...event, diagnostic: redactor.diagnostic(event.diagnostic) };
  if (event.type === 'step-failed') return { ...event, diagnostics: redactor.diagnostics(event.diagnostics) };
  return event.type === 'waiting' ? { ...event, reason: redactor.text(event.reason) } : event;
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Closes what was opened; what could not be opened needs no closing. `isHasty`: what is still being opened is closed when it
 * is there, and nobody waits for it.
 */
async function closeAll(opening: readonly Promise<Closable>[], isHasty: boolean): Promise<void> {
  await Promise.all(
    opening.map(async (each) => {
      const closed = each.then(
        (opened) => opened.close(),
        () => undefined,
      );
      const first = isHasty ? await Promise.race([each, 'opening']).catch(() => 'failed') : 'waited for';
      if (first === 'opening') closed.catch(() => undefined);
      else await closed;
    }),
  );
}

/** What there is to say while it is not known yet whether anybody is to hear it. */
class DeferredNotices {
  #waiting: (() => void)[] | undefined = [];

  say(work: () => void): void {
    if (this.#waiting === undefined) work();
    else this.#waiting.push(work);
  }

  /** Says all that waits, and from now on everything at once. Without this call, nothing is ever said. */
  tell(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const work of waiting) work();
  }
}

/** The packages, and one of the engine itself that reads what other stacks have recorded. */
function withStackOutputs(source: PackageSource, stack: string, state: () => Promise<SealedStateStore>): PackageSource {
  const name = 'stack';
  const load = async (wanted: string): Promise<ProviderPackage> =>
    wanted === name ? (await import('./stack-outputs.js')).stackPackage(stack, state) : source.load(wanted);
  return { ...source, names: [...source.names, name], load };
}

/** The packages with the project's word on whose label keys are whose in the rules of their fields. */
function withLabelRules(source: PackageSource, labels: LabelSettings | undefined): PackageSource {
  if (labels === undefined) return source;
  const changed = new Map<string, Promise<ProviderPackage>>();
  const change = async (name: string): Promise<ProviderPackage> => {
    const loaded = await source.load(name);
    const types = new LazyMap(loaded.types.keys(), (token) => typeWith(typeIn(loaded.types, token), labels));
    return { ...loaded, types };
  };
  const load = (name: string): Promise<ProviderPackage> => {
    const known = changed.get(name) ?? change(name);
    changed.set(name, known);
    return known;
  };
  return { ...source, names: source.names, load };
}

function typeWith(type: ResourceType, labels: LabelSettings): ResourceType {
  const fields = Object.entries(type.fields).map(([name, rule]) => [name, ruleWith(rule, labels)] as const);
  return { ...type, fields: Object.fromEntries(fields) };
}

/** Maps that others may write into are the ones whose rule says so. */
function ruleWith(rule: FieldRule, { own, foreign }: LabelSettings): FieldRule {
  if (rule.foreignKeys === undefined) return rule;
  return { ...rule, ownsAllKeys: own === 'all', foreignKeys: foreign ?? rule.foreignKeys };
}
