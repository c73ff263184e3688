import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeGithub } from '../review/fake-platforms.js';
import { commitProject } from './git.js';
import { buildProgram, started, startMachine, type Machine, type Ran } from './recipe.js';

describe('the jobs of any pipeline', () => {
  const program = buildProgram();
  let machine: Machine;
  beforeEach(async () => {
    machine = await startMachine(program());
  });
  afterEach(() => machine.close());

  const around = (env: Readonly<Record<string, string>>): { cwd: string; env: Readonly<Record<string, string>> } => ({
    cwd: machine.folder,
    env: { ...machine.env, SYNC_DIR: 'project', SYNC_OUT: 'out folder', ...env },
  });
  /** As a pipeline calls it: settings from the environment, nothing of another CI system. */
  const step = (command: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
    started(['node', `${machine.home}/dist/ci.js`, ...(command === '' ? [] : [command])], around(env));

  it('a link in place of the folder of reports ends the job, and nothing behind it is touched', async () => {
    const victim = join(machine.folder, 'victim');
    await mkdir(victim);
    await writeFile(join(victim, 'plan.json'), 'mine');
    await mkdir(join(victim, 'deep'));
    await symlink('victim', join(machine.folder, 'led'));
    await symlink('.', join(machine.folder, 'round'));
    for (const given of ['led', 'led/', 'led/deep', './led/deep/new', 'round/led', `${machine.folder}/led/deep`]) {
      const { code, out } = await step('plan', { SYNC_OUT: given });
      expect([code, out]).toEqual([1, expect.stringContaining('is a link')]);
    }
    expect(await readFile(join(victim, 'plan.json'), 'utf8')).toBe('mine');
  });

  it('keeps its reports where no commit reaches, unless it is told where', async () => {
    commitProject(machine);
    await machine.write({ 'sync-out/result.json': '{}' });
    expect((await step('plan', { SYNC_OUT: '' })).code).toBe(0);
    expect(await machine.read('.git/sync-out/plan.md')).toContain('pets');
    expect((await step('apply', { SYNC_OUT: '' })).code).toBe(0);
    expect(JSON.parse(await machine.read('.git/sync-out/result.json'))).toMatchObject({ status: 'done' });
    expect(await machine.read('sync-out/result.json')).toBe('{}');
    await machine.remove('.git');
    const { code, out } = await step('plan', { SYNC_OUT: '' });
    expect([code, out]).toEqual([1, expect.stringContaining('by SYNC_OUT')]);
  });

  it('plan, comment, apply that very plan, and look for drift', async () => {
    const planned = await step('plan');
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('1 to create')]);
    for (const file of ['plan.json', 'plan.md', 'plan.html', 'plan.sarif', 'plan.txt'])
      expect(await machine.read(`out folder/${file}`), file).toContain('pets');

    const review = await fakeGithub();
    try {
      const commented = await step('comment', {
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_REF: 'refs/pull/5/merge',
        GITHUB_SHA: 'a'.repeat(40),
        GITHUB_API_URL: review.api.url,
        GITHUB_TOKEN: review.request.token ?? '',
      });
      expect(commented.code).toBe(0);
      expect(review.comments.map(({ body }) => body)).toEqual([expect.stringContaining('pets')]);
    } finally {
      await review.api.close();
    }
    expect((await step('apply')).code).toBe(0);
    expect(JSON.parse(await machine.read('out folder/result.json'))).toMatchObject({ status: 'done', exitCode: 0 });
    expect((await step('apply')).code).toBe(5);
    expect((await step('drift')).code).toBe(0);
    expect(await machine.read('out folder/drift.md')).toContain('No drift');
  });

  it('asks nobody where nothing is dangerous and no policy speaks', async () => {
    const unasked = { SYNC_APPROVAL: 'when-dangerous' };
    const left = { code: 0, out: expect.stringContaining('Nothing is applied unasked') };
    await step('plan');
    expect(await step('apply', unasked)).toMatchObject({ code: 0, out: expect.stringContaining('created pets') });
    await step('plan');
    expect(await step('apply', unasked)).toMatchObject(left);
    const settings = await machine.read('project/sync.yaml');
    const rules =
      "rules: [{name: named, level: advise, match: {actions: [create]}, expression: step.address != 'cats'}]\n";
    await machine.write({
      'project/catalogue/cats.yaml': 'resources: {cats: {type: platform:Api}}\n',
      'project/policies/rules.yaml': rules,
      'project/sync.yaml': `${settings}\npolicies: policies/*.yaml\n`,
    });
    await step('plan');
    expect(await step('apply', unasked)).toMatchObject(left);
    await machine.write({ 'project/policies/rules.yaml': rules.replace('cats', 'dogs') });
    await step('plan');
    expect(await step('apply', unasked)).toMatchObject({ code: 0, out: expect.stringContaining('created cats') });
    await machine.write({ 'project/catalogue/cats.yaml': 'resources: {}\n' });
    await step('plan');
    expect(await step('apply', unasked)).toMatchObject(left);
  });

  it('takes the code of the program as its own, whatever it is', async () => {
    await step('plan');
    await step('apply');
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const listed = await fetch(`${machine.sandbox.url}/v3/apis`, { headers });
    const { data } = (await listed.json()) as { data: { id: string; name: string }[] };
    const id = data.find(({ name }) => name === 'pets')?.id ?? '';
    await fetch(`${machine.sandbox.url}/v3/apis/${id}`, {
      method: 'PATCH',
      headers,
      body: '{"description":"clicked"}',
    });
    expect((await step('drift')).code).toBe(2);
    await machine.write({ 'project/catalogue/pets.yaml': 'resources: {}\n' });
    expect((await step('plan')).code).toBe(4);
    const lifted = { SYNC_ALLOW: 'maxDeletes emptyCatalogue', SYNC_REASON: "it's over" };
    expect((await step('plan', lifted)).code).toBe(0);
    expect(JSON.parse(await machine.read('out folder/plan.json'))).toMatchObject({
      guards: [{ name: 'emptyCatalogue', lifted: "it's over" }],
    });
    await machine.write({ 'project/catalogue/pets.yaml': 'resources: {pets: {type: platform:Nothing}}\n' });
    expect((await step('plan')).code).toBe(1);
    expect((await step('apply')).code).toBe(1);
    expect(JSON.parse(await machine.read('out folder/result.json'))).toMatchObject({ status: 'failed', steps: [] });
    expect((await step('everything')).code).toBe(64);
    expect((await step('')).code).toBe(64);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'hands a %s on once, waits for what was begun, and leaves its result',
    async (signal) => {
      await step('plan');
      const slow = { match: { method: 'POST', route: '/v3/apis' }, action: { delayMs: 2000, when: 'after-commit' } };
      await fetch(`${machine.sandbox.url}/_sandbox/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify([slow]),
      });
      const isMade = async (): Promise<boolean> =>
        (await (await fetch(`${machine.sandbox.url}/_sandbox/objects`)).text()).includes('"name":"pets"');
      const output = { GITHUB_OUTPUT: machine.path('output') };
      const ended = started(['node', `${machine.home}/dist/ci.js`, 'apply'], around(output), (child) => {
        const watch = setInterval(() => {
          void isMade().then((isThere) => {
            if (!isThere || child.killed) return;
            clearInterval(watch);
            child.kill(signal);
          });
        }, 50);
        child.once('close', () => clearInterval(watch));
      });
      expect((await ended).code).toBe(signal === 'SIGINT' ? 130 : 143);
      expect(await machine.read('output')).toContain(`exit-code=${signal === 'SIGINT' ? 130 : 143}`);
      const { steps } = JSON.parse(await machine.read('out folder/result.json')) as { steps: { outcome: string }[] };
      expect(steps.map(({ outcome }) => outcome)).toEqual(['done']);
    },
  );
});
