import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, JobQueue } from '@platform-sync/core/model/fleet';
import { realWorld } from '@platform-sync/core/model/world';
import { openQueue } from 'platform-sync-fleet/main';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { builtChild } from '../harness/built.js';
import { startRestartablePostgres, type OwnPostgres } from '../postgres/server.js';

const teams = ['one', 'two', 'three'];
const rounds = 3;
const each = 6;
const file = await builtChild(fileURLToPath(new URL('fleet-child.ts', import.meta.url)));

let server: OwnPostgres;
let program: RealProgram;
let queue: JobQueue;
const workers: ChildProcess[] = [];
let said = '';
const ready = new Set<ChildProcess>();

beforeAll(async () => {
  server = await startRestartablePostgres();
  program = await realProgram({ PLATFORM_TOKEN: 'any' }, { empty: true, latencyMs: 15 });
  program.env = { ...program.env, SYNC_STATE_URL: await server.createDatabase() };
  await program.write({
    'fleet.yaml': "projects: ['teams/*']\nrequestsPerMinute: 3000\n",
    ...Object.fromEntries(
      teams.map((team) => [
        `teams/${team}/sync.yaml`,
        `project: ${team}\nstate: { backend: postgres, url: !env SYNC_STATE_URL }\ntiming: { leaseSeconds: 10, beatSeconds: 1 }\n`,
      ]),
    ),
  });
  queue = await openQueue(String(program.env['SYNC_STATE_URL']), realWorld);
});
afterAll(async () => {
  workers.forEach((worker) => worker.kill('SIGKILL'));
  await queue.close();
  await program.close();
  await server.stop();
});

function start(): void {
  const worker = spawn(process.execPath, [file], {
    ...{ cwd: program.folder, env: { ...process.env, ...program.env }, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  worker.stdout.on('data', (text: Buffer) => {
    ready.add(worker);
    said += text.toString();
  });
  worker.stderr.on('data', (text: Buffer) => (said += text.toString()));
  workers.push(worker);
}

/** The oldest worker goes without a word, and another comes. */
function replace(): void {
  workers.shift()?.kill('SIGKILL');
  start();
}

const names = (team: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${team} ${at}`);

async function declare(count: number): Promise<void> {
  const catalogue = (team: string): string =>
    names(team, count)
      .map((name, at) => `  api${at}: { type: platform:Api, properties: { name: ${name} } }\n`)
      .join('');
  await program.write(
    Object.fromEntries(teams.map((team) => [`teams/${team}/catalogue/a.yaml`, `resources:\n${catalogue(team)}`])),
  );
}

async function requests(): Promise<number> {
  const { byRoute } = (await program.call('GET', '/_sandbox/requests')) as {
    readonly byRoute: readonly { readonly method: string; readonly count: number }[];
  };
  return byRoute.filter(({ method }) => method === 'POST').reduce((sum, { count }) => sum + count, 0);
}

async function existing(): Promise<readonly string[]> {
  const { data } = (await program.call('GET', '/v3/apis?page[size]=100&page[number]=1')) as {
    readonly data: readonly { readonly name: string }[];
  };
  return data.map(({ name }) => name).sort();
}

/** Chance with a beginning. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('workers of a fleet', () => {
  it('lose no apply and do none twice, whenever one is killed, and when the database restarts', async () => {
    const random = chance(20_301);
    start();
    start();
    const job = (project: string): Job => ({ kind: 'apply', project, stack: 'default' });
    for (let round = 1; round <= rounds; round += 1) {
      await declare(round * each);
      const before = await requests();
      await queue.add(teams.map(job));
      // One is killed when the platform has been sent so many writes of this round.
      const point = before + Math.floor(random() * each * teams.length);
      await expect.poll(requests, { interval: 10 }).toBeGreaterThanOrEqual(point);
      replace();
      if (round === 2) await server.restart('crash');
      const left = (): Promise<number> =>
        queue
          .list()
          .then((jobs) => jobs.length)
          .catch(() => -1);
      await expect.poll(left, { interval: 50 }).toBe(0);
      expect(await existing(), said).toEqual(teams.flatMap((team) => names(team, round * each)).sort());
    }
  });

  it('end within seconds of a signal, and leave what they did to others', async () => {
    await expect.poll(() => workers.every((worker) => ready.has(worker)), { interval: 50 }).toBe(true);
    await declare(rounds * each + 12);
    const before = await requests();
    await queue.add(teams.map((project) => ({ kind: 'apply', project, stack: 'default' })));
    await expect.poll(requests, { interval: 10 }).toBeGreaterThan(before);
    const began = Date.now();
    const ended = await Promise.all(
      workers.map(async (worker) => {
        worker.kill('SIGTERM');
        return (await once(worker, 'exit')) as [number | null];
      }),
    );
    expect(ended.map(([code]) => code)).toEqual([143, 143]);
    // A hang would take as long as the lease of a run.
    expect(Date.now() - began).toBeLessThan(10_000);
    expect((await queue.list()).map(({ state }) => state)).not.toContain('running');
    workers.length = 0;
    start();
    await expect.poll(async () => (await queue.list()).length, { interval: 50 }).toBe(0);
    expect(await existing(), said).toEqual(teams.flatMap((team) => names(team, rounds * each + 12)).sort());
  });
});
