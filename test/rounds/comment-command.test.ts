import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serializePlan, digestOf } from '@platform-sync/engine/plan/saved-plan';
import { defined } from '@platform-sync/core/model/value';
import type { Plan } from '@platform-sync/core/model/plan';
import { pipelineOf } from '@platform-sync/review/pipeline';
import { fakeProgram, type Recorder } from '../cli/fake-host.js';
import { driftResult } from '../report/drift-builder.js';
import { field, plan, step } from '../report/plan-builder.js';
import { fakeGithub, fakeGitlab, token, workflow, type FakePlatform } from '../review/fake-platforms.js';

const made = sealed(plan({ steps: [step({ address: 'petstore', action: 'delete', risks: [{ kind: 'deletes' }] })] }));

function sealed(raw: Plan): Plan {
  const { digest: _digest, meta, ...body } = raw;
  return { ...body, digest: digestOf(body), meta };
}

let platform: FakePlatform;
afterEach(() => platform.api.close());

/** A program in a pipeline of that platform, with the plan of an earlier job in its folder. */
function pipeline(env: Record<string, string>, document = made): Recorder {
  const program = fakeProgram({ host: { env } });
  writeFileSync(join(program.folder, 'plan.json'), planOf(env, document));
  return program;
}

/** The plan that a job with these variables would leave. */
function planOf(env: Record<string, string>, document = made): string {
  return serializePlan({ ...document, meta: { ...document.meta, ...defined({ pipeline: pipelineOf(env) }) } });
}

const github = (more: Record<string, string> = {}): Record<string, string> => ({
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_REF: 'refs/pull/5/merge',
  GITHUB_SHA: 'a'.repeat(40),
  GITHUB_RUN_NUMBER: '1',
  GITHUB_RUN_ID: '1',
  GITHUB_WORKFLOW_REF: `${workflow}@refs/pull/5/merge`,
  GITHUB_API_URL: platform.api.url,
  GITHUB_TOKEN: token,
  ...more,
});

const gitlab = (more: Record<string, string> = {}): Record<string, string> => ({
  GITLAB_CI: 'true',
  CI_PROJECT_ID: '12',
  CI_MERGE_REQUEST_IID: '5',
  CI_COMMIT_SHA: 'a'.repeat(40),
  CI_PIPELINE_IID: '1',
  CI_PIPELINE_ID: '1',
  CI_API_V4_URL: `${platform.api.url}/api/v4`,
  GITLAB_TOKEN: token,
  ...more,
});

/** A change to a job's variables, and what the refusal of the result of such a job says; `undefined`: it is told. */
const otherJobs: readonly (readonly [string, Record<string, string>, string | undefined])[] = [
  ['the same job', {}, undefined],
  ['another commit', { GITHUB_SHA: 'b'.repeat(40), CI_COMMIT_SHA: 'b'.repeat(40) }, `is of commit ${'b'.repeat(40)}`],
  ['another run', { GITHUB_RUN_ID: '2', CI_PIPELINE_ID: '2' }, 'is of run 2 of the pipeline'],
  ['another repository', { GITHUB_REPOSITORY: 'acme/other', CI_PROJECT_ID: '13' }, 'and this pipeline is of '],
  ['no pipeline', { GITHUB_ACTIONS: '', GITLAB_CI: '' }, 'does not say which run'],
];
const variablesOf = { github: (): Record<string, string> => github(), gitlab: (): Record<string, string> => gitlab() };

describe.each(['github', 'gitlab'] as const)('a result of another job, on %s', (name) => {
  const own = (): Record<string, string> => variablesOf[name]();
  beforeEach(async () => {
    platform = name === 'github' ? await fakeGithub() : await fakeGitlab();
  });

  it.each(otherJobs)('%s', async (_, change, words) => {
    const { folder, run } = fakeProgram({ host: { env: own() } });
    const theirs = { ...own(), ...change };
    const where = defined({ pipeline: pipelineOf(theirs) });
    const more = { project: 'shop', stack: 'default', ...where };
    const bare = { kind: 'apply-result', status: 'done', steps: [], outputs: {}, diagnostics: [], requests: 0 };
    const documents = {
      'plan.json': planOf(theirs),
      'no-plan.json': JSON.stringify({ kind: 'no-plan', diagnostics: [], ...more }),
      'result.json': JSON.stringify({ ...bare, ...more }),
      'drift.json': JSON.stringify({ ...driftResult({}), ...where }),
    };
    for (const [file, text] of Object.entries(documents)) {
      writeFileSync(join(folder, file), text);
      const { code, err } = await run('comment', file);
      expect([file, code, err]).toEqual([
        file,
        words === undefined ? 0 : 1,
        words === undefined ? expect.not.stringContaining('another-job') : expect.stringContaining(words),
      ]);
    }
    expect(platform.comments.length).toBe(words === undefined ? 1 : 0);
  });

  it('another stack', async () => {
    const { run } = pipeline({ ...own(), SYNC_STACK: 'eu' });
    for (const args of [[], ['--stack', 'us']]) {
      const { code, err } = await run('comment', 'plan.json', ...args);
      expect([code, err]).toEqual([1, expect.stringContaining('is of stack default')]);
    }
    expect((await run('comment', 'plan.json', '--stack', 'default')).code).toBe(0);
  });

  it('another project than the sync.yaml of its folder names', async () => {
    const { folder, run } = pipeline(own());
    mkdirSync(join(folder, 'shops'));
    const inShops = { ...pipelineOf(own()), folder: 'shops' };
    writeFileSync(join(folder, 'shops.json'), serializePlan({ ...made, meta: { ...made.meta, pipeline: inShops } }));
    writeFileSync(
      join(folder, 'review.json'),
      serializePlan({ ...made, meta: { ...made.meta, pipeline: pipelineOf(own()) ?? {}, base: 'main at 0' } }),
    );
    const { project } = made;
    for (const [name, told] of [
      [project, true],
      ['other', false],
    ] as const)
      for (const [at, file] of [
        ['.', 'plan.json'],
        ['shops', 'shops.json'],
      ] as const) {
        writeFileSync(join(folder, at, 'sync.yaml'), `# settings\nproject: "${name}" # ours\n`);
        const { code, err } = await run('comment', file);
        const words = expect.stringContaining(`is of project ${project}, and this job is for other`);
        expect([name, file, code, err]).toEqual([
          name,
          file,
          told ? 0 : 1,
          told ? expect.not.stringContaining('another-job') : words,
        ]);
      }
    // A proposal that renames the project is planned by the name that its base gives it.
    expect((await run('comment', 'review.json')).code).toBe(0);
  });

  it('that was asked for by its run is told', async () => {
    const { folder, run } = fakeProgram({ host: { env: own() } });
    const before = {
      GITHUB_RUN_ID: '7',
      CI_PIPELINE_ID: '7',
      GITHUB_SHA: 'b'.repeat(40),
      CI_COMMIT_SHA: 'b'.repeat(40),
    };
    writeFileSync(join(folder, 'plan.json'), planOf({ ...own(), ...before }));
    expect((await run('comment', 'plan.json', '--run', '8')).code).toBe(1);
    expect((await run('comment', 'plan.json', '--run', '7')).code).toBe(0);
  });
});

describe('a result behind a link', () => {
  beforeEach(async () => {
    platform = await fakeGithub();
  });

  it('is never told, whether or not git knows the link', async () => {
    const { folder, run } = pipeline(github());
    mkdirSync(join(folder, 'out/deep'), { recursive: true });
    mkdirSync(join(folder, 'checkout/.git'), { recursive: true });
    writeFileSync(join(folder, 'out/deep/plan.json'), planOf(github()));
    symlinkSync('out/deep', join(folder, 'link'));
    symlinkSync('../out', join(folder, 'checkout/link'));
    mkdirSync(join(folder, 'files'));
    symlinkSync('../plan.json', join(folder, 'files/plan.json'));
    for (const given of ['link', 'link/plan.json', 'files', 'files/plan.json', 'checkout/link/deep/plan.json']) {
      const { code, err } = await run('comment', given);
      expect([given, code, err]).toEqual([given, 1, expect.stringMatching(/a link|git cannot tell/)]);
    }
    expect((await run('comment', 'out/deep')).code).toBe(0);
  });

  it('and a plan that came with the checkout, are nothing to apply in a pipeline', async () => {
    const { folder, run } = pipeline(github());
    mkdirSync(join(folder, 'in'));
    symlinkSync('../plan.json', join(folder, 'in/plan.json'));
    const { code, err } = await run('apply', 'in/plan.json', '--yes');
    expect([code, err]).toEqual([1, expect.stringContaining('is behind a link')]);
  });
});

describe('a result that git tracks', () => {
  const git = (folder: string, ...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder });

  beforeEach(async () => {
    platform = await fakeGithub();
  });

  it('is never told: by its name, in its folder, or by a link that is tracked', async () => {
    const { folder, run } = pipeline(github());
    git(folder, 'init', '--quiet');
    mkdirSync(join(folder, 'out'));
    mkdirSync(join(folder, 'elsewhere'));
    for (const place of ['out', 'elsewhere']) writeFileSync(join(folder, place, 'plan.json'), planOf(github()));
    symlinkSync('elsewhere', join(folder, 'link'));
    git(folder, 'add', 'out', 'link');
    for (const given of ['out', 'out/plan.json', 'link', 'link/plan.json']) {
      const { code, err } = await run('comment', given);
      expect([given, code, err]).toEqual([given, 1, expect.stringContaining('is part of the repository')]);
    }
    expect(platform.comments).toEqual([]);
    expect((await run('comment', 'plan.json')).code).toBe(0);
    expect(platform.comments).toHaveLength(1);
  });

  it('hides no plan that the run left beside it', async () => {
    const { folder, run } = pipeline(github());
    git(folder, 'init', '--quiet');
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/result.json'), '{"kind":"apply-result"}');
    git(folder, 'add', 'out');
    writeFileSync(join(folder, 'out/plan.json'), planOf(github()));
    expect((await run('comment', 'out')).code).toBe(0);
    expect(platform.comments).toHaveLength(1);
  });
});

describe('sync comment on github', () => {
  beforeEach(async () => {
    platform = await fakeGithub();
  });

  it('posts the plan, edits it for the next commit, and is silent when nothing changed', async () => {
    const { run } = pipeline(github());
    expect(await run('comment', 'plan.json')).toEqual({
      code: 0,
      out: 'Commented: https://review.example.com/acme/shop/pull/5#c1.\n',
      err: '',
    });
    expect(platform.comments[0]?.body).toContain('petstore');
    expect((await run('comment', 'plan.json')).out).toContain('says so already');
    const next = pipeline(github({ GITHUB_SHA: 'b'.repeat(40), GITHUB_RUN_NUMBER: '2', GITHUB_RUN_ID: '2' }));
    expect((await next.run('comment', 'plan.json')).out).toContain('Edited the comment');
    expect((await run('comment', 'plan.json')).out).toContain('newer commit');
    expect([platform.comments.length, platform.api.writes().length]).toEqual([1, 2]);
  });

  it('always fits, however large the plan', async () => {
    const steps = Array.from({ length: 3000 }, (_, at) =>
      step({
        address: `api-${at}`,
        action: 'update',
        fields: [field('description', { old: 'x'.repeat(400), new: '@everyone '.repeat(40) })],
      }),
    );
    const { run } = pipeline(github(), sealed(plan({ steps })));
    expect((await run('comment', 'plan.json')).code).toBe(0);
    expect(platform.comments[0]?.body.length).toBeLessThanOrEqual(65_536);
  });

  const fork = (folder: string): Record<string, string> => {
    const event = join(folder, 'event.json');
    const from = { sha: 'c'.repeat(40), repo: { full_name: 'mallory/shop' } };
    writeFileSync(event, JSON.stringify({ pull_request: { number: 5, head: from } }));
    return github({ GITHUB_EVENT_PATH: event, GITHUB_STEP_SUMMARY: join(folder, 'summary.md') });
  };

  it.each([
    ['403', { status: 403, body: { message: 'Resource not accessible by integration' } }],
    ['404', { status: 404, body: { message: 'Not Found' } }],
  ])("writes the Markdown and the job summary with a fork's token (%s), and says so", async (_status, answer) => {
    const { folder } = pipeline({});
    const { run, folder: own } = pipeline(fork(folder));
    writeFileSync(join(folder, 'summary.md'), 'Before.\n');
    platform.api.faults.push({ match: /^POST /, answer });
    const { code, out, err } = await run('comment', 'plan.json');
    expect([code, out]).toEqual([0, 'The Markdown is in plan.md.\nThe job summary shows it, too.\n']);
    expect(err).toContain('review-read-only');
    expect(readFileSync(join(own, 'plan.md'), 'utf8')).toContain('petstore');
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(/^Before\.\n[^]*petstore/);
  });

  it('needs no token to do so', async () => {
    const { folder } = pipeline({});
    const { run } = pipeline({ ...fork(folder), GITHUB_TOKEN: '' });
    expect((await run('comment', 'plan.json', '--file', 'out/plan.md')).code).toBe(0);
    expect(platform.api.log).toEqual([]);
  });

  const failures: readonly (readonly [string, number, number, string, string])[] = [
    ['a token without the right', 403, 1, 'review-forbidden', 'pull-requests: write'],
    ['a bad token', 401, 1, 'review-unauthenticated', 'GITHUB_TOKEN'],
    ['an unknown request', 404, 1, 'review-not-found', 'pull request 5 of acme/shop'],
    ['an unexpected refusal', 422, 1, 'review-refused', '422 no \\u001b[2Jway (secret)'],
  ];
  it.each(failures)(
    '%s is an error that helps, and the text is not lost',
    async (_name, status, code, named, words) => {
      const { run, folder } = pipeline(github());
      const body = { message: `no \u001b[2Jway ${token}` };
      platform.api.faults.push({ match: /^(GET|POST) /, answer: { status, body }, times: 9 });
      const result = await run('comment', 'plan.json');
      expect(result.code).toBe(code);
      expect(result.err).toContain(named);
      expect(result.err).toContain(words);
      expect(result.out + result.err).not.toContain(token);
      expect(existsSync(join(folder, 'plan.md'))).toBe(true);
    },
  );

  it('writes a file for a push, which has no pull request', async () => {
    const { run } = pipeline(github({ GITHUB_REF: 'refs/heads/main' }));
    const { code, out, err } = await run('comment', 'plan.json');
    expect([code, platform.api.log]).toEqual([0, [`GET /repos/acme/shop/commits/${'a'.repeat(40)}/pulls`]]);
    expect(out).toContain('plan.md');
    expect(err).toContain('review-no-request');
  });

  const merged = { GITHUB_REF: 'refs/heads/main', GITHUB_SHA: 'e'.repeat(40) };
  const nothing = sealed(plan({}));

  it.each([
    ['a plan', 'plan.json', made, 'can hurt'],
    ['a plan that failed', 'missing', made, 'No result: the run was cancelled'],
    [
      'a plan that could be applied, by what became of the apply',
      'plan.json',
      made,
      'No result: the run was cancelled',
    ],
    ['a plan with nothing to apply', 'plan.json', nothing, 'No changes'],
  ])('tells the request that a commit was merged by: %s', async (what, file, document, words) => {
    Object.assign(platform, { head: 'a'.repeat(40), state: 'merged' });
    const { run } = pipeline(github(merged), document);
    const after = what === 'a plan' ? [] : ['--after', 'apply', '--ended', 'cancelled'];
    expect((await run('comment', file, ...after)).code).toBe(0);
    expect(platform.comments.map(({ body }) => body)).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    [403, 1, 'review-forbidden', 'pull-requests: write'],
    [503, 1, 'review-unavailable', 'Run the job again later'],
    [422, 0, 'review-no-request', ''],
  ])('a search for it that is answered with %i ends with %i: %s', async (status, code, named, words) => {
    const { run } = pipeline(github(merged));
    // What is sent again is sent at once.
    const headers = status === 503 ? { 'retry-after': '0' } : {};
    platform.api.faults.push({ match: /pulls$/, answer: { status, body: { message: 'no' }, headers }, times: 9 });
    const result = await run('comment', 'plan.json');
    expect([result.code, platform.comments]).toEqual([code, []]);
    expect(result.err).toContain(named);
    expect(result.err).toContain(words);
  });

  it('does not tell it of drift, which is about no request', async () => {
    Object.assign(platform, { head: 'a'.repeat(40), state: 'merged' });
    const { run, folder } = pipeline(github(merged));
    writeFileSync(
      join(folder, 'drift.json'),
      JSON.stringify({ ...driftResult({}), ...defined({ pipeline: pipelineOf(github(merged)) }) }),
    );
    const { code, err } = await run('comment', 'drift.json');
    expect([code, platform.comments]).toEqual([0, []]);
    expect(err).toContain('review-no-request');
  });

  it('sends no token to a server that is not encrypted', async () => {
    const { run } = pipeline(github({ GITHUB_API_URL: 'http://git.example.com' }));
    const { code, err } = await run('comment', 'plan.json');
    expect([code, platform.api.log]).toEqual([1, []]);
    expect(err).toContain('review-insecure-server');
  });

  it('refuses a plan that is none before anything is sent', async () => {
    const { run, folder } = pipeline(github());
    const text = readFileSync(join(folder, 'plan.json'), 'utf8');
    writeFileSync(join(folder, 'plan.json'), text.replace('petstore', 'petstorf'));
    expect((await run('comment', 'plan.json')).code).toBe(5);
    expect((await run('comment', 'missing.json')).code).toBe(1);
    expect(platform.api.log).toEqual([]);
  });
});

describe('sync comment on gitlab', () => {
  beforeEach(async () => {
    platform = await fakeGitlab();
  });
  it('posts the plan, edits it for the next commit, and is silent when nothing changed', async () => {
    const { run } = pipeline(gitlab());
    expect(await run('comment', 'plan.json')).toEqual({ code: 0, out: 'Commented.\n', err: '' });
    expect((await run('comment', 'plan.json')).out).toContain('says so already');
    const next = pipeline(gitlab({ CI_COMMIT_SHA: 'b'.repeat(40), CI_PIPELINE_IID: '2', CI_PIPELINE_ID: '2' }));
    expect((await next.run('comment', 'plan.json')).out).toContain('Edited the comment');
    expect([platform.comments.length, platform.api.writes().length]).toEqual([1, 2]);
  });

  it.each([
    ['canceled', 'the run was cancelled'],
    ['canceling', 'the run was cancelled'],
    ['failed', 'the run ended before there was one'],
    ['success', 'the run ended before there was one'],
    [undefined, 'the run ended before there was one'],
  ])('asks how a job that left nothing ended: %s', async (status, words) => {
    for (let at = 0; at < 120; at += 1) platform.jobs.set(`other-${at}`, 'canceled');
    if (status !== undefined) platform.jobs.set('eu-plan', status);
    const { run } = pipeline(gitlab());
    expect((await run('comment', 'missing', '--job', 'eu-plan', '--job', 'eu-apply')).code).toBe(0);
    expect(platform.comments.map(({ body }) => body)).toEqual([expect.stringContaining(words)]);
  });

  it('asks nothing of jobs that left a result, and takes no answer for a failure', async () => {
    const { run } = pipeline(gitlab());
    await run('comment', 'plan.json', '--job', 'eu-plan');
    expect(platform.api.log.filter((call) => call.includes('/jobs'))).toEqual([]);
    platform.api.faults.push({ match: /jobs/, answer: { status: 403, body: {} }, times: 9 });
    expect((await run('comment', 'missing', '--job', 'eu-plan')).code).toBe(0);
    expect(platform.comments[0]?.body).toContain('the run ended before there was one');
  });

  it('says how to get a token when there is none', async () => {
    const { run } = pipeline(gitlab({ GITLAB_TOKEN: '' }));
    const { code, err } = await run('comment', 'plan.json');
    expect([code, platform.api.log]).toEqual([1, []]);
    expect(err).toContain('GITLAB_TOKEN');
    expect(err).toContain('"api"');
  });
});

describe('sync comment elsewhere', () => {
  beforeEach(async () => {
    platform = await fakeGithub();
  });

  it('needs to be told what for', async () => {
    const { run } = pipeline({});
    const { code, err } = await run('comment', 'plan.json');
    expect(code).toBe(64);
    expect(err).toContain('--platform github --request 42');
  });

  it('writes the Markdown alone with --file', async () => {
    const { run, folder } = pipeline({});
    expect(await run('comment', 'plan.json', '--file', 'a/b.md')).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(folder, 'a/b.md'), 'utf8')).toContain('petstore');
  });

  it('tells a file that cannot be written', async () => {
    const { run } = pipeline({});
    const { code, err } = await run('comment', 'plan.json', '--file', 'plan.json/b.md');
    expect(code).toBe(1);
    expect(err).toContain('report-unwritable');
    expect(err).toContain('a file is in the way');
  });
});
