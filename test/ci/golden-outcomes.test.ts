import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inProcessSync, type InProcessSync } from '../docs/in-process-sync.js';
import { fakeGithub, fakeGitlab, type FakePlatform } from '../review/fake-platforms.js';
import { readComponent, runJob } from './component.js';
import { addEvent, runAction } from './action.js';
import { evaluated, interpolated } from './expression.js';
import { commitHome } from './git.js';
import { buildProgram, readYaml, root, startMachine, type Machine, type Ran } from './recipe.js';

/** Every outcome through the steps of the action and of the component as a shell runs them; SYNC_UPDATE_GOLDENS=1 records. */
const folder = join(root, 'fixtures/outcomes');
const isUpdating = process.env['SYNC_UPDATE_GOLDENS'] === '1';

const commit = (letter: string): string => letter.repeat(40);
const pets =
  'pets: {type: platform:Api, children: {guide: {type: platform:ApiDocument, properties: {title: Guide, content: x}}}}';
const catalogue = (...lines: readonly string[]): Record<string, string> => ({
  'project/catalogue/pets.yaml': `resources:${lines.length === 0 ? ' {}' : ''}\n${lines.map((line) => `  ${line}\n`).join('')}`,
});

/** What a reviewer and the next job are left with. */
interface Left {
  readonly code: number;
  readonly comment: string;
  /** Step summary and outputs, where the platform has them. */
  readonly summary?: string;
  readonly outputs?: Readonly<Record<string, string>>;
}

interface Pipeline {
  readonly review: FakePlatform;
  /** A plan of a request's commit, then its comment. */
  run(letter: string): Promise<Left>;
  /** Plan and apply of the commit that it was merged by, as far as they come, then the comment. */
  merged(): Promise<Left>;
  /** The jobs after the plan once more, as somebody starts them again. */
  again(): Promise<Left>;
  /** The comment alone, of a run that was cancelled before it left anything. */
  cancelled(letter: string): Promise<Left>;
  /** The comment alone, of a run after the merge whose apply was lost with its machine. */
  lost(): Promise<Left>;
}

/** How the jobs of a run after the merge ended, in the words of the one platform or of the other. */
type Ends = Readonly<Record<'plan' | 'apply', string>>;

interface RecipeJob {
  readonly if: string;
  readonly steps: readonly { readonly with?: Readonly<Record<string, string>> }[];
}

async function githubPipeline(machine: Machine): Promise<Pipeline> {
  const review = await fakeGithub();
  const [recipe] = (await readYaml('ci/github/apply.yml')) as [{ jobs: { comment: RecipeJob } }];
  let runs = 0;
  const around = async (letter?: string): Promise<Record<string, string>> => {
    runs += 1;
    const sha = commit(letter ?? 'e');
    if (letter !== undefined) review.head = sha;
    const event = { pull_request: { number: 5, head: { sha, repo: { full_name: 'acme/shop' } } } };
    return {
      ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_SERVER_URL: 'https://github.example.com', GITHUB_SHA: sha },
      ...{ GITHUB_API_URL: review.api.url, GITHUB_RUN_NUMBER: String(runs), GITHUB_RUN_ID: String(runs) },
      GITHUB_STEP_SUMMARY: machine.path(`summary-${runs}.md`),
      GITHUB_EVENT_PATH: letter === undefined ? machine.path('none.json') : await addEvent(machine, event),
      ...(letter === undefined ? { GITHUB_REF: 'refs/heads/main' } : {}),
    };
  };
  const inputs = { 'working-directory': 'project', 'github-token': review.request.token ?? '' };
  const body = (): string => review.comments.map((comment) => comment.body).join('\n---\n');
  /** The job of the recipe that tells what became of the others. */
  const tell = async ({ plan, apply }: Ends, env: Record<string, string>): Promise<void> => {
    const { if: condition, steps } = recipe.jobs.comment;
    const known = { 'needs.plan.result': plan, 'needs.apply.result': apply };
    expect(evaluated(condition, known)).toBe(true);
    const given = Object.entries(steps.at(-1)?.with ?? {}).map(([name, text]) => [name, interpolated(text, known)]);
    const told = { ...(Object.fromEntries(given) as Record<string, string>), ...inputs };
    expect((await runAction(machine, told, env)).code).toBe(0);
  };
  const applied = async (env: Record<string, string>): Promise<Left> => {
    // Each job has a summary of its own.
    const own = { ...env, GITHUB_STEP_SUMMARY: machine.path(`summary-${runs}-apply.md`) };
    const { code, outputs } = await runAction(machine, { command: 'apply', ...inputs }, own);
    await tell({ plan: 'success', apply: code === 0 ? 'success' : 'failure' }, env);
    return { code, comment: body(), summary: await machine.read(`summary-${runs}-apply.md`), outputs };
  };
  return {
    review,
    run: async (letter) => {
      const env = await around(letter);
      const { code, outputs } = await runAction(machine, { command: 'plan', ...inputs }, env);
      const summary = await machine.read(`summary-${runs}.md`);
      expect((await runAction(machine, { command: 'comment', ...inputs }, env)).code).toBe(0);
      return { code, comment: body(), summary, outputs };
    },
    merged: async () => {
      const env = await around();
      const planned = await runAction(machine, { command: 'plan', ...inputs }, env);
      if (planned.code !== 0) {
        await tell({ plan: 'failure', apply: 'skipped' }, env);
        const summary = await machine.read(`summary-${runs}.md`);
        return { code: planned.code, comment: body(), summary, outputs: planned.outputs };
      }
      return applied(env);
    },
    again: async () => applied(await around()),
    cancelled: async (letter) => {
      await machine.remove('temp/sync');
      const env = await around(letter);
      const { code } = await runAction(machine, { command: 'comment', ...inputs }, env, { 'job.status': 'cancelled' });
      return { code, comment: body() };
    },
    lost: async () => {
      const env = await around();
      expect((await runAction(machine, { command: 'plan', ...inputs }, env)).code).toBe(0);
      await tell({ plan: 'success', apply: 'failure' }, env);
      return { code: 0, comment: body() };
    },
  };
}

async function gitlabPipeline(machine: Machine): Promise<Pipeline> {
  const review = await fakeGitlab();
  await machine.write({ 'bin/npm': '#!/bin/sh\n' });
  await chmod(machine.path('bin/npm'), 0o755);
  const component = await readComponent({ source: machine.home, commit: commitHome(machine), directory: 'project' });
  let runs = 0;
  const around = (letter?: string): Record<string, string> => {
    runs += 1;
    if (letter !== undefined) review.head = commit(letter);
    return {
      ...{ CI_PROJECT_ID: '12', CI_COMMIT_SHA: commit(letter ?? 'e'), CI_API_V4_URL: review.request.apiUrl },
      ...{
        CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
        CI_PIPELINE_URL: `https://gitlab.example.com/acme/shop/-/pipelines/${runs}`,
        CI_PIPELINE_ID: String(runs),
        CI_PIPELINE_IID: String(runs),
      },
      GITLAB_TOKEN: review.request.token ?? '',
      ...(letter === undefined ? {} : { CI_MERGE_REQUEST_IID: '5' }),
    };
  };
  const body = (): string => review.comments.map((comment) => comment.body).join('\n---\n');
  const ended = ({ plan, apply }: Ends): void => {
    review.jobs.set('sync-plan', plan).set('sync-apply', apply).set('other', 'failed');
  };
  const job = (name: string, env: Record<string, string>): Promise<Ran> => runJob(machine, component, name, env);
  const tell = async (name: 'comment' | 'applied', env: Record<string, string>): Promise<void> => {
    expect((await job(`sync-${name}`, env)).code).toBe(0);
  };
  const applied = async (env: Record<string, string>): Promise<Left> => {
    const { code } = await job('sync-apply', env);
    ended({ plan: 'success', apply: code === 0 ? 'success' : 'failed' });
    await tell('applied', env);
    return { code, comment: body() };
  };
  return {
    review,
    run: async (letter) => {
      const env = around(letter);
      const { code } = await job('sync-plan', env);
      await tell('comment', env);
      return { code, comment: body() };
    },
    merged: async () => {
      const env = around();
      const planned = await job('sync-plan', env);
      if (planned.code === 0) return applied(env);
      ended({ plan: 'failed', apply: 'skipped' });
      await tell('applied', env);
      return { code: planned.code, comment: body() };
    },
    again: () => applied(around()),
    cancelled: async (letter) => {
      await machine.remove('sync-out');
      const env = around(letter);
      ended({ plan: 'canceled', apply: 'skipped' });
      await tell('comment', env);
      return { code: 0, comment: body() };
    },
    lost: async () => {
      const env = around();
      expect((await job('sync-plan', env)).code).toBe(0);
      ended({ plan: 'success', apply: 'failed' });
      await tell('applied', env);
      return { code: 0, comment: body() };
    },
  };
}

const outputsHead = '=== outputs\n';

/** Without what is another one in every run or on each platform: ports, ids, digests, addresses of pages. */
function steady({ code, comment, outputs }: Left): string {
  const values = Object.entries(outputs ?? {}).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    `exit code ${code}`,
    comment.replace(/^<!--.*?-->$/gm, '<!-- marker -->'),
    ...(values.length === 0 ? [] : [`${outputsHead}${values.join('\n')}`]),
  ];
  return `${parts.join('\n')}\n`
    .replace(/https:\/\/github\.example\.com\/acme\/shop\/actions\/runs\//g, 'HOST/RUN/')
    .replace(/https:\/\/gitlab\.example\.com\/acme\/shop\/-\/pipelines\//g, 'HOST/RUN/')
    .replace(/https:\/\/(?:github\.example\.com\/acme\/shop|gitlab\.example\.com\/acme\/shop\/-)\//g, 'HOST/')
    .replace(/\/\S*?\/sync-ci-[\w-]+\//g, 'MACHINE/')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b[0-9a-f]{64}\b/g, 'DIGEST')
    .replace(/Plan `[0-9a-f]{12}`/g, 'Plan `DIGEST`')
    .replace(/Effect `[0-9a-f]{12}`/g, 'Effect `EFFECT`')
    .replace(/Trace id: \S+/g, 'Trace id: ID')
    .replace(/^(plan-file: ).*\/(?=.)/gm, '$1');
}

/** Without what is listed below as earlier: the plan that was reviewed, and the runs before. */
function nowOf(made: string): string {
  return made
    .replace(/^\*\*Runs before this one:\*\*\n\n(?:- .*\n)+/gm, '')
    .replace(/^<details><summary>The plan that was reviewed[^]*?^<\/details>$(?=\s*(?:===|$(?![^])))/gm, '');
}

describe.each([
  ['github', githubPipeline],
  ['gitlab', gitlabPipeline],
] as const)('each outcome in a pipeline of %s', (host, open) => {
  const program = buildProgram();
  let inProcess: InProcessSync;
  let machine: Machine;
  let pipeline: Pipeline;
  beforeAll(async () => {
    inProcess = await inProcessSync({ isAttended: false });
  });
  afterAll(() => inProcess.close());
  beforeEach(async () => {
    machine = await startMachine(program(), join(inProcess.path, 'sync'));
    // One request at a time: which of two is refused is no matter of luck.
    await machine.write({
      '.git/HEAD': 'ref: refs/heads/topic\n',
      'project/sync.yaml': 'project: shop\nconcurrency: 1\n',
    });
    pipeline = await open(machine);
  });
  afterEach(() => Promise.all([machine.close(), pipeline.review.api.close()]));

  const fault = (...faults: readonly object[]): Promise<Response> =>
    fetch(`${machine.sandbox.url}/_sandbox/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    });
  const verdicts: string[] = [];

  /** What is left is as recorded, and nothing of the verdict before it is among it. */
  function golden(name: string, left: Left, verdict: string): void {
    const made = steady(left);
    // One record for both platforms: they tell the same, and only one of them has outputs.
    const file = join(folder, `${name}.md`);
    if (isUpdating && host === 'github') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, made);
    }
    expect(existsSync(file), `${file} is not recorded`).toBe(true);
    const recorded = readFileSync(file, 'utf8');
    expect(made, file).toBe(host === 'github' ? recorded : recorded.split(outputsHead)[0]);
    // What the job shows is a part of what the comment says.
    expect(left.comment).toContain((left.summary ?? '').trim());
    expect(made).toContain(verdict);
    for (const before of verdicts)
      if (before !== verdict) expect(nowOf(made), `${name} after ${before}`).not.toContain(before);
    expect(pipeline.review.comments).toHaveLength(1);
    verdicts.push(verdict);
  }

  it('is told as it is recorded, and leaves nothing of the one before', async () => {
    const { review } = pipeline;
    await machine.write(catalogue(pets));
    golden('changes', await pipeline.run('a'), 'Changes, none of them dangerous');
    await machine.write(catalogue('pets: {type: platform:Nothing}'));
    golden('failed', await pipeline.run('b'), '## ⛔ No plan: 1 error');
    golden('cancelled', await pipeline.cancelled('c'), '## 🛑 No result: the run was cancelled');

    await machine.write(catalogue(pets));
    await pipeline.run('d');
    Object.assign(review, { state: 'merged' });
    golden('applied', await pipeline.merged(), '## ✅ Applied: 2 done');
    golden('superseded', await pipeline.again(), '## ⏩ Superseded: nothing was changed');

    await machine.write(catalogue('pets: {type: platform:Nothing}'));
    golden('merged-failed', await pipeline.merged(), '## ⛔ No plan: 1 error');
    await machine.write(catalogue(pets, 'cats: {type: platform:Api}', 'dogs: {type: platform:Api}'));
    golden('merged-lost', await pipeline.lost(), '## ⛔ No result: the run ended before there was one');
    await fault({
      match: { method: 'POST', route: '/v3/apis' },
      times: 1,
      action: { status: 422, problem: { detail: 'no' } },
    });
    golden('partly', await pipeline.merged(), '## ⚠️ Partly applied: 1 done, 1 failed');
    await fault({
      match: { method: 'POST', route: '/v3/apis' },
      times: 9,
      action: { status: 422, problem: { detail: 'no' } },
    });
    golden('apply-failed', await pipeline.merged(), '## ⛔ The apply failed');

    Object.assign(review, { state: 'open' });
    await fault({
      match: { method: 'GET', route: '/v3/apis/*/documents' },
      probability: 1,
      action: { status: 403, problem: { detail: 'no role' } },
    });
    golden('incomplete', await pipeline.run('a'), '## ❓ 1 read failed');
    await fault();
    await machine.write(catalogue());
    golden('blocked', await pipeline.run('b'), '## ⛔ Blocked by');
    Object.assign(review, { state: 'merged' });
    golden('merged-blocked', await pipeline.merged(), '## ⛔ Blocked by');
    golden('apply-blocked', await pipeline.again(), '## ⛔ Blocked: nothing was changed');
  });
});
