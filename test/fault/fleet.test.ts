import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { FleetCause, Job, JobQueue } from '@platform-sync/core/model/fleet';
import { realWorld } from '@platform-sync/core/model/world';
import { realTiming } from '@platform-sync/state/lease-term';
import { migrate } from '@platform-sync/state/migrations';
import { openPostgres } from '@platform-sync/state/postgres';
import { openQueue } from 'platform-sync-fleet/main';
import { ConsoleStore } from '../../src/fleet/console/store.js';
import { realProgram, type RealProgram } from '../cli/real-program.js';
import { builtChild } from '../harness/built.js';
import { portToBind } from '../harness/port-to-bind.js';
import { type FakePlatform, fakeGithub, token } from '../review/fake-platforms.js';
import { installedPrograms, startRestartablePostgres, type OwnPostgres } from '../postgres/server.js';

const teams = ['one', 'two', 'three'];
/**
 * `npm run soak -- test/fault/fleet.test.ts` kills workers at 200 points, two a round, restarts the database ten times, and kills one of two
 * consoles in each second round while a forge posts a hook: what was answered as taken is told its request.
 * With SYNC_REAL_TIMES=1 workers, leases and messages take the times that users have, and five are killed a round.
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
/** Of the whole: what a forge posts hooks to, and what it is told. */
let forge: FakePlatform;
const consoles: { readonly port: number; child: ChildProcess }[] = [];
const hookSecret = 'secret-of-the-hook';
/** Requests whose hook was taken. */
const taken: number[] = [];

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
    'fleet.yaml': `projects: ['teams/*']\nrequestsPerMinute: 3000\n${served}\n`,
    ...Object.fromEntries(
      teams.map((team) => [
        `teams/${team}/sync.yaml`,
        `project: ${team}\nstate: { backend: postgres, url: !env SYNC_STATE_URL }\n${isReal ? '' : 'timing: { leaseSeconds: 10, beatSeconds: 1 }\n'}`,
      ]),
    ),
  });
  queue = await openQueue(String(program.env['SYNC_STATE_URL']), realWorld);
  if (isWhole) await startForge();
});
afterAll(async () => {
  [...workers, ...consoles.map(({ child }) => child)].forEach((one) => one.kill('SIGKILL'));
  if (isWhole) await forge.api.close();
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

const served =
  'console: { url: https://sync.acme.example, login: { issuer: https://login.acme.example, client: sync }, roles: [] }';

async function startForge(): Promise<void> {
  forge = await fakeGithub();
  const api = { GITHUB_API_URL: forge.api.url, GITHUB_TOKEN: token, SYNC_GITHUB_HOOK_SECRET: hookSecret };
  program.env = { ...program.env, ...api };
  execFileSync('git', ['init', '--quiet'], { cwd: program.folder });
  for (let nth = 0; nth < 2; nth += 1) {
    const port = await portToBind();
    consoles.push({ port, child: start('console', '--port', String(port)) });
  }
}

const commitOf = (request: number): string => request.toString(16).padStart(7, '9').padEnd(40, '0');

/** As a forge does it: once, to the address that it knows, where a proxy chooses. */
async function postHook(request: number, { port }: { readonly port: number }): Promise<void> {
  const body = JSON.stringify({
    ...{ action: 'opened', repository: { full_name: 'acme/shop' } },
    pull_request: { number: request, updated_at: new Date().toISOString(), head: { sha: commitOf(request) } },
  });
  const signature = `sha256=${createHmac('sha256', hookSecret).update(body).digest('hex')}`;
  const headers = { 'x-github-event': 'pull_request', 'x-hub-signature-256': signature };
  const json = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/hooks/github`, {
    ...{ method: 'POST', headers: { ...headers, ...json }, body },
  }).catch(() => undefined);
  if (answer?.status === 202) taken.push(request);
}

/** Kills one of the consoles while both are posted a hook. */
async function hooksWhileOneDies(round: number, random: () => number): Promise<void> {
  const one = consoles[round % 2];
  const posted = consoles.map((each, nth) => postHook(round * 10 + nth, each));
  if (one !== undefined && round % 2 === 0) {
    await new Promise((go) => setTimeout(go, random() * 30));
    one.child.kill('SIGKILL');
    one.child = start('console', '--port', String(one.port));
  }
  await Promise.all(posted);
}

/** Requests whose hook was taken and whose commit has no end, or more than one comment. */
function untold(): readonly number[] {
  return taken.filter((request) => {
    const own = forge.statuses.filter((status) => status.startsWith(`${commitOf(request).slice(0, 7)} `));
    return (
      own.at(-1)?.includes(' failure ') !== true || forge.comments.filter((one) => one.request === request).length !== 1
    );
  });
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

/** Jobs of workers that were not seen since a moment; -1: nobody can say. */
function heldByTheDead(moment: number): Promise<number> {
  return onDatabase(String(program.env['SYNC_STATE_URL']), async (client) => {
    const name = await schemaOf(client);
    const { rows } = await client.query(
      `select from "${name}_fleet_jobs".jobs left join "${name}_fleet".workers on workers.id = locked_by
       where locked_by is not null and coalesce(seen, extract(epoch from locked_at) * 1000) <= $1`,
      [moment],
    );
    return rows.length;
  }).catch(() => -1);
}

const job = (kind: Job['kind'], project: string): Job => ({ kind, project, stack: 'default' });

describe('workers of a fleet', () => {
  it('lose no apply and do none twice, whenever one is killed, and when the database restarts', async () => {
    const random = chance(seed);
    const patience = { interval: isWhole ? 20 : 50, timeout: 60_000 };
    // A message gathers what is found meanwhile.
    const hearing = { ...patience, timeout: isWhole ? 400_000 : 60_000 };
    await expect.poll(() => consoles.every(({ child }) => ready.has(child)), { interval: 50 }).toBe(true);
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
      if (isWhole) await hooksWhileOneDies(round, random);
      const killed: string[] = [];
      const killedAt = performance.now();
      for (let nth = 0; nth < kills; nth += 1) {
        await new Promise((go) => setTimeout(go, laterMs + Math.min(nth, 1) * random() * 1_500));
        const isBeside = beside !== undefined && !beside.killed && random() < 0.5;
        if (isBeside) beside.kill('SIGKILL');
        else replace();
        killed.push(isBeside ? 'command line' : 'worker');
      }
      const lastAt = Date.now();
      const how = restarts.get(round);
      if (how !== undefined) await server.restart(how);
      // Nothing of a dead worker's counts as running for longer; how long the work itself takes is another matter.
      await expect.poll(() => heldByTheDead(lastAt), patience).toBe(0);
      const freedMs = Math.round(performance.now() - killedAt);
      await settled(hearing);
      const doneMs = Math.round(performance.now() - killedAt);
      if (first === 'check') {
        await expect.poll(() => told(round).length, hearing).toBeGreaterThan(0);
        // Whoever was killed while it looked has left none clean.
        expect([...(await queue.standings()).values()].map(({ state }) => state)).not.toContain('clean');
        await queue.add(teams.map((team) => job('apply', team)));
        await settled(hearing);
      }
      if (beside !== undefined && beside.exitCode === null && beside.signalCode === null) await once(beside, 'exit');
      expect(await existing(), said).toEqual(teams.flatMap((team) => names(team, round * each)).sort());
      if (isWhole)
        process.stdout.write(
          `round ${round}: ${killed.join(' and ')} killed during ${first}, ${how ?? ''}, freed in ${freedMs} ms, all done in ${doneMs} ms\n`,
        );
      said = said.slice(-20_000);
    }
    if (!isWhole) return;
    // What a worker was telling when it was killed is another's once nobody could still be telling it.
    await expect.poll(untold, { ...hearing, interval: 200 }).toEqual([]);
    process.stdout.write(`${taken.length} of ${rounds * 2} hooks taken, each told its request\n`);
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

  // In the soak: it waits until the lease of a run that was backed up has ended.
  it.runIf(isWhole)(
    'go on from a backup: what was applied since is looked into, and nothing is made twice',
    async () => {
      const patience = { interval: 50, timeout: 60_000 };
      const from = String(program.env['SYNC_STATE_URL']);
      const before = await consoleStore(from);
      const person = { id: 'ana', name: 'ana', names: ['ana'], aliases: [], groups: [] };
      const secret = await before.store.beginSession(person);
      await before.store.note({ who: 'ana', act: 'login', target: '', outcome: 'done', words: '' });
      const { digest } = await before.store.verifyAudit();
      const count = rounds * each + 18;
      await declare(count - 3);
      const posted = await requests();
      await queue.add(teams.map((team) => job('apply', team)));
      // In the middle of applies.
      await expect.poll(requests, { interval: 10 }).toBeGreaterThan(posted + 4);
      const backup = await backedUp(from);
      await settled(patience);
      await declare(count);
      await queue.add(teams.map((team) => job('apply', team)));
      await settled(patience);
      await before.store.note({ who: 'ana', act: 'lost', target: '', outcome: 'done', words: '' });
      const { digest: later } = await before.store.verifyAudit();
      workers.forEach((worker) => worker.kill('SIGKILL'));
      workers.length = 0;
      await Promise.all([before.close(), queue.close()]);
      const to = await emptyDatabase(from);
      await restored(to, backup);
      program.env = { ...program.env, SYNC_STATE_URL: to };
      queue = await openQueue(to, realWorld);
      const after = await consoleStore(to);
      start();
      await queue.add(teams.map((team) => job('apply', team)));
      await settled(patience);
      const made = await existing();
      expect(made, said).toEqual(teams.flatMap((team) => names(team, count)).sort());
      for (const team of teams) {
        const { code, err } = await program.run('adopt', '--yes', '--cwd', `teams/${team}`);
        expect([code, err]).toEqual([0, expect.anything()]);
      }
      // What a check had found before is so until another finds it gone.
      await queue.add(teams.flatMap((team) => [job('plan', team), job('check', team)]));
      await settled(patience);
      expect([...(await queue.standings()).values()].map(({ state }) => state)).toEqual(teams.map(() => 'clean'));
      expect(await existing()).toEqual(made);
      expect(await after.store.session(secret)).toEqual(person);
      expect(await after.store.verifyAudit(digest)).toEqual({
        rows: expect.any(Number),
        digest,
        at: expect.any(Number),
      });
      expect((await after.store.verifyAudit(later)).at).toBeUndefined();
      await after.close();
    },
  );
});

interface OpenedStore {
  readonly store: ConsoleStore;
  close(): Promise<void>;
}

async function consoleStore(url: string): Promise<OpenedStore> {
  const database = openPostgres(url, realTiming);
  await migrate(database);
  const store = await ConsoleStore.open(database, await onDatabase(url, schemaOf), realWorld);
  return { store, close: () => database.close() };
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ readonly name: string }>('select current_schema() as name');
  return rows[0]?.name ?? '';
}

/** Another database, with nothing in it. */
async function emptyDatabase(url: string): Promise<string> {
  await onDatabase(url, (client) => client.query('create database restored'));
  const address = new URL(url);
  address.pathname = '/restored';
  return address.href;
}

/** Runs the line of the console's guide that begins so, as it stands there. */
function guideLine(command: 'pg_dump' | 'pg_restore', addresses: Readonly<Record<string, string>>): void {
  const guide = readFileSync(new URL('../../docs/guides/console.md', import.meta.url), 'utf8');
  const line = guide.split('\n').find((each) => each.startsWith(`${command} `)) ?? 'false';
  // The library of PostgreSQL takes a plus for one.
  const plain = Object.entries(addresses).map(([name, url]) => [name, url.replaceAll('+', '%20')] as const);
  const path = `${installedPrograms ?? ''}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, ...Object.fromEntries(plain), PATH: path };
  execFileSync('sh', ['-c', line], { cwd: program.folder, env });
}

/**
 * All rows of all tables but the jobs, of one moment: by the guide's own line where SYNC_TEST_POSTGRES_BIN names programs of a server, else
 * as that takes them.
 */
async function backedUp(url: string): Promise<ReadonlyMap<string, string> | undefined> {
  if (installedPrograms !== undefined) return void guideLine('pg_dump', { SYNC_STATE_URL: url });
  return onDatabase(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const name = await schemaOf(client);
    const { rows } = await client.query<{ readonly table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = any($1)`,
      [[name, `${name}_fleet`, `${name}_console`]],
    );
    const found = new Map<string, string>();
    for (const { table } of rows) {
      const all = await client.query<{ readonly text: string }>(
        `select coalesce(json_agg(t), '[]')::text as text from ${table} t`,
      );
      found.set(table, all.rows[0]?.text ?? '[]');
    }
    return found;
  });
}

/** By the guide's own line, or into tables that the programs have made. */
async function restored(url: string, backup: Awaited<ReturnType<typeof backedUp>>): Promise<void> {
  if (backup === undefined) return guideLine('pg_restore', { NEW_STATE_URL: url });
  const name = new URL(url).searchParams.get('options')?.replace('-c search_path=', '') ?? '';
  await onDatabase(url, (client) => client.query(`create schema ${name}`));
  await (await openQueue(url, realWorld)).close();
  await (await consoleStore(url)).close();
  return onDatabase(url, async (client) => {
    await client.query('set session_replication_role = replica');
    for (const [table, text] of backup) {
      await client.query(`delete from ${table}`);
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [text]);
    }
  });
}
