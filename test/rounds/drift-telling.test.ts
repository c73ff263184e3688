import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import { pipelineOf } from '@platform-sync/review/pipeline';
import { startReceiver, type Receiver } from '../notify/receiver.js';
import { driftResult, finding } from '../report/drift-builder.js';
import { fakeGithubIssues, fakeGitlabIssues, type FakeTracker } from '../review/fake-issues.js';
import { token } from '../review/fake-platforms.js';
import { fakeProgram, type FakeOptions, type Recorder } from '../cli/fake-host.js';

const error = { severity: 'error', code: 'unset-variable', summary: 'NAME is not set.' } as const;
const found = driftResult({ status: 'drift', findings: [finding()] });
const broken = new StateStoreError('unreachable', 'the database db does not answer', 'Check the network.');

let tracker: FakeTracker;
let receiver: Receiver;
beforeEach(async () => {
  [tracker, receiver] = await Promise.all([fakeGithubIssues(), startReceiver()]);
});
afterEach(() => Promise.all([tracker.api.close(), receiver.close()]));

const github = (more: Record<string, string> = {}): Record<string, string> => ({
  ...{ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: tracker.api.url, GITHUB_TOKEN: token },
  ...more,
});
const program = (result: DriftResult | Error, env: Record<string, string>, more: FakeOptions = {}): Recorder => {
  const drift = async (): Promise<DriftResult> => {
    if (result instanceof Error) throw result;
    return result;
  };
  return fakeProgram({ project: { drift }, ...more, host: { env, ...more.host } });
};

describe('sync drift --issue on github', () => {
  it('opens, leaves alone, edits and closes the one issue, and says so beside the report', async () => {
    const url = 'https://review.example.com/acme/shop/issues/1';
    const later = driftResult({ checkedAt: '2030-05-02T05:00:00.000Z' });
    const changed = driftResult({ ...found, findings: [finding(), finding({ id: '2222222222', field: 'name' })] });
    const rounds: readonly (readonly [DriftResult, number, string])[] = [
      [found, 2, `Opened an issue: ${url}.`],
      [found, 2, `The issue says so already: ${url}.`],
      [changed, 2, `Edited the issue: ${url}.`],
      [later, 0, `Closed the issue: ${url}.`],
      [later, 0, 'There is no issue to close.'],
      [found, 2, `Left the issue alone: a newer check has written it: ${url}.`],
    ];
    for (const [result, code, sentence] of rounds) {
      const ran = await program(result, github()).run('drift', '--issue', '--format', 'json');
      expect([ran.code, ran.err]).toEqual([code, `${sentence}\n`]);
      expect(JSON.parse(ran.out)).toEqual({ ...result, pipeline: pipelineOf(github()) });
    }
    const [issue] = tracker.issues;
    expect(issue).toMatchObject({ title: 'Drift: payments, stack default', state: 'closed' });
    expect(issue?.comments).toEqual(['No drift among 12 objects. Checked 2030-05-02 05:00 UTC.']);
  });

  it('has a text for readers of the issue: findings and what to do, nothing that is old at the next check', async () => {
    await program(found, github()).run('drift', '--issue');
    const body = tracker.issues[0]?.body ?? '';
    for (const part of [
      '`petstore.description`',
      'sync drift revert',
      'notes belong into comments',
      '2030-05-01 03:00',
    ])
      expect(body).toContain(part);
    expect(body).not.toMatch(/\*\*new\*\*|everything compared last/);
  });

  it('always fits, also what was found before below the problems of a check that failed', async () => {
    const many = (length: number): DriftResult['findings'] =>
      Array.from({ length }, (_, at) => finding({ address: `api-${at}`, old: 'x'.repeat(400), new: '@a '.repeat(99) }));
    await program({ ...found, findings: many(3000) }, github()).run('drift', '--issue');
    const problems = Array.from({ length: 300 }, () => ({ ...error, summary: `${error.summary} ${'x'.repeat(300)}` }));
    const failed = driftResult({ ...found, status: 'failed', findings: [], diagnostics: problems });
    expect((await program(failed, github()).run('drift', '--issue')).err).toContain('Edited the issue');
    const [issue] = tracker.issues;
    expect(issue?.body?.length).toBeLessThanOrEqual(65_536);
    expect(issue?.body).toMatch(/NAME[^]*What the last check before that found[^]*api-0/);
  });

  it('writes the text to a file and the job summary where the token can only read, and is content', async () => {
    const { folder, run } = program(driftResult(), github({ GITHUB_ACTOR: 'dependabot[bot]' }));
    tracker.api.faults.push({ match: /^GET /, answer: { status: 403, body: { message: 'no' } }, times: 9 });
    const { code, err } = await run('drift', '--issue');
    expect(code).toBe(0);
    expect(err).toContain('review-read-only');
    expect(err).toContain('The Markdown is in drift.md.');
    expect(readFileSync(join(folder, 'drift.md'), 'utf8')).toContain('No drift among 12 objects');

    const summary = join(folder, 'summary.md');
    writeFileSync(summary, 'Before.\n');
    const env = github({ GITHUB_ACTOR: 'dependabot[bot]', GITHUB_TOKEN: '', GITHUB_STEP_SUMMARY: summary });
    expect((await program(found, env).run('drift', '--issue')).code).toBe(2);
    expect(readFileSync(summary, 'utf8')).toMatch(/^Before\.\n[^]*petstore/);
  });

  it('writes no second file where there is a folder of reports', async () => {
    const { folder, run } = program(found, github({ GITHUB_TOKEN: '' }));
    const { code, err } = await run('drift', '--issue', '--report-dir', 'out/');
    expect([code, existsSync(join(folder, 'drift.md'))]).toEqual([1, false]);
    expect(err).toContain('The Markdown is in out/drift.md.');
    expect(readFileSync(join(folder, 'out/drift.md'), 'utf8')).toContain('petstore');
  });

  it.each([
    ['clean', driftResult(), ['--issue'], 1],
    ['drift that is let pass', found, ['--issue', '--exit-zero'], 1],
    ['drift', found, ['--issue'], 1],
  ] as const)(
    'fails when the issue cannot be kept, so that nobody waits for it: %s',
    async (_w, result, argv, code) => {
      tracker.api.faults.push({ match: /^GET /, answer: { status: 401, body: { message: `bad ${token}` } }, times: 9 });
      const ran = await program(result, github()).run('drift', ...argv);
      expect([ran.code, ran.out.includes('among 12 objects')]).toEqual([code, true]);
      expect(ran.err).toContain('review-unauthenticated');
      expect(ran.out + ran.err).not.toContain(token);
    },
  );

  it('tells two projects of a repository apart, also while sync.yaml cannot be read', async () => {
    const { folder, run } = fakeProgram({ openDiagnostics: [error], host: { env: github() } });
    const env = github({ GITHUB_WORKSPACE: folder });
    for (const name of ['a', 'b']) mkdirSync(join(folder, name));
    const inFolder = (cwd: string, host: FakeOptions): Promise<{ err: string }> =>
      fakeProgram({ ...host, host: { env, cwd: join(folder, cwd) } }).run('drift', '--issue');
    expect((await run('drift', '--issue')).err).toContain('Opened an issue');
    expect((await inFolder('a', { openDiagnostics: [error] })).err).toContain('Opened an issue');
    expect((await inFolder('b', {})).err).toContain('There is no issue to close');
    const fine = driftResult({ checkedAt: new Date(Date.now() + 1000).toISOString() });
    expect((await inFolder('a', { project: { drift: async () => fine } })).err).toContain('Closed the issue');
    expect(tracker.issues.map(({ state }) => state)).toEqual(['open', 'closed']);
  });
});

describe('sync drift --issue elsewhere', () => {
  it('keeps an issue on gitlab', async () => {
    const gitlab = await fakeGitlabIssues();
    const env = { GITLAB_CI: 'true', CI_PROJECT_ID: '12', CI_API_V4_URL: gitlab.project.apiUrl, GITLAB_TOKEN: token };
    const { run } = program(found, env);
    expect((await run('drift', '--issue')).err).toContain('Opened an issue');
    expect((await run('drift', '--issue')).err).toContain('says so already');
    expect(gitlab.issues).toMatchObject([{ state: 'open', title: 'Drift: payments, stack default' }]);
    await gitlab.api.close();
  });

  it.each([[['--issue']], [['--platform', 'github']], [['--issue', '--platform', 'bitbucket']]])(
    'refuses %j where nothing tells which project, before it reads anything',
    async (argv) => {
      const { run, opened } = program(found, {});
      expect((await run('drift', ...argv)).code).toBe(64);
      expect(opened).toEqual([]);
    },
  );

  it('says which variable is missing', async () => {
    const { run } = program(found, {});
    const { code, err } = await run('drift', '--issue', '--platform', 'gitlab');
    expect(code).toBe(1);
    expect(err).toContain('issue-no-project');
    expect(err).toContain('CI_PROJECT_ID');
  });
});

describe('a check that fails', () => {
  const { lastSuccess: _none, ...blind } = driftResult({ status: 'failed', targets: {}, diagnostics: [error] });
  const cases: readonly (readonly [string, () => Parameters<typeof fakeProgram>[0]])[] = [
    ['by its own account', () => ({ project: { drift: async () => blind } })],
    ['because the state cannot be read', () => ({ project: { drift: () => Promise.reject(broken) } })],
    ['because of a bug', () => ({ project: { drift: () => Promise.reject(new Error('oops')) } })],
    ['because the project cannot be opened', () => ({ openDiagnostics: [error] })],
    ['because opening it breaks down', () => ({ host: { openProject: () => Promise.reject(broken) } })],
  ];

  it.each(cases)('%s is told to everybody', async (_name, options) => {
    const env = github({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: receiver.url });
    const given = options() ?? {};
    const { run, folder } = fakeProgram({ ...given, host: { ...given.host, env } });
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/drift.prom'), 'sync_last_success_timestamp_seconds 1\n');
    const { code } = await run('drift', '--issue', '--report-dir', 'out', '--webhook', receiver.url);
    expect(code).toBe(1);
    expect(receiver.posts.map(({ body }) => Object.keys(body as object)[0]).sort()).toEqual([
      'formatVersion',
      'resourceMetrics',
    ]);
    expect(tracker.issues).toMatchObject([{ state: 'open' }]);
    expect(tracker.issues[0]?.body).toContain('The check could not be made');
    const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');
    expect(JSON.parse(read('drift.json'))).toMatchObject({ status: 'failed' });
    for (const name of ['drift.md', 'drift.html']) expect(read(name)).toContain('The check could not be made');
    expect(read('drift.prom')).toBe('sync_last_success_timestamp_seconds 1\n');
  });

  it('does not move the time of the last success', async () => {
    const result = { ...blind, lastSuccess: '2030-05-01T03:00:00.000Z' };
    const { run, folder } = program(result, {});
    await run('drift', '--metrics', 'sync.prom');
    expect(readFileSync(join(folder, 'sync.prom'), 'utf8')).toMatch(/^sync_last_success.*} 1903834800$/m);
  });

  it('only when it is closed was made all the same, and is told', async () => {
    const { run } = program(found, {}, { project: { drift: async () => found, close: () => Promise.reject(broken) } });
    const { code, out } = await run('drift', '--format', 'json', '--webhook', receiver.url);
    expect([code, JSON.parse(out)]).toEqual([1, found]);
    expect(receiver.posts).toHaveLength(1);
  });
});

describe('the trouble of one', () => {
  it('keeps no other from hearing', async () => {
    const env = github({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' });
    const { run, folder } = program(found, env);
    writeFileSync(join(folder, 'taken'), '');
    const argv = ['--report-dir', 'taken/x', '--metrics', 'sync.prom', '--webhook', receiver.url];
    const { code, out, err } = await run('drift', '--issue', ...argv);
    expect(code).toBe(1);
    expect(out).toContain('Drift: 1 finding');
    expect(err).toContain('report-unwritable');
    expect([receiver.posts.length, tracker.issues.length, existsSync(join(folder, 'sync.prom'))]).toEqual([1, 1, true]);
  });
});

describe('sync drift and a collector of metrics', () => {
  it.each([
    ['the variable', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: true }, []],
    ['the flag', {}, ['--otlp']],
  ])('sends them when %s names it', async (_name, env, argv) => {
    const named = Object.fromEntries(Object.keys(env).map((name) => [name, receiver.url]));
    const { run } = program(found, { ...named, OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary' });
    const { code, out, err } = await run('drift', ...argv.flatMap((flag) => [flag, receiver.url]));
    expect([code, err]).toEqual([2, '']);
    expect(receiver.posts[0]?.body).toHaveProperty('resourceMetrics');
    expect(receiver.posts[0]?.headers['api-key']).toBe('canary');
    expect(out + err).not.toContain('canary');
  });

  it.each([
    ['otlp-failed', 404, (url: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url })],
    ['otlp-unusable', 200, () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense canary' })],
  ])('warns of %s, and the code is the check’s own', async (named, status, env) => {
    receiver.answer(status);
    const { run } = program(found, { ...env(receiver.url), OTEL_EXPORTER_OTLP_HEADERS: 'api-key=canary' });
    const { code, out, err } = await run('drift');
    expect(code).toBe(2);
    expect(err).toContain(named);
    expect(out + err).not.toContain('canary');
  });

  it.each(['nonsense', 'ftp://example.com', '127.0.0.1:4318', ''])('refuses the address %j', async (url) => {
    const { run, opened } = program(found, {});
    expect((await run('drift', '--otlp', url)).code).toBe(64);
    expect(opened).toEqual([]);
  });

  it('sends none unasked', async () => {
    const { run } = program(found, { OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_TIMEOUT: '1' });
    expect((await run('drift')).err).toBe('');
    expect(receiver.posts).toEqual([]);
  });
});
