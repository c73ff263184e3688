import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PlanOptions, Project } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import type { Plan } from '@platform-sync/core/model/plan';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Identity } from '@platform-sync/core/model/state';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { hasErrors } from '@platform-sync/core/model/diagnostic';
import { realWorld, type World } from '@platform-sync/core/model/world';

/** Something is otherwise than it should be; the message ends the sentence "the type, in this walk: …". */
export class Unlike extends Error {}

const settings = `project: conformance
guards: {maxDeletePercent: 100, maxDeletes: 1000, allow: [{guard: emptyCatalogue, reason: conformance}]}
`;

/** A project in a folder of its own, with state that lasts as long as it. */
export class TrialProject {
  readonly #package: ProviderPackage;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #world: World;
  readonly #folder: Promise<string>;
  #database = new MemoryDatabase();

  constructor(
    provider: ProviderPackage,
    env: Readonly<Record<string, string | undefined>>,
    sleep: World['sleep'] = realWorld.sleep,
  ) {
    this.#package = provider;
    this.#env = env;
    this.#world = { ...realWorld, sleep };
    this.#folder = mkdtemp(join(tmpdir(), 'sync-conformance-'));
  }

  loseState(): void {
    this.#database = new MemoryDatabase();
  }

  async close(): Promise<void> {
    await rm(await this.#folder, { recursive: true, force: true });
  }

  /** What the catalogue says from now on. */
  async write(resources: Readonly<Record<string, JsonObject>>): Promise<void> {
    const folder = join(await this.#folder, 'catalogue');
    await mkdir(folder, { recursive: true });
    await writeFile(join(await this.#folder, 'sync.yaml'), settings);
    await writeFile(join(folder, 'all.yaml'), JSON.stringify({ resources }));
  }

  /** Catalogue files in place of all there were: path from the catalogue folder → text. */
  async writeFiles(files: ReadonlyMap<string, string>): Promise<void> {
    const folder = join(await this.#folder, 'catalogue');
    await rm(folder, { recursive: true, force: true });
    for (const [path, text] of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  }

  async plan(options: PlanOptions = {}): Promise<Plan> {
    return this.open(async (project) => mustPlan(await project.plan(options)));
  }

  /** Plans and applies, and insists that nothing is left to do, however much is looked at. */
  async apply(options: PlanOptions = {}): Promise<void> {
    await this.open(async (project) => {
      const planned = await project.plan(options);
      mustPlan(planned);
      const result = await project.apply(planned);
      if (result.status !== 'done') throw new Unlike(`the apply ended with ${JSON.stringify(result)}`);
    });
    for (const refresh of ['auto', 'full'] as const) {
      const { steps } = await this.plan({ ...options, refresh });
      if (steps.length > 0 && options.mode !== 'destroy')
        throw new Unlike(`after the apply there is still to do: ${told(steps)}`);
    }
  }

  async import(address: string, id: string): Promise<void> {
    const { diagnostics } = await this.open((project) => project.importResource(address, id));
    if (hasErrors(diagnostics)) throw new Unlike(`the import failed: ${JSON.stringify(diagnostics)}`);
  }

  /** Where an address's object is, or undefined. */
  async identityOf(address: string): Promise<Identity | undefined> {
    return this.open(async (project) => (await (await project.state()).read()).resources.get(address)?.identity);
  }

  /** All that is kept, as text. */
  async kept(): Promise<string> {
    return this.open(async (project) => JSON.stringify([...(await (await project.state()).read()).resources]));
  }

  /** Anything else that can be done with the project. */
  async open<T>(work: (project: Project) => Promise<T>): Promise<T> {
    const { name } = this.#package;
    const { project, diagnostics } = await openProject({
      cwd: await this.#folder,
      env: this.#env,
      purpose: 'conformance',
      // The walks take objects away right after they were written, and mean it.
      settleSeconds: 0,
      world: this.#world,
      packages: { names: [name], load: () => Promise.resolve(this.#package) },
      openState: (config) => Promise.resolve(memoryStateStore(config.project, config.stack, this.#database)),
    });
    if (project === undefined) throw new Unlike(JSON.stringify(diagnostics));
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }
}

function mustPlan({
  plan,
  diagnostics,
}: {
  readonly plan?: Plan;
  readonly diagnostics: readonly { readonly severity: string }[];
}): Plan {
  if (plan === undefined) throw new Unlike(`there is no plan: ${JSON.stringify(diagnostics)}`);
  const [unread] = plan.notCompared;
  if (unread !== undefined) throw new Unlike(`something could not be compared: ${unread.diagnostic.summary}`);
  return plan;
}

/** `update subject (name), create other`. */
export function told(steps: Plan['steps']): string {
  return steps
    .map(({ action, address, fields }) => `${action} ${address} (${fields.map(({ field }) => field).join(', ')})`)
    .join(', ');
}
