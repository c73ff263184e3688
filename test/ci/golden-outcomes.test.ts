import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeGithub, fakeGitlab } from '../review/fake-platforms.js';
import type { FakePlatform } from '../review/fake-platforms.js';
import { readComponent, runJob } from './component.js';
import { addEvent, runAction } from './composite.js';
import { commitHome } from './git.js';
import { buildProgram, root, startMachine } from './recipe.js';
import type { Machine } from './recipe.js';

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
  /** A command about a commit, of a request or of the branch it was merged to; then the comment. */
  run(command: 'plan' | 'apply', letter: string, isMerged?: boolean): Promise<Left>;
  /** The comment alone, of a run that was cancelled before it left anything. */
  cancelled(letter: string): Promise<Left>;
}

async function githubPipeline(machine: Machine): Promise<Pipeline> {
  const review = await fakeGithub();
  let runs = 0;
  const around = async (letter: string, isMerged: boolean): Promise<Record<string, string>> => {
    runs += 1;
    if (!isMerged) review.head = commit(letter);
    const event = { pull_request: { number: 5, head: { sha: commit(letter), repo: { full_name: 'acme/shop' } } } };
    return {
      ...{
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_SERVER_URL: 'https://github.example.com',
        GITHUB_SHA: commit(letter),
      },
      ...{ GITHUB_API_URL: review.api.url, GITHUB_RUN_NUMBER: String(runs), GITHUB_RUN_ID: String(runs) },
      GITHUB_STEP_SUMMARY: machine.path(`summary-${runs}.md`),
      GITHUB_EVENT_PATH: isMerged ? machine.path('none.json') : await addEvent(machine, event),
      ...(isMerged ? { GITHUB_REF: 'refs/heads/main' } : {}),
    };
  };
  const inputs = { 'working-directory': 'project', 'github-token': review.request.token ?? '' };
  const body = (): string => review.comments.map((comment) => comment.body).join('\n---\n');
  return {
    review,
    run: async (command, letter, isMerged = false) => {
      const env = await around(letter, isMerged);
      const { code, outputs } = await runAction(machine, { command, ...inputs }, env);
      const summary = await machine.read(`summary-${runs}.md`);
      expect((await runAction(machine, { command: 'comment', ...inputs }, env)).code).toBe(0);
      return { code, comment: body(), summary, outputs };
    },
    cancelled: async (letter) => {
      await machine.remove('temp/sync-sync-plan');
      const env = await around(letter, false);
      const { code } = await runAction(machine, { command: 'comment', ...inputs }, env, { 'job.status': 'cancelled' });
      return { code, comment: body() };
    },
  };
}

async function gitlabPipeline(machine: Machine): Promise<Pipeline> {
  const review = await fakeGitlab();
  await machine.write({ 'bin/npm': '#!/bin/sh\n' });
  await chmod(machine.path('bin/npm'), 0o755);
  const component = await readComponent({ source: machine.home, commit: commitHome(machine), directory: 'project' });
  let runs = 0;
  const around = (letter: string, isMerged: boolean): Record<string, string> => {
    runs += 1;
    if (!isMerged) review.head = commit(letter);
    return {
      ...{ CI_PROJECT_ID: '12', CI_COMMIT_SHA: commit(letter), CI_API_V4_URL: review.request.apiUrl },
      ...{
        CI_PROJECT_URL: 'https://gitlab.example.com/acme/shop',
        CI_PIPELINE_ID: String(runs),
        CI_PIPELINE_IID: String(runs),
      },
      GITLAB_TOKEN: review.request.token ?? '',
      ...(isMerged ? {} : { CI_MERGE_REQUEST_IID: '5' }),
    };
  };
  const body = (): string => review.comments.map((comment) => comment.body).join('\n---\n');
  return {
    review,
    run: async (command, letter, isMerged = false) => {
      const env = around(letter, isMerged);
      const { code } = await runJob(machine, component, `sync-${command}`, env);
      expect((await runJob(machine, component, isMerged ? 'sync-applied' : 'sync-comment', env)).code).toBe(0);
      return { code, comment: body() };
    },
    cancelled: async (letter) => {
      await machine.remove('sync-out');
      const env = { ...around(letter, false), SYNC_ENDED: 'cancelled' };
      return { code: (await runJob(machine, component, 'sync-comment', env)).code, comment: body() };
    },
  };
}

/** Without what is another one in every run: ports, ids, digests. */
function steady({ code, comment, summary, outputs }: Left): string {
  const values = Object.entries(outputs ?? {}).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    `exit code ${code}`,
    comment.replace(/^<!--.*?-->$/gm, '<!-- marker -->'),
    ...(summary === undefined ? [] : [`=== step summary\n${summary}`]),
    ...(values.length === 0 ? [] : [`=== outputs\n${values.join('\n')}`]),
  ];
  return `${parts.join('\n')}\n`
    .replace(/\/\S*?\/sync-ci-[\w-]+\//g, 'MACHINE/')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\b[0-9a-f]{64}\b/g, 'DIGEST')
    .replace(/Plan `[0-9a-f]{12}`/g, 'Plan `DIGEST`')
    .replace(/Trace id: \S+/g, 'Trace id: ID')
    .replace(/^(plan-file: ).*\/(?=.)/gm, '$1');
}

describe.each([
  ['github', githubPipeline],
  ['gitlab', gitlabPipeline],
] as const)('each outcome in a pipeline of %s', (host, open) => {
  const program = buildProgram();
  let machine: Machine;
  let pipeline: Pipeline;
  beforeEach(async () => {
    machine = await startMachine(program());
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
    const file = join(folder, `${host}-${name}.md`);
    if (isUpdating) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, made);
    }
    expect(existsSync(file), `${file} is not recorded`).toBe(true);
    expect(made, file).toBe(readFileSync(file, 'utf8'));
    expect(made).toContain(verdict);
    for (const before of verdicts)
      if (before !== verdict) expect(made, `${name} after ${before}`).not.toContain(before);
    expect(pipeline.review.comments).toHaveLength(1);
    verdicts.push(verdict);
  }

  it('is told as it is recorded, and leaves nothing of the one before', async () => {
    const { review } = pipeline;
    await machine.write(catalogue(pets));
    golden('changes', await pipeline.run('plan', 'a'), 'Changes, none of them dangerous');
    await machine.write(catalogue('pets: {type: platform:Nothing}'));
    golden('failed', await pipeline.run('plan', 'b'), '## ⛔ No plan: 1 error');
    golden('cancelled', await pipeline.cancelled('c'), '## 🛑 No result: the run was cancelled');

    await machine.write(catalogue(pets));
    await pipeline.run('plan', 'd');
    Object.assign(review, { state: 'merged' });
    golden('applied', await pipeline.run('apply', 'e', true), '## ✅ Applied: 2 done');
    golden('superseded', await pipeline.run('apply', 'e', true), '## ⏩ Superseded: nothing was changed');

    await machine.write(catalogue(pets, 'cats: {type: platform:Api}', 'dogs: {type: platform:Api}'));
    await pipeline.run('plan', 'e', true);
    await fault({
      match: { method: 'POST', route: '/v3/apis' },
      times: 1,
      action: { status: 422, problem: { detail: 'no' } },
    });
    golden('partly', await pipeline.run('apply', 'e', true), '## ⚠️ Partly applied: 1 done, 1 failed');

    Object.assign(review, { state: 'open' });
    await fault({
      match: { method: 'GET', route: '/v3/apis/*/documents' },
      probability: 1,
      action: { status: 403, problem: { detail: 'no role' } },
    });
    golden('incomplete', await pipeline.run('plan', 'a'), '## ❓ 1 read failed');
    await fault();
    await machine.write(catalogue());
    golden('blocked', await pipeline.run('plan', 'b'), '## ⛔ Blocked by');
    Object.assign(review, { state: 'merged' });
    golden('apply-blocked', await pipeline.run('apply', 'e', true), '## ⛔ Blocked: nothing was changed');
  });
});
