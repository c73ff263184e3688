import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job, JobQueue } from '@platform-sync/core/model/fleet';
import type { SpawnOptions } from '@platform-sync/core/model/spawn';
import type { Share } from '@platform-sync/core/model/spawn-limits';
import { realWorld } from '@platform-sync/core/model/world';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { providerPackages } from '@platform-sync/sdk/registry';
import { fakeProgram } from '../cli/fake-host.js';
import { builtProgram } from '../harness/built.js';
import { startPostgres, type PostgresServer } from './server.js';

/** A worker's checkout, and a repository that holds what others propose. */
let sandbox: RunningSandbox;
let server: PostgresServer;
let folder: string;
let env: Readonly<Record<string, string>>;
let built: string;
/** What programs were given. */
const given: SpawnOptions[] = [];
type Limits = NonNullable<SpawnOptions['limits']>;
/** For the next programs, in place of the limits that a worker sets. */
const limits: (Partial<Omit<Limits, 'share'>> & {
  readonly share?: Partial<Omit<Share, 'written'>> & { readonly written?: Partial<Share['written']> };
})[] = [];
/** Of each job: its commit, how many steps it planned, and who wrote them. */
const notes: unknown[] = [];

beforeAll(async () => {
  [sandbox, server, built] = await Promise.all([
    startSandbox({ quiet: true, empty: true }),
    startPostgres(),
    builtProgram(),
  ]);
  folder = await mkdtemp(join(tmpdir(), 'sync-proposed-'));
  env = {
    ...{ ONE_TOKEN: 'token-of-one', TWO_TOKEN: 'token-of-two', PATH: process.env['PATH'] ?? '' },
    ...{ PLATFORM_SERVER_URL: sandbox.url, SYNC_STATE_URL: await server.createDatabase() },
  };
  await mkdir(join(folder, 'elsewhere'));
  git('elsewhere', 'init', '--quiet', '--initial-branch=main');
  await write('elsewhere/fleet.yaml', "projects: ['teams/*']\n");
  for (const team of ['one', 'two']) {
    const token = `providers: { platform: { systemAccountAccessToken: !env ${team.toUpperCase()}_TOKEN } }`;
    const state = 'state: { backend: postgres, url: !env SYNC_STATE_URL, requestsPerMinute: 6000 }';
    await write(
      `elsewhere/teams/${team}/sync.yaml`,
      `project: ${team}\n${token}\n${state}\ntiming: { settleSeconds: 0 }\n`,
    );
    await write(`elsewhere/teams/${team}/catalogue/a.yaml`, `resources: { ${team}: { type: platform:Api } }\n`);
  }
  commit('as it is');
  git('.', 'clone', '--quiet', 'elsewhere', 'worker');
});
afterAll(async () => {
  await Promise.all([sandbox.close(), server.stop()]);
  await rm(folder, { recursive: true, force: true });
});

function git(place: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...args], { cwd: join(folder, place), encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(message: string): string {
  git('elsewhere', 'add', '--all');
  git('elsewhere', 'commit', '--quiet', '-m', message);
  return git('elsewhere', 'rev-parse', 'HEAD');
}

async function write(name: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), text);
}

/** What a worker prints of jobs. */
/** What goes on while a worker waits for something; it waits no longer than that. */
let meanwhile = async (): Promise<void> => undefined;

function worked(...jobs: readonly Job[]): Promise<string> {
  return workedBy(async ({ run, stop }) => {
    for (const job of jobs) await run(job, stop);
  });
}

function workedTogether(...jobs: readonly Job[]): Promise<string> {
  return workedBy(async ({ run, stop }) => void (await Promise.all(jobs.map((job) => run(job, stop)))));
}

async function workedBy(work: JobQueue['work']): Promise<string> {
  const queue: JobQueue = {
    work,
    add: async () => undefined,
    tell: async () => undefined,
    standings: async () => new Map(),
    list: async () => [],
    note: async ({ commit: of = '' }, { plan, authors = [] }) => void notes.push([of, plan?.steps.length, ...authors]),
    close: async () => undefined,
  };
  const spawn: typeof realWorld.spawn = (program, args, options) => {
    if (program !== process.execPath || options.limits === undefined) return realWorld.spawn(program, args, options);
    given.push(options);
    const { share } = options.limits;
    if (share === undefined) throw new Error('It has no share.');
    const { share: less, ...more } = limits.shift() ?? {};
    const own = { ...share, ...less, written: { ...share.written, ...less?.written } };
    return realWorld.spawn(program, args, { ...options, limits: { ...options.limits, ...more, share: own } });
  };
  let passedMs = 0;
  const sleep: typeof realWorld.sleep = async (ms) => {
    passedMs += ms;
    await meanwhile();
  };
  const steady = (): number => realWorld.steady() + passedMs;
  const { run } = fakeProgram({
    host: {
      ...{ cwd: join(folder, 'worker'), env, openProject, packages: async () => providerPackages },
      ...{ world: { ...realWorld, spawn, sleep, steady }, program: [process.execPath, built] },
      fleetPackage: async () => ({
        openQueue: async () => queue,
        openConsole: () => Promise.reject(new Error('none')),
      }),
    },
  });
  const { out } = await run('fleet', 'work', '--out', join(folder, 'out'));
  return out.replaceAll(/ \([\d.]+ s\)/g, '').replace(/^.*\n/, '');
}

it('plans the very commit that a job names, and leaves nothing behind but the reports', async () => {
  const stack = { project: 'one', stack: 'default' } as const;
  expect(await worked({ kind: 'apply', ...stack })).toBe('apply one/default clean\n');
  await write('elsewhere/teams/one/catalogue/b.yaml', 'resources: { more: { type: platform:Api } }\n');
  const proposed = commit('one more');
  git('elsewhere', 'rm', '--quiet', 'teams/one/catalogue/b.yaml');
  commit('none more');
  const unknown = '0'.repeat(39) + '1';
  const out = await worked(
    { kind: 'plan', ...stack, commit: proposed },
    { kind: 'plan', ...stack },
    { kind: 'plan', ...stack, commit: unknown },
    { kind: 'plan', project: 'two', stack: 'default', commit: proposed },
  );
  expect(out.split('\n')).toEqual([
    `plan one/default at ${proposed.slice(0, 12)} waiting: 1 step to apply`,
    'plan one/default clean',
    `plan one/default at ${unknown.slice(0, 12)} failed: Commit ${unknown.slice(0, 12)} is not here, and can't be fetched from origin.`,
    `plan two/default at ${proposed.slice(0, 12)} clean: the proposal does not touch it`,
    '',
  ]);
  expect(notes.slice(1)).toEqual([
    [proposed, 1, 'a@example.com', 'a'],
    ['', 0, 'a@example.com', 'a'],
    [unknown, undefined],
    [proposed, undefined],
  ]);
  expect(await readdir(join(folder, 'out/proposals', proposed, 'teams/one/default'))).toContain('plan.html');
  // The worker's own repository knows nothing of it.
  expect(() => git('worker', 'cat-file', '-e', proposed)).toThrow();
  expect(git('worker', 'status', '--porcelain')).toBe('');
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('sync-proposal-'))).toEqual([]);
});

it('gives it what the reviewed files of the stack read, no token of another stack, and no way to the database', () => {
  const [{ env: own = {}, isApart } = { env: {} }] = given;
  expect(isApart).toBe(true);
  expect(own['ONE_TOKEN']).toBe('token-of-one');
  const all = JSON.stringify(own);
  expect(all).not.toContain('token-of-two');
  expect(own).toMatchObject({ SYNC_STATE_URL: 'postgres://127.0.0.1/asked', SYNC_ASKS_STARTER: 'state, rate' });
  expect(all).not.toContain(new URL(env['SYNC_STATE_URL'] ?? '').password);
});

/** An alias in an alias in an alias: a billion words. */
const bomb = Array.from(
  { length: 10 },
  (_, at) => `  v${at}: &a${at} [${Array.from({ length: 10 }, () => (at === 0 ? 'x' : `*a${at - 1}`)).join(', ')}]\n`,
);

it('names the limit that a proposal broke, leaves nothing of it, and goes on', async () => {
  const stack = { project: 'one', stack: 'default' } as const;
  await write('elsewhere/teams/one/catalogue/bomb.yaml', `variables:\n${bomb.join('')}`);
  const proposed = commit('a bomb');
  // Less than any plan takes, and more than any plan takes.
  limits.push({ share: { megabytes: 30 } }, { share: { written: { files: 1 } } }, { characters: 20 }, {});
  const jobs = limits.map(() => ({ kind: 'plan', ...stack, commit: proposed }) as const);
  const out = (await workedTogether(...jobs)).trim().split('\n');
  const begin = `plan one/default at ${proposed.slice(0, 12)} failed: `;
  expect(out.map((line) => line.replace(begin, '')).sort()).toEqual([
    'Aliases multiply to over a million values.',
    'The plan of the proposal printed too much.',
    'The plan of the proposal took too much memory.',
    'The plan of the proposal wrote too much.',
  ]);
  expect(await worked({ kind: 'plan', ...stack })).toBe('plan one/default clean\n');
  expect((await readdir(tmpdir())).filter((name) => name.startsWith('sync-proposal-'))).toEqual([]);
});

it('applies the commit that a pipeline saw and no other, and waits for the checkout to come there', async () => {
  const stack = { project: 'one', stack: 'default' } as const;
  const here = git('worker', 'rev-parse', 'HEAD');
  await write('elsewhere/teams/one/catalogue/bomb.yaml', 'resources: { later: { type: platform:Api } }\n');
  const next = commit('what comes next');
  const applied = async (head: string): Promise<string | undefined> =>
    (await worked({ kind: 'apply', ...stack, head })).split('\n').find((line) => !line.includes('tried again'));
  const [was, is] = [here, next].map((id) => id.slice(0, 12));
  expect(await applied(here)).toBe('apply one/default clean');
  const begin = `apply one/default failed: The apply is of commit`;
  expect(await applied(next)).toBe(`${begin} ${is}, and the worker's checkout is at commit ${was}.`);
  for (const [file, text] of [
    ['own.yaml', ''],
    ['a.yaml', 'resources: {}\n'],
  ] as const) {
    await write(`worker/teams/one/catalogue/${file}`, text);
    const own = `has changes of its own: teams/one/catalogue/${file}`;
    expect(await applied(here)).toBe(`${begin} ${was}, and the worker's checkout ${own}.`);
    git('worker', 'clean', '--force', '--quiet');
    git('worker', 'checkout', '--quiet', '.');
  }
  meanwhile = async () => void git('worker', 'pull', '--quiet');
  expect(await applied(next)).toBe('apply one/default clean');
  expect(await applied(here)).toBe(`${begin} ${was}, and the worker's checkout is at commit ${is}.`);
});
