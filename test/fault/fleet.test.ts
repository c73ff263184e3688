import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetCause, Job, JobQueue } from '@platform-sync/core/model/fleet';
import { realWorld } from '@platform-sync/core/model/world';
import { openQueue } from 'platform-sync-fleet/main';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { builtChild } from '../harness/built.js';
import { startRestartablePostgres, type OwnPostgres } from '../postgres/server.js';

const teams = ['one', 'two', 'three'];
/**
 * `npm run soak -- test/fault/fleet.test.ts` kills at 200 points, two a round, and restarts the database ten times. With SYNC_REAL_TIMES=1
 * workers, leases and messages take the times that users have, and five are killed a round: it takes about 20 minutes.
 */
const isWhole = process.env['SYNC_WHOLE_TABLES'] !== undefined;
const isReal = process.env['SYNC_REAL_TIMES'] !== undefined;
const seed = Number(process.env['SYNC_LAW_SEED'] ?? 20_301);
const [rounds, each, kills] = !isWhole ? [3, 6, 1] : isReal ? [40, 1, 5] : [100, 1, 2];
const restarts = new Map<number, 'crash' | 'orderly'>(
  isWhole
    ? Array.from({ length: 10 }, (_, nth) => [(nth * rounds) / 10 + 2, nth % 2 === 0 ? 'crash' : 'orderly'])
    : [[2, 'crash']],
);
/** Of the whole, in such rounds somebody changes an API of each team by hand, and checks find it. */
const isChanged = (round: number): boolean => isWhole && round % 8 === 4;
const file = await builtChild(fileURLToPath(new URL('fleet-child.ts', import.meta.url)));

let server: OwnPostgres;
let program: RealProgram;
let queue: JobQueue;
const workers: ChildProcess[] = [];
let said = '';
let hears: Server;
/** What was posted, in order. */
const heard: { readonly id: string; readonly causes: readonly FleetCause[] }[] = [];
const ready = new Set<ChildProcess>();

beforeAll(async () => {
  server = await startRestartablePostgres();
  hears = createServer((request, response) => {
    void text(request).then((body) => {
      heard.push(JSON.parse(body) as (typeof heard)[number]);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(hears, 'listening');
  program = await realProgram({ PLATFORM_TOKEN: 'any' }, { empty: true, latencyMs: 15 });
  const { port } = hears.address() as AddressInfo;
  program.env = {
    ...program.env,
    ...{ SYNC_STATE_URL: await server.createDatabase(), SYNC_FLEET_WEBHOOK: `http://127.0.0.1:${port}/` },
  };
  await program.write({
    'fleet.yaml': "projects: ['teams/*']\nrequestsPerMinute: 3000\n",
    ...Object.fromEntries(
      teams.map((team) => [
        `teams/${team}/sync.yaml`,
        `project: ${team}\nstate: { backend: postgres, url: !env SYNC_STATE_URL }\n${isReal ? '' : 'timing: { leaseSeconds: 10, beatSeconds: 1 }\n'}`,
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
  hears.close();
});

/** A worker, or a command line beside them. */
function start(...words: readonly string[]): ChildProcess {
  const worker = spawn(process.execPath, [file, ...words], {
    ...{ cwd: program.folder, env: { ...process.env, ...program.env }, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  worker.stdout.on('data', (part: Buffer) => {
    ready.add(worker);
    said += part.toString();
  });
  worker.stderr.on('data', (part: Buffer) => (said += part.toString()));
  if (words.length === 0) workers.push(worker);
  return worker;
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
      .map((name, at) => `  api${at}: { type: platform:Api, properties: { name: ${name}, description: of ${team} } }\n`)
      .join('');
  await program.write(
    Object.fromEntries(teams.map((team) => [`teams/${team}/catalogue/a.yaml`, `resources:\n${catalogue(team)}`])),
  );
}

interface Api {
  readonly id: string;
  readonly name: string;
}

async function apis(): Promise<readonly Api[]> {
  const all: Api[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/v3/apis?page[size]=100&page[number]=${page}`;
    const { data } = (await program.call('GET', path)) as { readonly data: readonly Api[] };
    all.push(...data);
    if (data.length < 100) return all;
  }
}

async function existing(): Promise<readonly string[]> {
  return (await apis()).map(({ name }) => name).sort();
}

async function changeByHand(round: number): Promise<void> {
  for (const { id, name } of await apis())
    if (name.endsWith(' 0')) await program.call('PATCH', `/v3/apis/${id}`, { description: `by hand ${round}` });
}

async function requests(): Promise<number> {
  const { byRoute } = (await program.call('GET', '/_sandbox/requests')) as {
    readonly byRoute: readonly { readonly method: string; readonly count: number }[];
  };
  return byRoute.filter(({ method }) => method === 'POST').reduce((sum, { count }) => sum + count, 0);
}

/** Chance with a beginning. */
function chance(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Messages of what was changed by hand in a round. */
function told(round: number): readonly { readonly id: string }[] {
  return heard.filter(({ causes }) =>
    causes.some(({ kind, cause }) => kind !== 'resolved' && cause.includes(`by hand ${round}"`)),
  );
}

/** Jobs that are not done; -1: nobody can say. */
function left(): Promise<number> {
  return queue
    .list()
    .then((jobs) => jobs.length)
    .catch(() => -1);
}

async function settled(patience: { readonly interval: number; readonly timeout?: number }): Promise<void> {
  await expect
    .poll(left, patience)
    .toBe(0)
    .catch(async () => expect.fail(`${JSON.stringify(await queue.list(), null, 1)}\n${said}`));
}

const job = (kind: Job['kind'], project: string): Job => ({ kind, project, stack: 'default' });

describe('workers of a fleet', () => {
  it('lose no apply and do none twice, whenever one is killed, and when the database restarts', async () => {
    const random = chance(seed);
    const patience = { interval: isWhole ? 20 : 50, timeout: 60_000 };
    // A message gathers what is found meanwhile.
    const hearing = { ...patience, timeout: isReal ? 400_000 : 60_000 };
    for (let nth = 0; nth < (isReal ? 4 : 2); nth += 1) start();
    for (let round = 1; round <= rounds; round += 1) {
      await declare(round * each);
      if (isChanged(round)) await changeByHand(round);
      const before = await requests();
      // The hand's change is seen before an apply takes it back.
      const first = isChanged(round) ? 'check' : 'apply';
      await queue.add(teams.map((team) => job(first, team)));
      const beside =
        isWhole && round % 3 === 0 && first === 'apply' ? start('apply', '--yes', '--cwd', 'teams/two') : undefined;
      // One is killed when the platform has been sent so many writes of this round, or a little later.
      const point = first === 'check' ? before : before + Math.floor(random() * each * teams.length);
      const laterMs = isWhole ? random() * 800 : 0;
      await expect.poll(requests, { ...patience, interval: 10 }).toBeGreaterThanOrEqual(point);
      const killed: string[] = [];
      const killedAt = performance.now();
      for (let nth = 0; nth < kills; nth += 1) {
        await new Promise((go) => setTimeout(go, laterMs + Math.min(nth, 1) * random() * 1_500));
        const isBeside = beside !== undefined && !beside.killed && random() < 0.5;
        if (isBeside) beside.kill('SIGKILL');
        else replace();
        killed.push(isBeside ? 'command line' : 'worker');
      }
      const how = restarts.get(round);
      if (how !== undefined) await server.restart(how);
      await settled(patience);
      const doneMs = Math.round(performance.now() - killedAt);
      if (first === 'check') {
        await expect.poll(() => told(round).length, hearing).toBeGreaterThan(0);
        await queue.add(teams.map((team) => job('apply', team)));
        await settled(patience);
      }
      if (beside !== undefined && beside.exitCode === null && beside.signalCode === null) await once(beside, 'exit');
      expect(await existing(), said).toEqual(teams.flatMap((team) => names(team, round * each)).sort());
      if (isWhole)
        process.stdout.write(
          `round ${round}: ${killed.join(' and ')} killed during ${first}, ${how ?? ''}, all done in ${doneMs} ms\n`,
        );
      said = said.slice(-20_000);
    }
    if (!isWhole) return;
    const changed = Array.from({ length: rounds }, (_, at) => at + 1).filter(isChanged);
    process.stdout.write(`${heard.length} posts, ${new Set(heard.map(({ id }) => id)).size} messages\n`);
    // Whoever hears of a cause twice knows it by the message's id.
    expect(changed.map((round) => [round, new Set(told(round).map(({ id }) => id)).size])).toEqual(
      changed.map((round) => [round, 1]),
    );
  });

  it('end within seconds of a signal, and leave what they did to others', async () => {
    await expect.poll(() => workers.every((worker) => ready.has(worker)), { interval: 50 }).toBe(true);
    await declare(rounds * each + 12);
    const before = await requests();
    await queue.add(teams.map((team) => job('apply', team)));
    await expect.poll(requests, { interval: 10 }).toBeGreaterThan(before);
    const began = Date.now();
    const ended = await Promise.all(
      workers.map(async (worker) => {
        worker.kill('SIGTERM');
        return (await once(worker, 'exit')) as [number | null];
      }),
    );
    expect(new Set(ended.map(([code]) => code))).toEqual(new Set([143]));
    // A hang would take as long as the lease of a run.
    expect(Date.now() - began).toBeLessThan(10_000);
    expect((await queue.list()).map(({ state }) => state)).not.toContain('running');
    workers.length = 0;
    start();
    await settled({ interval: 50 });
    expect(await existing(), said).toEqual(teams.flatMap((team) => names(team, rounds * each + 12)).sort());
  });
});
