import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeGitlab } from '../review/fake-platforms.js';
import { buildProgram, readYaml, shell, startMachine } from './recipe.js';
import type { Machine, Ran } from './recipe.js';

interface Job {
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[]; readonly reports?: Readonly<Record<string, string>> };
  readonly resource_group?: string;
  readonly interruptible?: boolean;
  readonly needs?: readonly string[];
}
interface Component {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const inputs: Readonly<Record<string, string>> = { package: 'platform-sync@0.1.0', directory: 'project' };

async function readComponent(): Promise<Component> {
  const [header, body] = (await readYaml('ci/gitlab/sync.yml')) as [{ spec: Pick<Component, 'inputs'> }, unknown];
  const declared = header.spec.inputs;
  const text = JSON.stringify(body).replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_whole, name: string) => {
    const value = inputs[name] ?? declared[name]?.default;
    if (value === undefined) throw new Error(`no input ${name}`);
    return value;
  });
  return { inputs: declared, jobs: JSON.parse(text) as Component['jobs'] };
}

describe('the gitlab component', () => {
  const program = buildProgram();
  let machine: Machine;
  beforeEach(async () => {
    machine = await startMachine(program());
    await machine.write({ 'bin/npm': `#!/bin/sh\necho "npm $*" >>"${machine.path('npm.log')}"\n` });
    await chmod(machine.path('bin/npm'), 0o755);
  });
  afterEach(() => machine.close());

  /** A runner joins the lines of both scripts into one shell. */
  async function run(name: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const { jobs } = await readComponent();
    const { '.sync': base, [name]: job } = jobs;
    if (base === undefined || job === undefined) throw new Error(`no job ${name}`);
    const predefined = { ...machine.env, GITLAB_CI: 'true', CI_PROJECT_DIR: machine.folder, ...env };
    const variables = Object.entries({ ...base.variables, ...job.variables }).map(([key, value]) => [
      key,
      value.replaceAll('$CI_PROJECT_DIR', machine.folder),
    ]);
    const script = [...(base.before_script ?? []), ...(job.script ?? [])].join('\n');
    return shell(script, { cwd: machine.folder, env: { ...predefined, ...Object.fromEntries(variables) } });
  }

  it('plans, comments, applies that very plan, and looks for drift', async () => {
    expect((await run('sync-plan')).code).toBe(0);
    const { jobs } = await readComponent();
    const { reports = {}, paths = [] } = jobs['sync-plan']?.artifacts ?? {};
    for (const file of Object.values(reports)) expect(JSON.parse(await machine.read(file))).toBeTypeOf('object');
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
    expect(await machine.read('npm.log')).toContain(
      'npm install --global --ignore-scripts --no-audit --no-fund platform-sync@0.1.0\n',
    );
  });

  it('compares with the commit where the branch began', async () => {
    const git = (...args: string[]): string =>
      execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args],
        {
          cwd: machine.folder,
          encoding: 'utf8',
          env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        },
      );
    git('init', '--quiet');
    git('add', 'project');
    git('commit', '--quiet', '--message=base');
    await machine.write({ 'project/catalogue/cats.yaml': 'resources:\n  cats: {type: platform:Api}\n' });
    expect((await run('sync-plan', { SYNC_BASE: git('rev-parse', 'HEAD').trim() })).code).toBe(0);
    expect(JSON.parse(await machine.read('sync-out/plan.json'))).toMatchObject({
      meta: { origins: { cats: 'branch', pets: 'pending' } },
    });
  });

  it('pins its image and lets two applies of a stack never meet', async () => {
    const { jobs, inputs: declared } = await readComponent();
    expect(declared['image']?.default).toMatch(/:\d+\.\d+\.\d+-/);
    expect(declared['package']).not.toHaveProperty('default');
    expect(jobs['sync-apply']).toMatchObject({
      resource_group: 'sync-default',
      interruptible: false,
      needs: ['sync-plan'],
    });
    const withGroup = Object.entries(jobs).filter(([, job]) => job.script?.some((line) => line.includes(' apply ')));
    expect(withGroup.map(([name]) => name)).toEqual(['sync-apply']);
  });
});
