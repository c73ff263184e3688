import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeGithub, type FakePlatform } from '../review/fake-platforms.js';
import { addEvent, runAction, type ActionRun } from './action.js';
import { buildProgram, startMachine, type Machine } from './recipe.js';

const commit = (letter: string): string => letter.repeat(40);
const fine = 'resources:\n  pets: {type: platform:Api}\n';
const broken = 'resources:\n  pets: {type: platform:Nothing}\n';

describe('what a reviewer is left with', () => {
  const program = buildProgram();
  let machine: Machine;
  let review: FakePlatform;
  let runs = 0;
  beforeEach(async () => {
    [machine, review] = await Promise.all([startMachine(program()), fakeGithub()]);
    // A monorepo: the catalogue lies below the root of the repository.
    await machine.write({ '.git/HEAD': 'ref: refs/heads/topic\n' });
  });
  afterEach(() => Promise.all([machine.close(), review.api.close()]));

  interface Told {
    readonly step: ActionRun;
    readonly comment: ActionRun;
    readonly body: string;
    readonly summary: string;
  }

  /** One run of a workflow about a commit: a command, then the comment whatever became of it. */
  async function run(letter: string, command: 'plan' | 'apply', env: Record<string, string> = {}): Promise<Told> {
    runs += 1;
    review.head = env['GITHUB_REF'] === undefined ? commit(letter) : review.head;
    const event = { pull_request: { number: 5, head: { sha: commit(letter), repo: { full_name: 'acme/shop' } } } };
    const around = {
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_SERVER_URL: 'https://github.example.com',
      GITHUB_API_URL: review.api.url,
      GITHUB_SHA: commit(letter),
      GITHUB_RUN_NUMBER: String(runs),
      GITHUB_RUN_ID: String(runs),
      GITHUB_STEP_SUMMARY: machine.path(`summary-${runs}.md`),
      GITHUB_EVENT_PATH: env['GITHUB_REF'] === undefined ? await addEvent(machine, event) : machine.path('none.json'),
      ...env,
    };
    const inputs = { 'working-directory': 'project', 'github-token': review.request.token ?? '' };
    const step = await runAction(machine, { command, ...inputs }, around);
    const summary = await machine.read(`summary-${runs}.md`);
    const comment = await runAction(machine, { command: 'comment', ...inputs }, around);
    expect(review.comments).toHaveLength(1);
    return { step, comment, summary, body: review.comments[0]?.body ?? '' };
  }

  it('failed: the errors at the lines of this commit, and nothing of the verdict before', async () => {
    const before = await run('a', 'plan');
    expect(before.body).toContain('Changes, none of them dangerous');
    await machine.write({ 'project/catalogue/pets.yaml': broken });
    const { step, comment, body, summary } = await run('b', 'plan');
    expect([step.code, comment.code]).toEqual([1, 0]);
    for (const text of [body, summary]) {
      expect(text).toContain('## ⛔ No plan: 1 error');
      expect(text).toContain(
        `[\`project/catalogue/pets.yaml:2\`](https://github.example.com/acme/shop/blob/${commit('b')}/project/catalogue/pets.yaml#L2)`,
      );
      expect(text).toContain(`[\`bbbbbbbbbbbb\`](https://github.example.com/acme/shop/commit/${commit('b')})`);
      expect(text).toContain(`[log of the run](https://github.example.com/acme/shop/actions/runs/${runs})`);
      expect(text).not.toMatch(/none of them dangerous|aaaaaaa|to create/);
    }
    expect(step.outputs).toMatchObject({
      verdict: 'failed',
      'has-changes': '',
      blocked: '',
      'plan-file': '',
      digest: '',
    });
    expect(step.out).toContain('::error file=project/catalogue/pets.yaml,line=2');
  });

  it('failed: a sync.yaml that cannot be read, in the same comment, and fine again', async () => {
    await run('a', 'plan');
    await machine.write({ 'project/sync.yaml': 'project: [\n' });
    const { body } = await run('b', 'plan');
    expect(body).toContain('## ⛔ No plan');
    expect(body.split('<details><summary>The plan that was reviewed')[0]).not.toContain('\n## 📝 Changes');
    await machine.write({ 'project/sync.yaml': 'project: shop\n' });
    expect((await run('c', 'plan')).body).toContain('Changes, none of them dangerous');
  });

  it('cancelled: a run that left nothing says so, and nothing of the verdict before', async () => {
    await run('a', 'plan');
    runs += 1;
    review.head = commit('b');
    const event = { pull_request: { number: 5, head: { sha: commit('b'), repo: { full_name: 'acme/shop' } } } };
    await machine.write({ 'temp/sync/plan.json': '' });
    await machine.remove('temp/sync');
    const env = {
      GITHUB_REPOSITORY: 'acme/shop',
      GITHUB_API_URL: review.api.url,
      GITHUB_RUN_NUMBER: String(runs),
      GITHUB_RUN_ID: String(runs),
      GITHUB_EVENT_PATH: await addEvent(machine, event),
    };
    const inputs = { 'working-directory': 'project', 'github-token': review.request.token ?? '' };
    const { code } = await runAction(machine, { command: 'comment', ...inputs }, env, {
      'job.status': 'cancelled',
    });
    expect(code).toBe(0);
    expect(review.comments.map(({ body }) => body)).toEqual([expect.stringContaining('the run was cancelled')]);
  });

  it('applied, superseded, blocked, partly applied: the merged request is told', async () => {
    const merged = { GITHUB_REF: 'refs/heads/main' };
    await run('a', 'plan');
    Object.assign(review, { state: 'merged' });
    await runAction(machine, { command: 'plan', 'working-directory': 'project' });
    const applied = await run('e', 'apply', merged);
    for (const text of [applied.body, applied.summary]) {
      expect(text).toContain('## ✅ Applied: 1 done');
      expect(text).toContain('`create` `pets`');
    }
    expect(applied.step.outputs).toMatchObject({ verdict: 'applied', 'exit-code': '0' });
    expect(await machine.read('temp/sync/result.html')).toContain('Applied: 1 done');

    const stale = await run('e', 'apply', merged);
    expect(stale.step.code).toBe(5);
    expect(stale.body).toContain('## ⏩ Superseded: nothing was changed');

    await machine.write({ 'project/catalogue/pets.yaml': 'resources: {}\n' });
    await runAction(machine, { command: 'plan', 'working-directory': 'project' });
    const blocked = await run('e', 'apply', merged);
    expect(blocked.step.code).toBe(4);
    expect(blocked.body).toContain('## ⛔ Blocked: nothing was changed');
    expect(blocked.body).toContain('--allow ');

    await machine.write({
      'project/catalogue/pets.yaml': `${fine}  cats: {type: platform:Api}\n  dogs: {type: platform:Api}\n`,
    });
    await runAction(machine, { command: 'plan', 'working-directory': 'project' });
    const refuse = {
      match: { method: 'POST', route: '/v3/apis' },
      times: 1,
      action: { status: 422, problem: { detail: 'no' } },
    };
    await fetch(`${machine.sandbox.url}/_sandbox/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([refuse]),
    });
    const partly = await run('e', 'apply', merged);
    expect(partly.step.code).toBe(7);
    expect(partly.body).toContain('## ⚠️ Partly applied: 1 done, 1 failed');
    expect(partly.body).toMatch(/in \[`project\/catalogue\/pets\.yaml:\d`\]\(https:\/\/github\.example\.com/);
    expect(partly.step.out).toMatch(/::error file=project\/catalogue\/pets\.yaml,line=\d/);
    expect(partly.body).toContain('- ⏩ Superseded: nothing was changed (');
  });

  it('an apply that is killed leaves the state it began with', async () => {
    await run('a', 'plan');
    Object.assign(review, { state: 'merged' });
    // Killed once its first result is there, while the platform keeps it waiting.
    const result = JSON.stringify(machine.path('temp/sync/result.json'));
    const kill = `if (process.argv[2] === 'apply') setInterval(() => existsSync(${result}) && process.kill(process.pid, 'SIGKILL'), 20);`;
    await machine.write({
      'home/bin/sync.js': `import { existsSync } from 'node:fs';\n${kill}\nawait import(${JSON.stringify(program())});\n`,
    });
    const slow = { match: { method: 'POST', route: '/v3/apis' }, action: { delayMs: 5000 } };
    await fetch(`${machine.sandbox.url}/_sandbox/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([slow]),
    });
    const { step, body } = await run('e', 'apply', { GITHUB_REF: 'refs/heads/main' });
    expect(step.code).not.toBe(0);
    expect(body).toContain('## ❓ What became of the apply is unknown');
    expect(body.split('<details><summary>The plan that was reviewed')[0]).not.toContain('\n## 📝 Changes');
  });
});
