import { chmod, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plan } from '../report/plan-builder.js';
import { fakeGithubIssues } from '../review/fake-issues.js';
import { fakeGithub } from '../review/fake-platforms.js';
import { addEvent, readAction, runAction } from './action.js';
import { evaluated, interpolated } from './expression.js';
import { commitProject } from './git.js';
import { buildProgram, readYaml, root, shell, startMachine, type Machine } from './recipe.js';
import { githubOutputs } from '../report/forms.js';

const planOf = 'temp/sync/plan.json';

describe('the action', () => {
  const program = buildProgram();
  let machine: Machine;
  beforeEach(async () => {
    machine = await startMachine(program());
  });
  afterEach(() => machine.close());
  const inProject = (command: string, more: Record<string, string> = {}): Record<string, string> => ({
    command,
    'working-directory': 'project',
    ...more,
  });

  it('plans, comments, applies that very plan, and finds nothing to do after', async () => {
    const summary = machine.path('summary.md');
    const planned = await runAction(machine, inProject('plan'), { GITHUB_STEP_SUMMARY: summary });
    expect(planned).toMatchObject({
      code: 0,
      outputs: { 'exit-code': '0', 'has-changes': 'true', blocked: 'false', 'plan-file': machine.path(planOf) },
    });
    expect(await machine.read('summary.md')).toContain('pets');

    const review = await fakeGithub();
    try {
      const commented = await runAction(
        machine,
        // The review platform's fake takes one token only.
        inProject('comment', { 'github-token': review.request.token ?? '' }),
        {
          GITHUB_REPOSITORY: 'acme/shop',
          GITHUB_EVENT_PATH: await addEvent(machine, {
            pull_request: { number: 5, head: { sha: 'a'.repeat(40), repo: { full_name: 'acme/shop' } } },
          }),
          GITHUB_API_URL: review.api.url,
        },
      );
      expect(commented).toMatchObject({ code: 0, outputs: { 'exit-code': '0' } });
      expect(review.comments.map(({ body }) => body)).toEqual([expect.stringContaining('pets')]);
    } finally {
      await review.api.close();
    }

    expect((await runAction(machine, inProject('apply'))).code).toBe(0);
    expect(JSON.parse(await machine.read('temp/sync/result.json'))).toMatchObject({ status: 'done' });
    // The same plan a second time is stale.
    expect(await runAction(machine, inProject('apply'))).toMatchObject({ code: 5, outputs: { 'exit-code': '5' } });
    expect(await runAction(machine, inProject('plan'))).toMatchObject({ code: 0, outputs: { 'has-changes': 'false' } });
    expect((await runAction(machine, inProject('drift'))).code).toBe(0);
  });

  it('tells what the branch changes from what was pending where it began', async () => {
    const base = commitProject(machine);
    await machine.write({ 'project/catalogue/cats.yaml': 'resources:\n  cats: {type: platform:Api}\n' });
    const summary = machine.path('summary.md');
    const planned = await runAction(machine, inProject('plan', { base }), { GITHUB_STEP_SUMMARY: summary });
    expect(planned.code).toBe(0);
    expect(JSON.parse(await machine.read(planOf))).toMatchObject({
      meta: { origins: { cats: 'branch', pets: 'pending' } },
    });
    expect(await machine.read('summary.md')).toContain('1 by this branch, 1 pending before it');
  });

  it('keeps and shows a plan that a guard blocks, and fails', async () => {
    await runAction(machine, inProject('plan'));
    await runAction(machine, inProject('apply'));
    await machine.write({ 'project/catalogue/pets.yaml': 'resources: {}\n' });
    const blocked = await runAction(machine, inProject('plan'));
    expect(blocked).toMatchObject({ code: 4, outputs: { 'exit-code': '4', blocked: 'true' } });
    expect(blocked.out).toContain('::error ');
    const lifted = await runAction(
      machine,
      inProject('plan', { allow: 'maxDeletes emptyCatalogue', reason: "it's over" }),
    );
    expect(lifted).toMatchObject({ code: 0, outputs: { blocked: 'false' } });
    expect(JSON.parse(await machine.read(planOf))).toMatchObject({
      guards: [{ name: 'emptyCatalogue', lifted: "it's over" }],
    });
    expect((await runAction(machine, inProject('apply'))).code).toBe(0);
    const unknown = await runAction(machine, inProject('plan', { allow: 'nonsense', reason: 'x' }));
    expect(unknown.code).not.toBe(0);
    expect(unknown.out).toContain('nonsense');
  });

  it('keeps the errors when there is no plan, and nothing of an earlier run', async () => {
    await runAction(machine, inProject('plan'));
    await machine.write({ 'project/catalogue/pets.yaml': 'resources: {pets: {type: platform:Nothing}}\n' });
    const summary = machine.path('summary.md');
    const failed = await runAction(machine, inProject('plan'), { GITHUB_STEP_SUMMARY: summary });
    const nothing = { 'plan-file': '', 'has-changes': '', blocked: '', digest: '' };
    expect(failed).toMatchObject({ code: 1, outputs: { 'exit-code': '1', verdict: 'failed', ...nothing } });
    expect(await machine.read('summary.md')).toContain('platform:Nothing');
    expect(await machine.read('temp/sync/no-plan.json')).toContain('platform:Nothing');
    expect(failed.out).toContain('::error ');
    expect(await machine.read(planOf)).toBe('');
  });

  it('comments on the plan of another run and of any stack, where that run is named', async () => {
    await machine.write({ 'project/sync.yaml': 'project: shop\nstacks: {prod: {}}\n' });
    const review = await fakeGithub();
    try {
      const env = {
        ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/pull/5/merge', GITHUB_SHA: 'a'.repeat(40) },
        ...{ GITHUB_API_URL: review.api.url, GITHUB_RUN_NUMBER: '2' },
      };
      const planned = await runAction(machine, inProject('plan', { stack: 'prod' }), { ...env, GITHUB_RUN_ID: '7' });
      expect(planned.code).toBe(0);
      const token = { 'github-token': review.request.token ?? '' };
      const told = async (inputs: Record<string, string>): Promise<number> =>
        (await runAction(machine, inProject('comment', { ...token, ...inputs }), { ...env, GITHUB_RUN_ID: '8' })).code;
      expect([await told({}), await told({ 'plan-run-id': '6' }), review.comments]).toEqual([1, 1, []]);
      expect(await told({ 'plan-run-id': '7', stack: 'eu' })).toBe(1);
      expect(await told({ 'plan-run-id': '7' })).toBe(0);
      expect(review.comments.map(({ body }) => body)).toEqual([expect.stringContaining('pets')]);
    } finally {
      await review.api.close();
    }
  });

  it('tells what became of an apply in a job of its own, where nothing is checked out', async () => {
    const review = await fakeGithub();
    Object.assign(review, { head: 'a'.repeat(40), state: 'merged' });
    try {
      await machine.remove('project');
      const env = {
        ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_REF: 'refs/heads/main', GITHUB_SHA: 'e'.repeat(40) },
        ...{ GITHUB_API_URL: review.api.url, GITHUB_WORKSPACE: machine.folder },
      };
      const told = inProject('comment', {
        after: 'apply',
        ended: 'failure',
        'github-token': review.request.token ?? '',
      });
      expect((await runAction(machine, told, env)).code).toBe(0);
      expect(review.comments.map(({ body }) => body)).toEqual([expect.stringContaining('No result')]);
    } finally {
      await review.api.close();
    }
  });

  it('finds drift, and says so by its code and in the summary', async () => {
    // What somebody deletes directly after the run that made it may only not be visible yet.
    const settings = await machine.read('project/sync.yaml');
    await machine.write({ 'project/sync.yaml': `${settings}timing: { settleSeconds: 0 }\n` });
    await runAction(machine, inProject('plan'));
    await runAction(machine, inProject('apply'));
    const call = (method: string, path: string, body?: object): Promise<Response> =>
      fetch(machine.sandbox.url + path, {
        method,
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    const { data } = (await (await call('GET', '/v3/apis')).json()) as { data: { id: string; name: string }[] };
    const pets = data.find(({ name }) => name === 'pets');
    await call('DELETE', `/v3/apis/${pets?.id ?? ''}?force=true`);
    const env = { GITHUB_STEP_SUMMARY: machine.path('summary.md') };
    expect(await runAction(machine, inProject('drift'), env)).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } });
    expect(await machine.read('summary.md')).toContain('pets');

    const tracker = await fakeGithubIssues();
    try {
      const given = inProject('drift', { issue: 'true', 'github-token': tracker.project.token ?? '' });
      const place = { GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: tracker.api.url };
      const kept = await runAction(machine, given, { ...env, ...place });
      expect(kept).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } });
      expect(await machine.read('temp/sync/drift.html')).toContain('pets');
      expect(tracker.issues).toMatchObject([{ state: 'open', body: expect.stringContaining('pets') as string }]);
    } finally {
      await tracker.api.close();
    }
  });

  it('takes names as they are: none of them becomes a command', async () => {
    const name = 'a $(touch hacked) `touch hacked`; touch hacked';
    await machine.write({ [`${name}/sync.yaml`]: 'project: shop\n', [`${name}/catalogue/a.yaml`]: 'resources: {}\n' });
    const folder = machine.path('temp', name);
    const hostile = { 'working-directory': name, folder, base: '"; touch hacked; "', stack: '$(touch hacked)' };
    await runAction(machine, { command: 'plan', ...hostile });
    const planned = await runAction(machine, { command: 'plan', 'working-directory': name, folder });
    expect(planned.code).toBe(0);
    expect(await shell('find . -name hacked', { cwd: machine.folder, env: machine.env })).toEqual({ code: 0, out: '' });
  });

  it('lets no command see the review token but comment and a drift with an issue, and shows no token at all', async () => {
    await machine.write({ 'home/bin/sync.js': 'console.log(process.argv[2], JSON.stringify(process.env));\n' });
    for (const [command, issue, isSeen] of [
      ['plan', 'true', false],
      ['apply', 'true', false],
      ['drift', 'false', false],
      ['drift', 'true', true],
      ['comment', 'false', true],
    ] as const) {
      await machine.write({ [planOf]: '{}' });
      const { out } = await runAction(machine, inProject(command, { issue }));
      expect(out.includes('canary-review-token')).toBe(isSeen);
      // The runner's own token writes artifacts and caches, and the inputs hold the other one.
      expect(out).not.toMatch(/canary-runtime-token|INPUT_/);
    }
  });

  it('installs and builds nothing in a user’s job', async () => {
    const tools = machine.path('tools');
    for (const tool of ['npm', 'npx', 'yarn']) {
      await machine.write({ [`tools/${tool}`]: `#!/bin/sh\necho "${tool} $*" >>"${machine.path('tools/log')}"\n` });
      await chmod(`${tools}/${tool}`, 0o755);
    }
    const env = { PATH: `${tools}:${machine.env['PATH'] ?? ''}` };
    expect((await runAction(machine, inProject('plan'), env)).code).toBe(0);
    expect(await machine.read('tools/log')).toBe('');
    for (const file of ['action.yml', 'templates/sync.yml', 'src/cli/ci.ts'])
      expect(await readFile(join(root, file), 'utf8')).not.toMatch(/\b(?:npm|npx|yarn) |build\.mjs/);
  });

  it('plans all stacks in one job, applies them, and tells of all in one comment', async () => {
    await machine.write({
      'project/sync.yaml':
        'project: shop\nparameters: { stage: { default: none } }\nstacks: { dev: { parameters: { stage: dev } }, prod: { parameters: { stage: prod } } }\n',
      'project/catalogue/pets.yaml':
        'resources:\n  pets: { type: platform:Api, properties: { name: "pets ${param.stage}" } }\n',
    });
    const all = { 'all-stacks': 'true' };
    const planned = await runAction(machine, inProject('plan', all));
    expect([planned.code, planned.outputs['has-changes']]).toEqual([0, 'true']);
    const applied = await runAction(machine, inProject('apply', all));
    expect(applied.code).toBe(0);
    expect(await machine.read('temp/sync/prod/result.json')).toContain('"status": "done"');
    const again = await runAction(machine, inProject('plan', all));
    expect([again.code, again.outputs['has-changes']]).toEqual([0, 'false']);
    await symlink('/tmp', machine.path('temp/sync/dev/link'));
    expect((await runAction(machine, inProject('apply', all))).out).toContain('holds a link');
  });

  it('leaves the variables of the job’s identity where that is asked for, and to no comment', async () => {
    await machine.write({ 'home/bin/sync.js': 'console.log(process.argv[2], JSON.stringify(process.env));\n' });
    const env = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'canary-id', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://id.example.com' };
    for (const [command, wanted, isSeen] of [
      ['plan', 'true', true],
      ['apply', 'true', true],
      ['drift', 'true', true],
      ['plan', 'false', false],
      ['comment', 'true', false],
    ] as const) {
      await machine.write({ [planOf]: '{}' });
      const { out } = await runAction(machine, inProject(command, { 'id-token': wanted }), env);
      expect([command, wanted, out.includes('canary-id')]).toEqual([command, wanted, isSeen]);
    }
  });

  it('is refused when it does not know the command', async () => {
    expect((await runAction(machine, inProject('destroy'))).code).toBe(64);
  });

  it('does not fail without the files a pipeline may leave out', async () => {
    await writeFile(machine.path('nothing'), '');
    const env = { ...machine.env, SYNC_HOME: machine.home, SYNC_DIR: 'project', SYNC_OUT: 'out dir' };
    const script = `node ${machine.home}/dist/ci.js plan`;
    expect((await shell(script, { cwd: machine.folder, env })).code).toBe(0);
    expect(await machine.read('out dir/plan.json')).toContain('"pets"');
  });
});

const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

describe('the action and its workflows', () => {
  it('take every input they declare, and no other', async () => {
    const { inputs } = await readAction();
    const [, table = ''] =
      /const variableOf = \{([^}]*)\}/.exec(await readFile(join(root, 'src/cli/ci.ts'), 'utf8')) ?? [];
    const taken = [...table.matchAll(/^ *'?([\w-]+)'?: /gm)].map(([, name = '']) => name);
    expect(['command', ...taken].sort()).toEqual(Object.keys(inputs).sort());
  });

  it('promise no output that the program does not give', async () => {
    const { outputs } = await readAction();
    const given = [...githubOutputs(plan({ effectDigest: 'e'.repeat(64) })).matchAll(/^([\w-]+)<</gm)].map(
      ([, name = '']) => name,
    );
    const promised = Object.keys(outputs);
    expect(promised.filter((name) => ![...given, 'exit-code', 'plan-file'].includes(name))).toEqual([]);
  });

  interface Workflow {
    readonly on: Readonly<Record<string, unknown>>;
    readonly permissions: unknown;
    readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': boolean };
    readonly jobs: Readonly<
      Record<
        string,
        {
          readonly permissions: Readonly<Record<string, string>>;
          readonly steps: readonly {
            uses?: string;
            run?: string;
            if?: string;
            'continue-on-error'?: boolean;
            with?: Record<string, unknown>;
          }[];
        }
      >
    >;
  }

  it('promise of queues what the platforms keep', async () => {
    const text = await readFile(join(root, 'ci/github/apply.yml'), 'utf8');
    // One run goes on and one waits: of those that wait the platform drops all but the newest, whatever is asked for.
    expect(text).toMatch(
      /none is cut off once it has begun\.\s+#?\s*Of several that wait the platform keeps the newest/,
    );
    expect(text.match(/cut off/g)).toHaveLength(1);
    for (const page of ['docs/guides/ci.md', 'docs/guides/review.md'])
      expect(await readFile(join(root, page), 'utf8')).not.toMatch(
        /none (?:of them )?is (?:cut off|lost|dropped)(?! once)/,
      );
  });

  it.each([
    // How the plan ended, how the apply did, whether the merged request is told, and as what if nothing was left.
    ['success', 'success', true, 'success'],
    ['success', 'failure', true, 'failure'],
    ['success', 'cancelled', true, 'cancelled'],
    ['success', 'skipped', false, ''],
    ['failure', 'skipped', true, 'failure'],
    ['cancelled', 'skipped', true, 'cancelled'],
  ])('tell the merged request of a plan that was a %s and an apply that was %s: %s', async (plan, apply, told, as) => {
    const [{ jobs }] = (await readYaml('ci/github/apply.yml')) as [
      { jobs: { comment: { if: string; needs: string[]; steps: { with: Record<string, string> }[] } } },
    ];
    const known = { 'needs.plan.result': plan, 'needs.apply.result': apply };
    expect(jobs.comment.needs).toEqual(['plan', 'apply']);
    expect(evaluated(jobs.comment.if, known)).toBe(told);
    const given = jobs.comment.steps.at(-1)?.with ?? {};
    if (told) expect([interpolated(given['ended'] ?? '', known), given['after']]).toEqual([as, 'apply']);
  });

  it.each(['review', 'review-forks', 'apply', 'apply-before-merge', 'drift'])(
    '%s keeps what a job left whatever became of it, and fetches all that a later one takes before it does',
    async (name) => {
      const [{ jobs }] = (await readYaml(`ci/github/${name}.yml`)) as [Pick<Workflow, 'jobs'>];
      const { folder } = (await readAction()).inputs;
      const kept = new Map<string, string>();
      for (const { steps } of Object.values(jobs)) {
        const at = steps.findIndex(({ uses }) => uses?.startsWith('OWNER/') === true);
        if (at < 0) continue;
        const command = String(steps[at]?.with?.['command']);
        const fetched = steps
          .slice(0, at)
          .filter(({ uses }) => uses?.startsWith('actions/download-artifact@') === true);
        expect(fetched.map((step) => step.with)).toEqual(
          [...kept.keys()]
            .filter((each) => command === 'comment' || each === 'sync-plan')
            .map((each) => ({ name: each, path: folder?.default })),
        );
        // Where there is nothing, a comment says so, and an apply has nothing to do.
        for (const step of fetched) expect(step['continue-on-error']).toBe(command === 'comment' ? true : undefined);
        const own = steps.slice(at + 1);
        expect(own.length).toBe(command === 'comment' ? 0 : 1);
        for (const { uses = '', if: condition, with: given = {} } of own) {
          expect([uses.split('@')[0], condition]).toEqual(['actions/upload-artifact', 'always()']);
          const paths = String(given['path']).trim().split('\n');
          expect(paths.every((path) => path.startsWith(folder?.default ?? 'none'))).toBe(true);
          kept.set(String(given['name']), command);
        }
      }
      expect([...kept.values()]).toEqual(
        name === 'drift' ? ['drift'] : name.startsWith('apply') ? ['plan', 'apply'] : ['plan'],
      );
    },
  );

  it.each([
    ['review', { plan: { contents: 'read' }, comment: { 'pull-requests': 'write', actions: 'read' } }, true],
    ['review-forks', { plan: { contents: 'read' }, comment: { 'pull-requests': 'write', actions: 'read' } }, true],
    [
      'apply',
      {
        ...{ plan: { contents: 'read' }, apply: { contents: 'read' } },
        comment: { 'pull-requests': 'write', actions: 'read' },
      },
      false,
    ],
    ['drift', { drift: { contents: 'read', issues: 'write' } }, false],
    [
      'apply-before-merge',
      {
        ...{ lock: { contents: 'write' }, plan: { contents: 'read' }, apply: { contents: 'read' } },
        comment: { 'pull-requests': 'write', actions: 'read' },
        unlock: { contents: 'write' },
      },
      false,
    ],
  ])('%s has the least rights, meets no other run of its kind, and calls what exists', async (name, rights, cancel) => {
    const [workflow] = (await readYaml(`ci/github/${name}.yml`)) as [Workflow];
    const { inputs } = await readAction();
    expect(workflow.permissions).toEqual({});
    expect(
      Object.fromEntries(Object.entries(workflow.jobs).map(([job, { permissions }]) => [job, permissions])),
    ).toEqual(rights);
    expect(workflow.concurrency['cancel-in-progress']).toBe(cancel);
    // Only runs of one and the same group wait for each other, and an apply waits for every other.
    if (name === 'apply') expect(workflow.concurrency.group).not.toContain('${{');
    // The one that gets secrets beside a stranger's files runs nothing of theirs: see review.test.ts.
    expect(Object.keys(workflow.on).includes('pull_request_target')).toBe(name === 'review-forks');
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    const ours = steps.filter(({ uses }) => uses === 'OWNER/platform-sync@COMMIT');
    const others = steps.filter((step) => !ours.includes(step));
    // The lock is a branch: git takes it and gives it back, and no expression stands in what a shell reads.
    expect(others.every(({ uses, run }) => (run === undefined ? pinned.test(uses ?? '') : !run.includes('${{')))).toBe(
      true,
    );
    expect(others.some(({ run }) => run !== undefined)).toBe(name === 'apply-before-merge');
    expect(ours.flatMap((step) => Object.keys(step.with ?? {})).filter((input) => !(input in inputs))).toEqual([]);
    expect(ours.every((step) => ['plan', 'comment', 'apply', 'drift'].includes(String(step.with?.['command'])))).toBe(
      true,
    );
  });
});
