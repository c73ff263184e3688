import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job, JobFound, JobQueue, Work } from '@platform-sync/core/model/fleet';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { providerPackages } from '@platform-sync/sdk/registry';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { fakeProgram } from '../cli/fake-host.js';

/** A worker whose queue is the test itself: states lie in memory, as if one database kept them. */
let sandbox: RunningSandbox;
let folder: string;
const databases = new Map<string, MemoryDatabase>();

beforeAll(async () => {
  sandbox = await startSandbox({ quiet: true, empty: true });
  folder = await mkdtemp(join(tmpdir(), 'sync-work-'));
  const settings = 'state: { backend: postgres, url: !env SYNC_STATE_URL }\ntiming: { settleSeconds: 0 }\n';
  await write('fleet.yaml', "name: acme\nprojects: ['teams/*']\nschedule: { plan: 6h, check: 15m }\n");
  for (const team of ['one', 'two']) {
    await write(`teams/${team}/sync.yaml`, `project: ${team}\n${settings}`);
    await write(`teams/${team}/catalogue/a.yaml`, `resources: { ${team}: { type: platform:Api } }\n`);
  }
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

/** What jobs have found. */
const noted: JobFound[] = [];

/** What `sync fleet work` prints while a queue gives it jobs. */
async function worker(
  give: (work: Work) => Promise<void>,
  openQueue: (queue: JobQueue) => Promise<JobQueue> = async (queue) => queue,
): Promise<{ readonly code: number; readonly out: string }> {
  const queue: JobQueue = {
    work: give,
    add: async () => undefined,
    tell: async () => undefined,
    list: async () => [],
    note: async (_job, found) => void noted.push(found),
    close: async () => undefined,
  };
  const { run } = fakeProgram({
    host: {
      ...{
        cwd: folder,
        packages: async () => providerPackages,
        fleetPackage: async () => ({
          openQueue: () => openQueue(queue),
          openConsole: () => Promise.reject(new Error('none')),
        }),
      },
      env: { PLATFORM_TOKEN: 'x', PLATFORM_SERVER_URL: sandbox.url, SYNC_STATE_URL: 'postgres://127.0.0.1:1/none' },
      openProject: (options) =>
        openProject({
          ...options,
          openState: async ({ project, stack }) => {
            const known = databases.get(project) ?? new MemoryDatabase();
            databases.set(project, known);
            return memoryStateStore(project, stack, known);
          },
        }),
    },
  });
  return run('fleet', 'work');
}

const job = (kind: Job['kind'], project: string, round?: string): Job => ({
  ...{ kind, project, stack: 'default' },
  ...(round === undefined ? {} : { round }),
});

async function lists(): Promise<number> {
  const answer = await fetch(`${sandbox.url}/_sandbox/requests`);
  const { byRoute } = (await answer.json()) as {
    readonly byRoute: readonly { readonly route: string; readonly method: string; readonly count: number }[];
  };
  return byRoute.find(({ route, method }) => route === '/v3/apis' && method === 'GET')?.count ?? 0;
}

it('does what the commands for one stack do, and says how each job ended', async () => {
  const { out } = await worker(async ({ run, stop, schedules }) => {
    expect(await run(job('plan', 'one'), stop)).toBe(true);
    const effect = noted.at(-1)?.plan?.effectDigest ?? '';
    // What is approved is one effect, and no other is carried out.
    await run({ ...job('apply', 'one'), effect: '0'.repeat(64) }, stop);
    await run({ ...job('apply', 'one'), effect, by: 'ana@acme.example' }, stop);
    for (const kind of ['plan', 'check'] as const) expect(await run(job(kind, 'one'), stop)).toBe(true);
    const times = (await schedules()).map(
      ({ job: { kind, project }, everyMs }) => `${kind} ${project} ${everyMs / 60_000}`,
    );
    expect(times).toEqual(['check one 15', 'check two 15', 'plan one 360', 'plan two 360']);
    await expect(run(job('check', 'gone'), stop)).rejects.toThrow('no stack of this worker');
  });
  expect(
    out
      .replaceAll(/ \([\d.]+ s\)/g, '')
      .split('\n')
      .slice(1, -1),
  ).toEqual([
    'plan one/default waiting: 1 step to apply',
    expect.stringMatching(/^apply one\/default failed: This plan does not do what was approved/),
    'apply one/default clean',
    'plan one/default clean',
    'check one/default clean',
    "check gone/default is tried again: it is no stack of this worker's fleet.yaml",
  ]);
  const known = memoryStateStore('one', 'default', databases.get('one') ?? new MemoryDatabase());
  const [plan] = await known.runs({ kinds: ['plan'], limit: 1 });
  expect(plan?.content).toMatchObject({ actor: 'ana@acme.example' });
});

it('reads a list once for the jobs of one tick, and again for a stack that was applied since', async () => {
  await worker(async ({ run, stop }) => {
    const before = await lists();
    await run(job('plan', 'one', 'tick 1'), stop);
    await run(job('plan', 'two', 'tick 1'), stop);
    expect((await lists()) - before).toBe(1);
    await run(job('plan', 'one', 'tick 2'), stop);
    expect((await lists()) - before).toBe(2);
  });
  const { out } = await worker(async ({ run, stop }) => {
    await run(job('plan', 'one', 'tick 3'), stop);
    await run(job('apply', 'two'), stop);
    await run(job('plan', 'two', 'tick 3'), stop);
  });
  expect(out).toContain('plan two/default clean');
});

it('waits at its start for a database that restarts', async () => {
  let asked = 0;
  const { out, code } = await worker(
    async ({ run, stop }) => expect(await run(job('check', 'one'), stop)).toBe(true),
    async (queue) => {
      asked += 1;
      if (asked > 1) return queue;
      throw new StateStoreError('unreachable', 'the state database does not answer (57P03)', '');
    },
  );
  expect([code, asked]).toEqual([0, 2]);
  expect(out).toContain('check one/default clean');
});

it('hands a job over when it is stopped', async () => {
  const { out } = await worker(async ({ run }) => {
    const stop = new AbortController();
    const done = run(job('check', 'one'), stop.signal);
    stop.abort();
    expect(await done).toBe(false);
    expect(await run(job('apply', 'one'), stop.signal)).toBe(false);
  });
  expect(out.split('\n').slice(1, -1)).toEqual([]);
});
