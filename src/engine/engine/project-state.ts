import { ownMember } from '@platform-sync/core/model/value';
import { existsSync } from 'node:fs';
import type { OpenOptions } from './api.js';
import type { LoadedPackages } from './loaded-packages.js';
import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Outbox } from '@platform-sync/core/model/outbox';
import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { SharedRate, Urgency } from '@platform-sync/core/model/shared-rate';
import type { Timing } from '@platform-sync/state/lease-term';
import type { SharedRates } from '@platform-sync/state/sql-rates';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import type { Trust } from '@platform-sync/core/model/trust';
import type { World } from '@platform-sync/core/model/world';
import { sealedStateStore, type SealedStateStore } from './sealed-state.js';
import type { Recorded } from './trust/may-send.js';
import { noPermissions, type Permissions } from './trust/permissions.js';
import { isPlaced, requireInside, stateSending } from './trust/state-place.js';

interface StateContext {
  readonly config: ProjectConfig;
  readonly options: OpenOptions;
  readonly world: World;
  readonly permissions: Permissions;
  readonly packages: LoadedPackages;
  readonly trust: () => Trust;
  readonly tell: (diagnostic: Diagnostic) => void;
}

/** The state of a project's stack, opened when somebody needs it. */
export class ProjectState {
  readonly #context: StateContext;
  #rates: Promise<SharedRates> | undefined;
  /** Nobody could be asked for a share of the rate. */
  #isAlone = false;
  #opened: Promise<SealedStateStore> | undefined;

  constructor(context: StateContext) {
    this.#context = context;
  }

  /** Undefined while nobody needed it. */
  get opened(): Promise<SealedStateStore> | undefined {
    return this.#opened;
  }

  open(): Promise<SealedStateStore> {
    this.#opened ??= this.#openSealed();
    return this.#opened;
  }

  /** False: to open it would make it. */
  get isThere(): boolean {
    const { config, options } = this.#context;
    return options.openState !== undefined || config.state.backend !== 'sqlite' || existsSync(config.state.path);
  }

  /** The target on record, for an address that nothing else allows. Makes no state where there is none. */
  async recorded(provider: string): Promise<Recorded | undefined> {
    const { config, options, permissions } = this.#context;
    if (provider === 'state') return undefined;
    if (this.#opened === undefined && !this.isThere) return undefined;
    try {
      const target = ownMember((await (await this.open()).read()).targets, provider);
      if (target === undefined) return undefined;
      return { target, isPlaced: options.openState !== undefined || isPlaced(config, permissions, options.env) };
    } catch (error) {
      // A state that can't be read allows nothing; the refusal of the address is what is told.
      if (error instanceof DiagnosticError || error instanceof StateStoreError) return undefined;
      throw error;
    }
  }

  /** What the state store did not take, beside the project. */
  async outbox(): Promise<Outbox> {
    const { config } = this.#context;
    const { outboxFile: keptFile } = await import('@platform-sync/state/outbox-file');
    const kept = keptFile(config.root, config.project, config.stack);
    requireInside(kept.location, config, noPermissions);
    return kept;
  }

  /** The rate that runs of one database keep together, by who asks whom; undefined: this run goes by its own pace. */
  sharedRate(): ((caller: string) => SharedRate) | undefined {
    const { state, project, stack } = this.#context.config;
    const { purpose, sharedRate = {} } = this.#context.options;
    if (sharedRate.of !== undefined) return sharedRate.of;
    if (state.backend !== 'postgres') return undefined;
    const perMinute = sharedRate.requestsPerMinute ?? state.requestsPerMinute;
    if (perMinute === undefined) return undefined;
    const ask = { asker: `${project}/${stack}`, perMinute, urgency: sharedRate.urgency ?? urgencyOf(purpose) };
    return (caller) => ({
      take: async (wanted) => {
        try {
          return await (await this.#sharedRates(state.url)).of(caller, ask).take(wanted);
        } catch (error) {
          this.#tellAlone(error);
          throw error;
        }
      },
      refused: async (ms) => (await this.#sharedRates(state.url)).of(caller, ask).refused(ms),
    });
  }

  #sharedRates(url: string): Promise<SharedRates> {
    this.#rates ??= this.#openRates(url);
    return this.#rates;
  }

  async #openRates(url: string): Promise<SharedRates> {
    await this.#admit();
    const { SharedRates: Rates } = await import('@platform-sync/state/sql-rates');
    return new Rates(url, this.#timing());
  }

  #tellAlone(error: unknown): void {
    if (this.#isAlone) return;
    this.#isAlone = true;
    const said = error instanceof Error ? error.message : String(error);
    this.#context.tell({
      severity: 'warning',
      code: 'rate-not-shared',
      summary: `Other runs were not asked how fast this one may go: ${said}.`,
      hint: 'It goes by requestsPerMinute of sync.yaml, and by what the platform answers.',
    });
  }

  /** What was opened so far. */
  get toClose(): readonly Promise<{ close(): Promise<void> }>[] {
    return [this.#opened, this.#rates].filter((each) => each !== undefined);
  }

  async #openSealed(): Promise<SealedStateStore> {
    const { config, options, packages, tell } = this.#context;
    const store = await (options.openState?.(config) ?? this.#openConfigured());
    // Of what nobody describes any more nothing is known; what is wrong with a description is told by whoever needs it.
    const load = (token: string): Promise<void> => packages.load([token]).catch(() => undefined);
    return sealedStateStore(store, { load, typeOf: (token) => packages.find(token) }, tell, options.part);
  }

  async #openConfigured(): Promise<StateStore> {
    const { config, options, permissions } = this.#context;
    await this.#admit();
    if (config.state.backend === 'sqlite') requireInside(config.state.path, config, permissions);
    // The database driver is loaded only by commands that need state.
    if (options.untrusted !== undefined)
      return (await import('@platform-sync/state/read-only')).openForReading(
        config.state,
        config.project,
        config.stack,
      );
    const { openStateStore } = await import('@platform-sync/state/open');
    return openStateStore(config.state, config.project, config.stack, this.#timing());
  }

  async #admit(): Promise<void> {
    const { config, options, trust } = this.#context;
    const sending = stateSending(config, options.env);
    if (sending !== undefined) await trust().admit(sending);
  }

  #timing(): Omit<World, 'now'> & Pick<Timing, 'ttlMs' | 'heartbeatMs'> {
    const { leaseMs, beatMs } = this.#context.config.timing;
    // A database that has a clock goes by its own.
    const { now: _, ...world } = this.#context.world;
    return { ...world, ttlMs: leaseMs, heartbeatMs: beatMs };
  }
}

/** By the name of the command. What a schedule starts waits for what people do. */
function urgencyOf(purpose: string): Urgency {
  if (purpose === 'drift') return 'scheduled';
  return purpose === 'apply' || purpose === 'destroy' ? 'writing' : 'asked';
}
