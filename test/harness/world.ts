import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type {
  ApplyOptions,
  ApplyResult,
  OpenOptions,
  PlanOptions,
  PlanResult,
  Project,
} from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import type { Event } from '@platform-sync/core/model/event';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Json } from '@platform-sync/core/model/value';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { variables } from '@platform-sync/cloud/wire';
import { providerPackages } from '@platform-sync/sdk/registry';
import { startSandbox, type RunningSandbox, type SandboxOptions } from '@platform-sync/sandbox/server';
import { realWorld } from '@platform-sync/core/model/world';

/** A catalogue as data: JSON is YAML, too. */
export type CatalogueData = { readonly [key: string]: Json };

/** A platform, a project folder and a state of their own, for one test. */
export interface World {
  readonly sandbox: RunningSandbox;
  readonly folder: string;
  readonly events: Event[];
  env: Record<string, string | undefined>;
  /** Replaces the project's files; objects become JSON. `sync.yaml` is written unless given. */
  write(files: Readonly<Record<string, string | CatalogueData>>): Promise<void>;
  /** Opens the project for one piece of work and closes it again. */
  open<T>(work: (project: Project) => Promise<T>, options?: Partial<OpenOptions>): Promise<T>;
  plan(options?: PlanOptions): Promise<Plan>;
  planResult(options?: PlanOptions): Promise<PlanResult>;
  /** Plans and applies; fails the test unless everything was done. */
  apply(options?: PlanOptions, applyOptions?: ApplyOptions): Promise<ApplyResult>;
  /** Forgets all state. */
  loseState(): void;
  /** Requests since the last reset, by `METHOD /route`. */
  requests(): Promise<{ readonly total: number; readonly byRoute: Readonly<Record<string, number>> }>;
  resetRequests(): Promise<void>;
  /** Calls the platform directly. */
  call(method: string, path: string, body?: Json): Promise<{ readonly status: number; readonly body: Json }>;
  close(): Promise<void>;
}

/** For platforms that are ready as soon as somebody asks again: no wait is sat out. */
export const hurried: Partial<OpenOptions> = {
  world: { ...realWorld, sleep: (ms, until) => realWorld.sleep(Math.min(ms, 5), until) },
};

/** `always`: how each project is opened. */
export async function makeWorld(
  sandboxOptions: SandboxOptions = {},
  always: Partial<OpenOptions> = {},
): Promise<World> {
  const sandbox = await startSandbox({ quiet: true, ...sandboxOptions });
  const folder = await mkdtemp(join(tmpdir(), 'sync-test-'));
  let database = new MemoryDatabase();
  const events: Event[] = [];
  const world: World = {
    sandbox,
    folder,
    events,
    env: {
      PLATFORM_TOKEN: 'test-token',
      PLATFORM_SERVER_URL: sandbox.url,
      [variables.accessToken[0]]: 'test-token',
      [variables.endpoint[0]]: `${sandbox.url}/v1/`,
    },
    write: async (files) => {
      await rm(join(folder, 'catalogue'), { recursive: true, force: true });
      for (const [name, content] of Object.entries({ 'sync.yaml': 'project: test\n', ...files })) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
      }
    },
    open: async (work, options) => {
      const { project, diagnostics } = await openProject({
        cwd: folder,
        env: world.env,
        purpose: 'test',
        packages: providerPackages,
        // Tests delete by hand right after an apply, and mean it.
        settleSeconds: 0,
        onEvent: (event) => events.push(event),
        openState: (config) => Promise.resolve(memoryStateStore(config.project, config.stack, database)),
        ...always,
        ...options,
      });
      if (project === undefined) throw new Error(JSON.stringify(diagnostics, null, 1));
      try {
        return await work(project);
      } finally {
        await project.close();
      }
    },
    planResult: (options) => world.open((project) => project.plan(options)),
    plan: async (options) => mustPlan(await world.planResult(options)),
    apply: (options, applyOptions) =>
      world.open(async (project) => {
        const planned = await project.plan(options);
        mustPlan(planned);
        const result = await project.apply(planned, applyOptions);
        if (result.status !== 'done')
          throw new Error(`apply: ${JSON.stringify({ result, guards: planned.plan?.guards }, null, 1)}`);
        return result;
      }),
    loseState: () => {
      database = new MemoryDatabase();
    },
    requests: async () => {
      const { body } = await world.call('GET', '/_sandbox/requests');
      const { total, byRoute } = body as { total: number; byRoute: { method: string; route: string; count: number }[] };
      const counts: Record<string, number> = {};
      for (const { method, route, count } of byRoute)
        counts[`${method} ${route}`] = (counts[`${method} ${route}`] ?? 0) + count;
      return { total, byRoute: counts };
    },
    resetRequests: async () => void (await world.call('DELETE', '/_sandbox/requests')),
    call: async (method, path, body) => {
      const response = await fetch(sandbox.url + path, {
        method,
        headers: {
          authorization: `Bearer ${sandboxOptions.token ?? 'test-token'}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Json) };
    },
    close: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function mustPlan(result: PlanResult): Plan {
  if (result.plan === undefined) throw new Error(`no plan: ${JSON.stringify(result.diagnostics, null, 1)}`);
  return result.plan;
}

/** `create petstore`, `update petstore/guide` … in plan order. */
export function actionsOf(plan: Plan): readonly string[] {
  return plan.steps.map((step) => `${step.action} ${step.address}`);
}
