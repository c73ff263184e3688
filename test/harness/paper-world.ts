import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openProject } from '@platform-sync/engine/engine';
import type {
  ApplyOptions,
  ApplyResult,
  OpenOptions,
  PlanOptions,
  PlanResult,
  Project,
} from '@platform-sync/engine/api';
import type { Event } from '@platform-sync/core/model/event';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Provider } from '@platform-sync/core/model/provider';
import type { Intent, StackState } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';
import { realWorld } from '@platform-sync/core/model/world';
import { newStack } from '@platform-sync/state/sql-store';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { PaperPlatform } from './paper-platform.js';

/** A folder of projects, each with the settings that stand under its name. */
export async function paperFolder(settings: Readonly<Record<string, JsonObject>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-paper-'));
  for (const [name, more] of Object.entries(settings)) {
    await mkdir(join(folder, name, 'catalogue'), { recursive: true });
    writeFileSync(join(folder, name, 'sync.yaml'), JSON.stringify({ project: 'test', ...more }));
  }
  return folder;
}

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

export type Planned = PlanResult & { readonly plan: Plan };

type Stores = (project: string, stack: string) => StateStore;

/** The whole engine with a platform and a state in memory: only the catalogue is a file. Nothing waits in real time. */
export class PaperWorld {
  readonly platform: PaperPlatform;
  readonly events: Event[] = [];
  /** What the engine would have waited, milliseconds. */
  readonly waits: number[] = [];
  readonly env: Record<string, string> = {};
  /** What calls do instead of what the platform does. */
  calls: (platform: Provider) => Partial<Provider> = () => ({});
  #database = new MemoryDatabase();
  #state: StackState = newStack('test', 'default', realWorld);

  readonly #stores: Stores | undefined;

  /** `stores`: others than in memory. */
  constructor(types?: PaperPlatform['package']['types'], stores?: Stores) {
    this.platform = new PaperPlatform(types);
    this.#stores = stores;
  }

  /** Replaces the catalogue of a project. */
  write(cwd: string, catalogue: JsonObject): void {
    const file = join(cwd, 'catalogue/all.yaml');
    // A file made anew is not written through to the disk, as one that is cut short is.
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(catalogue));
  }

  async open<T>(cwd: string, work: (project: Project) => Promise<T>, options: Partial<OpenOptions> = {}): Promise<T> {
    const { project, diagnostics } = await openProject({
      ...{ cwd, env: this.env, purpose: 'test', packages: { names: ['platform'], load: () => this.#package() } },
      onEvent: (event) => this.events.push(event),
      // Tests delete by hand right after an apply, and mean it.
      settleSeconds: 0,
      world: { ...realWorld, steady: () => 0, sleep: (ms) => Promise.resolve(void this.waits.push(ms)) },
      openState: ({ stack }) => Promise.resolve(this.storeOf(stack)),
      ...options,
    });
    if (project === undefined) throw new Error(JSON.stringify(diagnostics));
    try {
      return await work(project);
    } finally {
      await project.close();
      this.#state = await this.store().read();
    }
  }

  /** Plans and applies; the events since then are kept. */
  async apply(
    cwd: string,
    {
      apply,
      open,
      ...plan
    }: PlanOptions & { readonly apply?: ApplyOptions; readonly open?: Partial<OpenOptions> } = {},
  ): Promise<Planned & { readonly result: ApplyResult }> {
    this.events.length = 0;
    return this.open(
      cwd,
      async (project) => {
        const planned = await mustPlan(project, plan);
        return { ...planned, result: await project.apply(planned, apply) };
      },
      open,
    );
  }

  plan(cwd: string, options: PlanOptions = {}): Promise<Planned> {
    return this.open(cwd, (project) => mustPlan(project, options));
  }

  /** The state as the last run, or the last edit from here, left it. */
  state(): StackState {
    return this.#state;
  }

  store(): StateStore {
    return this.storeOf('default');
  }

  /** Of another stack. */
  storeOf(stack: string): StateStore {
    return this.#stores?.('test', stack) ?? memoryStateStore('test', stack, this.#database);
  }

  /** The store is as it was when this document of a stack was pulled: its lineage, and its serial of then. */
  async restore(document: string): Promise<void> {
    this.#database = new MemoryDatabase();
    await this.#edit((store, lease) => store.push(lease, document, { force: true }));
  }

  /** A write that a run decided on before it was killed. */
  async leaveOpen(intent: Intent): Promise<void> {
    await this.#edit((store, lease) => store.begin(lease, intent));
  }

  /** Loses the records of an address and of all below it. */
  async forget(address: string): Promise<void> {
    const { resources } = await this.store().read();
    const lost = [...resources.keys()].filter((one) => one === address || one.startsWith(`${address}/`));
    await this.#edit((store, lease) =>
      store.commit(
        lease,
        lost.map((one) => ({ kind: 'remove', address: one })),
      ),
    );
  }

  async #edit(work: (store: StateStore, lease: Lease) => Promise<unknown>): Promise<void> {
    const store = this.store();
    const lease = await store.acquire('edit', { owner: 'test', waitMs: 0 });
    await work(store, lease);
    await lease.release();
    this.#state = await store.read();
  }

  #package(): Promise<PaperPlatform['package']> {
    const { platform } = this;
    const start = async (...given: Parameters<PaperPlatform['package']['start']>): Promise<Provider> => {
      const inner = await platform.package.start(...given);
      return { ...inner, ...this.calls(inner) };
    };
    return Promise.resolve({ ...platform.package, start });
  }
}

export async function mustPlan(project: Project, options: PlanOptions): Promise<Planned> {
  const result = await project.plan(options);
  if (result.plan === undefined) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  return result as Planned;
}
