import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DriftVerb } from '@platform-sync/core/model/drift';
import type { Job, JobFound, JobQueue, Settlement, Work } from '@platform-sync/core/model/fleet';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import { defined } from '@platform-sync/core/model/value';
import { openProject } from '@platform-sync/engine/engine';
import { startSandbox, type RunningSandbox } from '@platform-sync/sandbox/server';
import { providerPackages } from '@platform-sync/sdk/registry';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { fakeGithubEdits } from '../review/fake-edits.js';
import { fakeGithubIssues } from '../review/fake-issues.js';
import { token } from '../review/fake-platforms.js';
import { fakeProgram } from '../cli/fake-host.js';

/** A worker whose queue is the test itself: states lie in memory, as if one database kept them. */
let sandbox: RunningSandbox;
let folder: string;
/** So many plans can read nothing, and so many not all. */
let unread = 0;
let partly = 0;
const moving = { severity: 'error', code: 'moving-list', summary: 'The list moves.' } as const;
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
  line: readonly string[] = ['fleet', 'work'],
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const queue: JobQueue = {
    work: give,
    add: async () => undefined,
    tell: async () => undefined,
    standings: async () => new Map(),
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
      env: {
        PLATFORM_TOKEN: 'x',
        PLATFORM_SERVER_URL: sandbox.url,
        SYNC_STATE_URL: 'postgres://127.0.0.1:1/none',
        ...more,
      },
      openProject: async (options) => {
        const opened = await openProject({
          ...options,
          openState: async ({ project, stack }) => {
            const known = databases.get(project) ?? new MemoryDatabase();
            databases.set(project, known);
            return memoryStateStore(project, stack, known);
          },
        });
        const { project } = opened;
        if (project === undefined) return opened;
        const plan: typeof project.plan = async (how) => {
          const made = await project.plan(how);
          partly -= 1;
          if (partly >= 0 && made.plan !== undefined)
            Object.assign(made.plan, { notCompared: [{ type: 'platform:Api', diagnostic: moving }] });
          if (partly >= 0) return made;
          if (unread === 0) return made;
          unread -= 1;
          return { diagnostics: [{ severity: 'error', code: 'nothing-read', summary: 'The list keeps changing.' }] };
        };
        return { ...opened, project: { ...project, plan } };
      },
    },
  });
  return run(...line);
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

it("asks for an apply in the name of whoever asks, and for what changes nothing in nobody's", async () => {
  const asked: Job[] = [];
  const open = async (queue: JobQueue): Promise<JobQueue> => ({
    ...queue,
    add: async (jobs) => void asked.push(...jobs),
  });
  for (const kind of ['apply', 'plan'] as const)
    await worker(async () => undefined, open, ['fleet', 'queue', kind, '*']);
  expect(asked.map(({ kind, project, by }) => [kind, project, by?.replace(/^\S+@\S+$/, 'USER@HOST')])).toEqual([
    ...['one', 'two'].map((team) => ['apply', team, 'USER@HOST']),
    ...['one', 'two'].map((team) => ['plan', team, undefined]),
  ]);
});

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

it('keeps the one issue that a round of one process keeps, by what all workers have found', async () => {
  const tracker = await fakeGithubIssues();
  const { apiUrl } = tracker.project;
  const env = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: apiUrl, GITHUB_TOKEN: token };
  type Found = JobFound['found'];
  const after = (...found: readonly Found[]): ReturnType<typeof worker> =>
    worker(
      async ({ afterRound }) => afterRound?.run(),
      async (queue) => ({
        ...queue,
        standings: async () => new Map(found.map((one, at) => [`${at === 0 ? 'one' : 'two'}/default`, one])),
      }),
      ['fleet', 'work', '--issue'],
      env,
    );
  const clean: Found = { state: 'clean', cause: '' };
  const drift: Found = { state: 'drift', cause: 'Api.description → "by hand"' };
  try {
    await after(clean);
    expect(tracker.issues.map(({ state, body }) => [state, body?.includes('It was never checked.')])).toEqual([
      ['open', true],
    ]);
    await after(clean, drift);
    expect(tracker.issues.map(({ body }) => body?.includes('Api.description'))).toEqual([true]);
    await after(clean, clean);
    expect(tracker.issues.map(({ state }) => state)).toEqual(['closed']);
    // Of a clean fleet the forge is asked once.
    const before = tracker.api.calls.length;
    await after(clean, clean);
    expect(tracker.api.calls.length - before).toBeLessThanOrEqual(1);
    // A process that looks at all stacks itself keeps the same issue.
    await worker(async () => undefined, undefined, ['fleet', 'check', '--issue'], env);
    expect(tracker.issues.map(({ title }) => title)).toEqual(['Fleet acme']);
  } finally {
    await tracker.api.close();
  }
});

it('tries an apply again that could read nothing, or not all, because others were at the same lists', async () => {
  unread = 2;
  partly = 1;
  const { out } = await worker(async ({ run, stop }) => expect(await run(job('apply', 'two'), stop)).toBe(true));
  expect(
    out
      .replaceAll(/ \([\d.]+ s\)/g, '')
      .split('\n')
      .slice(1, -1),
  ).toEqual([
    'apply two/default is tried again: The list moves.',
    'apply two/default is tried again: The list keeps changing.',
    'apply two/default is tried again: The list keeps changing.',
    'apply two/default clean',
  ]);
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

it('names the variable that its database is missing', async () => {
  await write('unset/fleet.yaml', 'projects: [a]\n');
  await write('unset/a/sync.yaml', 'project: a\nstate: { backend: postgres, url: !env NOWHERE_SET }\n');
  for (const words of ['work', 'queue']) {
    const { code, err } = await worker(async () => undefined, undefined, ['fleet', words, '--cwd', 'unset']);
    expect([code, err]).toEqual([1, expect.stringContaining('The environment variable NOWHERE_SET is not set.')]);
  }
  const { out } = await worker(async () => undefined, undefined, ['fleet', 'status', '--cwd', 'unset']);
  expect(out).toContain('failed a/default: The environment variable NOWHERE_SET is not set.');
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

it('settles findings: edits are proposed or shown, reverts wait for approval, records are taken', async () => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      ...{ cwd: folder, encoding: 'utf8' },
    });
  git('init', '--quiet', '--initial-branch=main');
  await write(
    'teams/one/catalogue/a.yaml',
    'resources: { one: { type: platform:Api, properties: { description: A } } }\n',
  );
  git('add', '--all');
  git('commit', '--quiet', '-m', 'as it is');
  const forge = await fakeGithubEdits(git('rev-parse', 'HEAD').trim());
  const env = { GITHUB_TOKEN: token, GITHUB_API_URL: forge.api.url };
  const login = '{ issuer: https://login.acme.example, client: sync }';
  const settings = `console: { url: https://sync.acme.example, login: ${login}, roles: []`;
  const plain = "name: acme\nprojects: ['teams/*']\n";
  await write('fleet.yaml', `${plain}${settings}, repository: { github: https://github.com/acme/shop } }\n`);
  const changed = async (description: string): Promise<void> => {
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.url}/v3/apis?page[size]=9`, { headers });
    const { data } = (await answer.json()) as { readonly data: readonly { readonly id: string; name: string }[] };
    const id = data.find(({ name }) => name === 'one')?.id ?? '';
    const body = JSON.stringify({ description });
    await fetch(`${sandbox.url}/_sandbox/objects/apis/${id}`, { method: 'POST', headers, body });
  };
  const settle = (verb: DriftVerb, finding = 'one.description', more: Partial<Settlement> = {}): Job => ({
    ...{
      kind: 'settle',
      project: 'one',
      stack: 'default',
      by: 'ana@acme.example',
      authors: ['ana@acme.example', 'Ana'],
    },
    settlement: { verb, findings: [finding], ...more },
  });
  try {
    await worker(
      async ({ run, stop }) => {
        const done = async (job_: Job): Promise<JobFound> => {
          expect(await run(job_, stop)).toBe(true);
          return noted.at(-1) ?? { found: { state: 'failed', cause: '' } };
        };
        await done(job('apply', 'one'));
        await changed('changed `by` hand\n/merge');
        const accepted = await done(settle('accept'));
        expect(accepted.settled).toMatchObject({
          ...{ verb: 'accept', outcome: 'done', by: 'ana@acme.example', words: 'A request proposes the edit.' },
          url: 'https://review.example.com/acme/shop/pull/1',
        });
        expect(accepted.settled?.diff).toContain('+++ b/teams/one/catalogue/a.yaml');
        const reason = { reason: 'agreed @everybody, [see](https://evil.example)', until: '2030-01-31' };
        await done(settle('ignore', 'one.description', reason));
        expect((await done(settle('ignore', 'one.description', reason))).settled?.url).toMatch(/pull\/2$/);
        const [first, second] = forge.edits;
        expect(first?.title).toBe('Accept drift: one.description');
        expect(Object.keys(first?.files ?? {})).toEqual(['teams/one/catalogue/a.yaml']);
        expect(Object.keys(second?.files ?? {})).toEqual(['teams/one/sync.yaml']);
        expect(second?.body).toContain('until 2030-01-31. Why: agreed `@everybody, [see](https://evil.example)`');
        // Nothing of the worker's own checkout has changed.
        expect(git('status', '--porcelain', '--', 'teams')).toBe('');
        expect((await done(settle('accept', 'nothing'))).settled?.words).toContain('nothing that is called "nothing"');
        const { plan, settled, authors } = await done(settle('revert'));
        expect([settled?.outcome, settled?.effect, authors]).toEqual([
          ...['done', plan?.effectDigest],
          ['ana@acme.example', 'Ana'],
        ]);
        const { settlement } = settle('revert');
        await done({ ...job('apply', 'one'), effect: plan?.effectDigest ?? '', ...defined({ settlement }) });
        expect((await done(job('check', 'one'))).found.state).toBe('clean');
        await changed('once more');
        expect((await done(settle('record'))).settled?.words).toBe('1 finding taken into the record.');
      },
      undefined,
      ['fleet', 'work'],
      env,
    );
    // Without a forge, whoever asked gets the edit.
    await write('fleet.yaml', plain);
    await changed('and again');
    await worker(async ({ run, stop }) => void (await run(settle('accept'), stop)));
    expect(noted.at(-1)?.settled).toMatchObject({ words: 'fleet.yaml names no repository: apply the edit by hand.' });
    expect(noted.at(-1)?.settled?.diff).toContain('+resources');
  } finally {
    await forge.api.close();
  }
});
