import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeGitlabIssues } from '../review/fake-issues.js';
import { fakeGitlab } from '../review/fake-platforms.js';
import { readComponent, runJob } from './component.js';
import { commitHome, commitProject } from './git.js';
import { buildProgram, readYaml, shell, startMachine, type Machine } from './recipe.js';

const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'];

describe('the gitlab component', () => {
  const program = buildProgram();
  let machine: Machine;
  let given: Readonly<Record<string, string>>;
  beforeEach(async () => {
    machine = await startMachine(program());
    given = { source: machine.home, commit: commitHome(machine), directory: 'project' };
    await machine.write({ 'bin/npm': `#!/bin/sh\necho "npm $*" >>"${machine.path('npm.log')}"\n` });
    await chmod(machine.path('bin/npm'), 0o755);
  });
  afterEach(() => machine.close());

  it.each([
    ['bash', bash],
    ['a plain shell', ['sh', '-e']],
  ])('plans, comments, applies that very plan, and looks for drift with %s', async (_name, sh) => {
    const component = await readComponent(given);
    const run = (name: string, env?: Record<string, string>) => runJob(machine, component, name, env, sh);
    expect((await run('sync-plan')).code).toBe(0);
    const { reports = {}, paths = [] } = component.jobs['sync-plan']?.artifacts ?? {};
    for (const [file = ''] of Object.values(reports)) expect(JSON.parse(await machine.read(file))).toBeTypeOf('object');
    expect([Object.keys(reports).sort(), paths]).toEqual([['codequality', 'terraform'], ['sync-out']]);

    const review = await fakeGitlab();
    try {
      const commented = await run('sync-comment', {
        CI_PROJECT_ID: '12',
        CI_MERGE_REQUEST_IID: '5',
        CI_COMMIT_SHA: 'a'.repeat(40),
        CI_API_V4_URL: review.request.apiUrl,
        GITLAB_TOKEN: review.request.token ?? '',
      });
      expect(commented.code).toBe(0);
      expect(review.comments.map(({ body }) => body)).toEqual([expect.stringContaining('pets')]);
    } finally {
      await review.api.close();
    }
    expect((await run('sync-apply')).code).toBe(0);
    expect(JSON.parse(await machine.read('sync-out/result.json'))).toMatchObject({ status: 'done' });
    expect((await run('sync-apply')).code).toBe(5);
    expect((await run('sync-drift')).code).toBe(0);
    expect(await machine.read('npm.log')).toBe('');
  });

  it('keeps a drift issue where that is asked for', async () => {
    const component = await readComponent({ ...given, 'drift-issue': 'true' });
    const tracker = await fakeGitlabIssues();
    try {
      const place = { CI_PROJECT_ID: '12', CI_API_V4_URL: tracker.project.apiUrl };
      const env = { ...place, GITLAB_TOKEN: tracker.project.token ?? '' };
      await machine.write({ 'project/catalogue/pets.yaml': 'resources: {pets: {type: platform:Nothing}}\n' });
      expect((await runJob(machine, component, 'sync-drift', env)).code).toBe(1);
      expect(tracker.issues).toMatchObject([{ state: 'open', title: 'Drift: shop, stack default' }]);
      await machine.write({ 'project/catalogue/pets.yaml': 'resources: {}\n' });
      expect((await runJob(machine, component, 'sync-drift', env)).code).toBe(0);
      expect(tracker.issues).toMatchObject([{ state: 'closed' }]);
    } finally {
      await tracker.api.close();
    }
  });

  it('compares with the commit where the branch began', async () => {
    const base = commitProject(machine);
    await machine.write({ 'project/catalogue/cats.yaml': 'resources:\n  cats: {type: platform:Api}\n' });
    const component = await readComponent(given);
    expect((await runJob(machine, component, 'sync-plan', { SYNC_BASE: base })).code).toBe(0);
    expect(JSON.parse(await machine.read('sync-out/plan.json'))).toMatchObject({
      meta: { origins: { cats: 'branch', pets: 'pending' } },
    });
  });

  it('lifts the guards that its inputs name, with the reason that they give', async () => {
    const component = await readComponent(given);
    expect((await runJob(machine, component, 'sync-plan')).code).toBe(0);
    expect((await runJob(machine, component, 'sync-apply')).code).toBe(0);
    await machine.write({ 'project/catalogue/pets.yaml': 'resources: {}\n' });
    expect((await runJob(machine, component, 'sync-plan')).code).toBe(4);
    const inputs = { allow: 'maxDeletes emptyCatalogue', reason: "it's over" };
    const lifting = await readComponent({ ...given, ...inputs });
    expect((await runJob(machine, lifting, 'sync-plan')).code).toBe(0);
    expect(JSON.parse(await machine.read('sync-out/plan.json'))).toMatchObject({
      guards: [{ name: 'emptyCatalogue', lifted: "it's over" }],
    });
  });

  it('takes names as they are: none of them becomes a command', async () => {
    const name = 'a $(touch hacked) `touch hacked`; touch hacked "\'';
    await machine.write({ [`${name}/sync.yaml`]: 'project: shop\n', [`${name}/catalogue/a.yaml`]: 'resources: {}\n' });
    const component = await readComponent({ ...given, directory: name });
    expect((await runJob(machine, component, 'sync-plan')).code).toBe(0);
    await runJob(machine, component, 'sync-plan', { SYNC_BASE: '$(touch hacked)"; touch hacked' });
    await runJob(machine, await readComponent({ ...given, stack: name }), 'sync-drift');
    expect((await runJob(machine, await readComponent({ ...given, source: name }), 'sync-plan')).code).not.toBe(0);
    expect((await runJob(machine, await readComponent({ ...given, commit: name }), 'sync-plan')).code).not.toBe(0);
    expect(await shell('find . -name hacked', { cwd: machine.folder, env: machine.env })).toEqual({ code: 0, out: '' });
  });

  it('pins its image, and lets two applies of a stack never meet', async () => {
    const { jobs, inputs } = await readComponent(given);
    expect(inputs['image']?.default).toMatch(/:\d+\.\d+\.\d+-/);
    for (const name of ['source', 'commit']) expect(inputs[name]).not.toHaveProperty('default');
    expect(jobs['sync-apply']).toMatchObject({
      resource_group: 'sync',
      interruptible: false,
      needs: ['sync-plan'],
    });
    const applying = Object.entries(jobs).filter(([, job]) => job.script?.some((line) => line.endsWith(' apply')));
    expect(applying.map(([name]) => name)).toEqual(['sync-apply']);
    // Whoever applies unasked does it as that job does.
    expect(jobs['sync-apply-unasked']).toMatchObject({ extends: 'sync-apply' });
  });

  it('runs the very commit it is told, and none that a branch may be moved to', async () => {
    execFileSync('git', ['branch', 'pinned'], { cwd: machine.home });
    const moved = await runJob(machine, await readComponent({ ...given, commit: 'pinned' }), 'sync-plan');
    expect(moved.code).not.toBe(0);
    expect(await machine.read('npm.log')).toBe('');
  });

  it('gives each job the tokens it needs, and no other', async () => {
    await machine.write({ 'home/bin/sync.js': 'console.log(process.argv[2], JSON.stringify(process.env));\n' });
    const own = await readComponent({ ...given, commit: commitHome(machine) });
    const seen = async (job: string, env: Record<string, string> = {}): Promise<readonly string[]> => {
      const { out } = await runJob(machine, own, job, {
        GITLAB_TOKEN: 'canary-gitlab',
        CI_JOB_TOKEN: 'canary-job',
        PLATFORM_SPAT: 'canary-spat',
        ...env,
      });
      expect(out).toContain('{"');
      return ['canary-gitlab', 'canary-job', 'canary-spat'].filter((canary) => out.includes(canary));
    };
    expect(await seen('sync-plan')).toEqual(['canary-spat']);
    expect(await seen('sync-comment')).toEqual(['canary-gitlab', 'canary-job']);
    expect(await seen('sync-apply')).toEqual(['canary-spat']);
    expect(await seen('sync-drift')).toEqual(['canary-spat']);
    const scoped = Object.entries(own.jobs).filter(([, job]) => job.environment?.name === 'sync-review');
    expect(scoped.map(([name]) => name)).toEqual(['sync-comment', 'sync-applied', 'sync-drift']);
  });

  it('plans merge requests with the settings of the default branch', async () => {
    commitProject(machine);
    const { jobs } = await readComponent(given);
    const [first] = jobs['sync-plan']?.rules ?? [];
    expect(first?.if).toContain('merge_request_event');
    const variables = Object.fromEntries(
      Object.entries(first?.variables ?? {}).map(([name, value]) => [
        name,
        value.replace('$CI_DEFAULT_BRANCH', 'main'),
      ]),
    );
    execFileSync('git', ['update-ref', variables['SYNC_BASE'] ?? '', 'HEAD'], { cwd: machine.folder });
    await machine.write({
      'project/sync.yaml': 'project: shop\nproviders: {platform: {serverUrl: "https://foreign.test"}}\n',
    });
    const ran = await runJob(machine, await readComponent(given), 'sync-plan', variables);
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('base-settings-used')]);
  });

  const forged = JSON.stringify({
    ...{ kind: 'apply-result', status: 'done', steps: [{ address: 'forged', action: 'create', outcome: 'done' }] },
    ...{ outputs: {}, diagnostics: [], requests: 0, project: 'shop', stack: 'default' },
    pipeline: { repository: '12', commit: 'a'.repeat(40), run: 9 },
  });
  const job = {
    ...{ CI_PROJECT_ID: '12', CI_MERGE_REQUEST_IID: '5', CI_COMMIT_SHA: 'a'.repeat(40) },
    ...{ CI_PIPELINE_ID: '9', CI_PIPELINE_IID: '3' },
  };

  it.each<[string, (at: (name: string) => string) => Promise<unknown>, boolean]>([
    ['a result', (at) => writeFile(at('result.json'), forged), true],
    ['a page', (at) => writeFile(at('plan.html'), forged), true],
    ['a folder in place of a result', (at) => mkdir(at('result.json/x'), { recursive: true }), true],
    ['a plan', (at) => writeFile(at('plan.json'), forged), false],
    ['a link in place of the plan', (at) => symlink('../victim/plan.json', at('plan.json')), false],
    ['a link in place of a page', (at) => symlink('../victim/plan.md', at('plan.md')), true],
  ])('tells of the plan that it made, or nothing, whatever the proposal brings along: %s', async (_, bring, isTold) => {
    for (const folder of ['sync-out', 'victim']) await mkdir(machine.path(folder));
    for (const name of ['plan.json', 'plan.md', 'result.json']) await machine.write({ [`victim/${name}`]: 'mine' });
    await bring((name) => machine.path('sync-out', name));
    commitProject(machine, 'sync-out');
    const component = await readComponent(given);
    const review = await fakeGitlab();
    try {
      expect((await runJob(machine, component, 'sync-plan', job)).code).toBe(0);
      // A runner makes the checkout anew for the next job, and puts over it what this one left.
      execFileSync('cp', ['-R', 'sync-out', 'artifact'], { cwd: machine.folder });
      execFileSync('git', ['checkout', '--quiet', '--', '.'], { cwd: machine.folder });
      execFileSync('cp', ['-R', '--remove-destination', 'artifact/.', 'sync-out'], { cwd: machine.folder });
      const host = { CI_API_V4_URL: review.request.apiUrl, GITLAB_TOKEN: review.request.token ?? '' };
      const told = await runJob(machine, component, 'sync-comment', { ...job, ...host });
      expect([told.code, review.comments.map(({ body }) => body)]).toEqual(
        isTold ? [0, [expect.stringContaining('pets')]] : [1, []],
      );
      if (!isTold) expect(told.out).toContain('is part of the repository');
      expect(review.comments.map(({ body }) => body).join()).not.toContain('forged');
    } finally {
      await review.api.close();
    }
    for (const name of ['plan.json', 'plan.md', 'result.json'])
      expect(await machine.read(`victim/${name}`)).toBe('mine');
  });

  it.each(['victim', 'deep/../victim', '.'])('writes and removes nothing through a link to %s', async (target) => {
    for (const folder of ['victim', 'deep']) await mkdir(machine.path(folder));
    for (const name of ['plan.json', 'result.json']) await machine.write({ [`victim/${name}`]: 'mine' });
    await symlink(target, machine.path('sync-out'));
    commitProject(machine, 'sync-out');
    const component = await readComponent(given);
    for (const name of ['sync-plan', 'sync-comment', 'sync-apply', 'sync-drift']) {
      const { code, out } = await runJob(machine, component, name, job);
      expect([name, code, out]).toEqual([name, 1, expect.stringContaining('sync-out is a link')]);
    }
    expect((await readdir(machine.path('victim'))).sort()).toEqual(['plan.json', 'result.json']);
    expect(await machine.read('victim/result.json')).toBe('mine');
  });

  it('uses every input it declares, and none in a script', async () => {
    const { inputs, used } = await readComponent(given);
    const names = Object.keys(inputs);
    expect([...new Set(used)].sort()).toEqual([...names].sort());
    const { jobs } = await readComponent(Object.fromEntries(names.map((name) => [name, `probe-${name}`])));
    const scripts = Object.values(jobs).flatMap((job) => [...(job.before_script ?? []), ...(job.script ?? [])]);
    expect(scripts.filter((line) => line.includes('probe-'))).toEqual([]);
    expect(scripts.length).toBeGreaterThan(4);
  });

  it('has jobs that find each other, under any prefix', async () => {
    const { jobs } = await readComponent({ ...given, prefix: 'eu' });
    const names = Object.keys(jobs);
    expect(names).toEqual(['.eu', 'eu-plan', 'eu-comment', 'eu-apply', 'eu-apply-unasked', 'eu-applied', 'eu-drift']);
    for (const job of Object.values(jobs))
      expect([...(job.needs ?? []), job.extends ?? '.eu'].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('is used by the example as it is declared', async () => {
    const [example] = (await readYaml('ci/gitlab/.gitlab-ci.yml')) as [
      { stages: string[]; include: { component: string; inputs: Record<string, string> }[] },
    ];
    const components = await Promise.all(example.include.map(async ({ inputs }) => readComponent(inputs)));
    const names = components.flatMap(({ jobs }) => Object.keys(jobs));
    expect(new Set(names).size).toBe(names.length);
    expect(example.stages).toEqual(['test', 'deploy']);
    for (const { component } of example.include)
      expect(component).toBe('$CI_SERVER_FQDN/GROUP/platform-sync/sync@COMMIT');
  });
});
