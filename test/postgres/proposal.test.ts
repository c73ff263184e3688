import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Job, JobQueue, RequestAnswer, RequestNews } from '@platform-sync/core/model/fleet';
import type { SpawnOptions } from '@platform-sync/core/model/spawn';
import type { Share } from '@platform-sync/core/model/spawn-limits';
import { realWorld } from '@platform-sync/core/model/world';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { providerPackages } from '@platform-sync/sdk/registry';
import { type FakePlatform, fakeGithub, fakeGitlab, token } from '../review/fake-platforms.js';
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
/** What requests are told of jobs. */
const answers: RequestAnswer[] = [];

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
  // Others on this machine leave theirs in the folder that all share.
  await mkdir(join(folder, 'tmp'));
  vi.stubEnv('TMPDIR', join(folder, 'tmp'));
  git('elsewhere', 'init', '--quiet', '--initial-branch=main');
  const login = '{ issuer: https://login.acme.example, client: sync }';
  const console_ = `console: { url: https://sync.acme.example, login: ${login}, roles: [] }`;
  await write('elsewhere/fleet.yaml', `name: acme\nprojects: ['teams/*']\n${console_}\n`);
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
  vi.unstubAllEnvs();
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

/** What goes on while a worker waits for something; it waits no longer than that. */
let meanwhile = async (): Promise<void> => undefined;

/** What a worker prints of jobs. */
function worked(...jobs: readonly Job[]): Promise<string> {
  return working(async ({ run, stop }) => {
    for (const job of jobs) await run(job, stop);
  });
}

function workedTogether(...jobs: readonly Job[]): Promise<string> {
  return working(async ({ run, stop }) => void (await Promise.all(jobs.map((job) => run(job, stop)))));
}

async function working(work: JobQueue['work'], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const queue: JobQueue = {
    work,
    add: async () => undefined,
    tell: async () => undefined,
    standings: async () => new Map(),
    list: async () => [],
    note: async ({ commit: of = '', project, stack }, { plan, authors = [], ...told }) => {
      notes.push([of, plan?.steps.length, ...authors]);
      answers.push({ project, stack, ...told });
    },
    close: async () => undefined,
  };
  const spawn: typeof realWorld.spawn = (program, args, options) => {
    if (program !== process.execPath || options.limits === undefined) return realWorld.spawn(program, args, options);
    given.push(options);
    const { share } = options.limits;
    if (share === undefined) throw new Error('It has no share.');
    const { share: less, ...more } = limits.shift() ?? {};
    const own = { ...share, ...less, written: { ...share.written, ...less?.written } };
    // Only what goes on is looked at while it has its memory.
    const line = less?.megabytes === undefined ? args : ['--eval', 'setInterval(() => undefined, 1000)'];
    return realWorld.spawn(program, line, { ...options, limits: { ...options.limits, ...more, share: own } });
  };
  let passedMs = 0;
  const sleep: typeof realWorld.sleep = async (ms) => {
    passedMs += ms;
    await meanwhile();
  };
  const steady = (): number => realWorld.steady() + passedMs;
  const { run } = fakeProgram({
    host: {
      ...{ cwd: join(folder, 'worker'), env: { ...env, ...more }, openProject, packages: async () => providerPackages },
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
  const from = { platform: 'github', project: 'acme/shop', at: '2030-01-01T00:00:00.000Z' } as const;
  const out = await worked(
    { kind: 'plan', ...stack, commit: proposed, request: '5', from },
    { kind: 'plan', ...stack },
    { kind: 'plan', ...stack, commit: unknown, request: '5', from },
    { kind: 'plan', project: 'two', stack: 'default', commit: proposed, request: '5', from },
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

/** What the forge has when a worker has told a request this. */
async function told(platform: FakePlatform, ...all: readonly Partial<RequestNews>[]): Promise<string> {
  const { apiUrl } = platform.request;
  const env = { GITHUB_TOKEN: token, GITLAB_TOKEN: token, GITHUB_API_URL: apiUrl, CI_API_V4_URL: apiUrl };
  const of = { platform: platform.request.platform, project: platform.request.project, number: 5, answers: [] };
  return working(async ({ tellRequest }) => {
    for (const news of all)
      results.push(await tellRequest?.({ ...of, commit: first, newest: first, state: 'done', ...news }));
  }, env);
}
const first = 'a'.repeat(40);
const next = 'b'.repeat(40);
let results: unknown[] = [];

it.each([
  ['github', fakeGithub, ['pending', 'failure', 'success', 'success', 'error']],
  ['gitlab', fakeGitlab, ['pending', 'failed', 'success', 'success', 'canceled']],
] as const)('tells a request by one status and one comment: %s', async (_name, start, states) => {
  const platform = await start();
  try {
    platform.head = first;
    results = [];
    const [, good, , bad, silent] = answers;
    if (good === undefined || bad === undefined || silent === undefined) throw new Error('nothing was planned');
    const [pending, failure, success, neutral, superseded] = states;
    await told(platform, { state: 'waiting' }, { answers: [good, bad, silent] });
    const page = 'https://sync.acme.example/';
    expect(platform.statuses).toEqual([
      `aaaaaaa ${pending} platform-sync/acme: Its plans are made soon ${page}`,
      `aaaaaaa ${failure} platform-sync/acme: 1 stack: one/default failed ${page}`,
    ]);
    const [comment] = platform.comments;
    expect(platform.comments).toHaveLength(1);
    expect(comment?.body).toContain('is not here, and can');
    // Told once more, nothing new is written; alone, it leads to its plan.
    platform.head = next;
    await told(platform, { commit: next, newest: next, answers: [good, silent] }, { commit: next, answers: [silent] });
    await told(platform, { state: 'superseded', newest: next });
    expect(platform.statuses.slice(2)).toEqual([
      expect.stringMatching(
        `^bbbbbbb ${success} platform-sync/acme: 1 stack: one/default waiting ${page}stacks/one/default/plans/[0-9a-f]{64}$`,
      ),
      ...(platform.request.platform === 'github'
        ? [`bbbbbbb ${neutral} platform-sync/acme: It touches no stack ${page}`]
        : []),
      `aaaaaaa ${superseded} platform-sync/acme: Superseded by bbbbbbbbbbbb ${page}`,
    ]);
    expect(platform.comments.map(({ id }) => id)).toEqual([comment?.id]);
    expect(platform.comments[0]?.body).toContain('platform:Api');
    expect(results).toEqual([true, true, true, true, true]);
    // Who is away is told later; whom nobody may tell, never.
    platform.api.faults.push({ match: /statuses/, answer: { status: 403, body: { message: 'no' } } });
    await told(platform, { commit: next, newest: next });
    expect(results.at(-1)).toBe(false);
  } finally {
    await platform.api.close();
  }
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
