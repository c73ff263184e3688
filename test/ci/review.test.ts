import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAction } from './action.js';
import { commitProject } from './git.js';
import { buildProgram, readYaml, shell, startMachine, type Machine } from './recipe.js';

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: Readonly<Record<string, string>>;
        readonly environment?: string;
        readonly steps: readonly {
          readonly uses?: string;
          readonly run?: string;
          readonly with?: Readonly<Record<string, string | number | boolean>>;
          readonly env?: Readonly<Record<string, string>>;
        }[];
      }
    >
  >;
}

const hostile = 'project: shop\nproviders: {platform: {serverUrl: "https://foreign.test"}}\n';
const base = 'refs/remotes/origin/main';

describe.each([
  ['ci/github/review.yml', 'pull_request', undefined],
  ['ci/github/review-forks.yml', 'pull_request_target', 'review-forks'],
])('%s', (file, event, environment) => {
  const program = buildProgram();
  let machine: Machine;
  let workflow: Workflow;
  beforeEach(async () => {
    machine = await startMachine(program());
    workflow = (await readYaml(file))[0] as Workflow;
  });
  afterEach(() => machine.close());

  it('gives the job that reads the proposal no token that writes, and the one that writes none of the platform', () => {
    const { on, permissions, jobs } = workflow;
    expect([Object.keys(on), permissions, Object.keys(jobs)]).toEqual([[event], {}, ['plan', 'comment']]);
    expect([jobs['plan']?.permissions, jobs['plan']?.environment]).toEqual([{ contents: 'read' }, environment]);
    expect(jobs['comment']?.permissions).toEqual({ 'pull-requests': 'write', actions: 'read' });
    expect(JSON.stringify(jobs['comment'])).not.toContain('secrets.');
    expect(JSON.stringify(jobs['plan'])).not.toMatch(/secrets\.(?!PLATFORM_SPAT_READ|SYNC_STATE_URL_READ)/);
  });

  it('runs nothing of the proposal', () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    expect(steps.filter(({ run }) => run !== undefined)).toEqual([]);
    for (const { uses = '' } of steps)
      expect(uses).toMatch(/^(?:OWNER\/platform-sync@COMMIT|[\w-]+\/[\w-]+@[0-9a-f]{40})$/);
    const checkout = workflow.jobs['plan']?.steps.find(({ uses }) => uses?.startsWith('actions/checkout@') === true);
    expect(checkout?.with?.['persist-credentials']).toBe(false);
  });

  it('plans it with the settings of the default branch', async () => {
    commitProject(machine);
    execFileSync('git', ['update-ref', base, 'HEAD'], { cwd: machine.folder });
    await machine.write({ 'project/sync.yaml': hostile });
    const given = workflow.jobs['plan']?.steps.find(({ with: inputs }) => inputs?.['command'] === 'plan')?.with ?? {};
    const inputs = Object.entries(given).map(([name, value]) => [
      name,
      String(value).replace('${{ github.event.repository.default_branch }}', 'main'),
    ]);
    const ran = await runAction(machine, {
      ...(Object.fromEntries(inputs) as Record<string, string>),
      'working-directory': 'project',
    });
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('base-settings-used')]);
  });
});

describe('a job of any other pipeline', () => {
  const program = buildProgram();
  let machine: Machine;
  beforeEach(async () => {
    machine = await startMachine(program());
  });
  afterEach(() => machine.close());

  it('plans a proposal with the settings of the base', async () => {
    commitProject(machine);
    await machine.write({ 'project/sync.yaml': hostile });
    const job = `node ${machine.home}/dist/ci.js plan`;
    const env = { ...machine.env, SYNC_DIR: 'project', SYNC_BASE: 'HEAD', SYNC_UNTRUSTED: 'true' };
    const ran = await shell(job, { cwd: machine.folder, env });
    expect([ran.code, ran.out]).toEqual([0, expect.stringContaining('base-settings-used')]);
    const other = await shell(job, {
      cwd: machine.folder,
      env: { ...env, SYNC_UNTRUSTED: 'false' },
    });
    expect([other.code, other.out]).toEqual([1, expect.stringContaining('address-not-trusted')]);
  });
});
