import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlanBase } from '@platform-sync/engine/api';
import type { Plan } from '@platform-sync/core/model/plan';
import type { JsonObject } from '@platform-sync/core/model/value';
import { serializePlan } from '@platform-sync/engine/plan/saved-plan';
import { makeWorld, type World } from '../harness/world.js';

const api = (properties: JsonObject): JsonObject => ({ type: 'platform:Api', properties });
const settings = 'project: test\nguards: {maxDeletePercent: 100}\n';
const files = (resources: JsonObject, more: JsonObject = {}): Record<string, string | JsonObject> => ({
  'sync.yaml': settings,
  'catalogue/all.yaml': { resources, ...more },
});

// As applied, as merged but not applied yet, and as the branch has it.
const applied = { pets: api({ description: 'one' }), cats: api({}), dogs: api({ description: 'good' }) };
const merged = { ...applied, pets: api({ description: 'two' }), birds: api({}) };
const branch = { ...merged, birds: api({ version: '2' }), fish: api({}) };

describe('a plan with a base', () => {
  let world: World;
  let base: string;
  beforeEach(async () => {
    world = await makeWorld();
    base = await mkdtemp(join(tmpdir(), 'sync-base-test-'));
    await world.write(files(applied));
    await world.apply();
  });
  afterEach(async () => {
    await world.close();
    await rm(base, { recursive: true, force: true });
  });

  async function writeBase(content: Record<string, string | JsonObject>): Promise<void> {
    for (const [name, text] of Object.entries(content)) {
      await mkdir(dirname(join(base, name)), { recursive: true });
      await writeFile(join(base, name), typeof text === 'string' ? text : JSON.stringify(text));
    }
  }

  async function driftOfDogs(): Promise<void> {
    const { body } = await world.call('GET', '/v3/apis?filter[name][eq]=dogs');
    const { data } = body as { data: { id: string }[] };
    const { status } = await world.call('PATCH', `/v3/apis/${data[0]?.id ?? ''}`, { description: 'bad' });
    expect(status).toBe(200);
  }

  const origins = (plan: Plan): unknown => plan.meta.origins;

  it('tells what the branch changes, what was pending, and what was changed by hand', async () => {
    await writeBase(files(merged));
    await world.write(files(branch));
    await driftOfDogs();
    expect(origins(await world.plan({ base: { folder: base } }))).toEqual({
      pets: 'pending',
      birds: 'branch',
      fish: 'branch',
      dogs: 'drift',
    });
  });

  it('tells deletes apart, too', async () => {
    await writeBase(files({ pets: merged.pets, dogs: merged.dogs }));
    await world.write(files({ pets: merged.pets }));
    expect(origins(await world.plan({ base: { folder: base } }))).toEqual({
      pets: 'pending',
      cats: 'pending',
      dogs: 'branch',
    });
  });

  it('is the same plan as without one, reads nothing twice, and can be applied', async () => {
    await writeBase(files(merged));
    await world.write(files(branch));
    await world.resetRequests();
    const plain = await world.plan();
    const { byRoute } = await world.requests();
    await world.resetRequests();
    const marked = await world.plan({ base: { folder: base } });
    expect((await world.requests()).byRoute).toEqual(byRoute);
    const schema = JSON.parse(await readFile(new URL('../../schemas/plan.schema.json', import.meta.url), 'utf8'));
    const isValid = new Ajv2020({ formats: { uuid: true, 'date-time': true } }).compile(schema as object);
    expect([isValid(JSON.parse(serializePlan(marked))), isValid.errors]).toEqual([true, null]);
    const { meta: _plain, ...expected } = plain;
    const { meta: _marked, ...body } = marked;
    expect(body).toEqual(expected);
    const result = await world.open((project) => project.applyReviewed(marked));
    expect(result.status).toBe('done');
  });

  it('asks for what only the base needs without binding the plan to it', async () => {
    const lookup = {
      'fn::invoke': { function: 'platform:getTeam', arguments: { filter: { name: { eq: 'nobody' } } } },
    };
    await writeBase(files({ ...merged, extra: api({ description: lookup }) }));
    await world.write(files(branch));
    const { plan, diagnostics } = await world.planResult({ base: { folder: base } });
    expect(plan?.lookups).toEqual({});
    expect(plan?.meta.origins).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'base-not-planned', severity: 'warning', detail: expect.any(String) }]);
  });

  const unusable: readonly (readonly [string, Record<string, string | JsonObject>, string])[] = [
    ['has no project', {}, 'base-without-project'],
    ['has errors', files({ pets: api({ nmae: 'x' }) }), 'base-not-planned'],
    ['has a broken sync.yaml', { 'sync.yaml': 'project: [' }, 'base-not-planned'],
  ];
  it.each(unusable)('a base that %s is a warning, and the plan is whole', async (_name, content, code) => {
    await writeBase(content);
    await world.write(files(branch));
    const { plan, diagnostics } = await world.planResult({ base: { folder: base } });
    expect(diagnostics.map((found) => [found.code, found.severity])).toEqual([[code, 'warning']]);
    expect(plan?.steps).toHaveLength(3);
    expect(plan?.meta).toMatchObject({ base });
    expect(plan?.meta.origins).toBeUndefined();
  });

  it('knows a stack that the branch brings along', async () => {
    await writeBase(files(merged));
    await world.write({ ...files({ newts: api({}) }), 'sync.yaml': `${settings}stacks: {default: {}, next: {}}\n` });
    const planned = await world.open((project) => project.plan({ base: { folder: base } }), { stack: 'next' });
    expect(planned.diagnostics.map(({ code }) => code)).toEqual(['base-without-project']);
  });

  describe('that is a commit', () => {
    const git = (...args: string[]): string =>
      execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args],
        {
          cwd: world.folder,
          encoding: 'utf8',
          env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
        },
      );
    const plan = (ref: string): Promise<Plan> => world.plan({ base: { ref } });
    const problems = async (planBase: PlanBase): Promise<readonly string[]> =>
      (await world.planResult({ base: planBase })).diagnostics.map(({ code }) => code);
    // A folder of their own for temporary files: what is left over there, this test left.
    const leftOver = (): Promise<readonly string[]> => readdir(temporary);
    const usual = process.env['TMPDIR'];
    let temporary: string;
    afterEach(async () => {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
      await rm(temporary, { recursive: true, force: true });
    });

    beforeEach(async () => {
      temporary = await mkdtemp(join(tmpdir(), 'sync-base-test-'));
      process.env['TMPDIR'] = temporary;
      git('init', '--quiet', '--initial-branch=main');
      await world.write(files(merged));
      git('add', '.');
      git('commit', '--quiet', '--message=merged');
    });

    it('is read from git, and nothing of the repository moves', async () => {
      git('checkout', '--quiet', '-b', 'feature');
      await world.write(files(branch));
      const before = git('status', '--porcelain');
      const made = await plan('main');
      expect(made.meta.origins).toEqual({ pets: 'pending', birds: 'branch', fish: 'branch' });
      expect(made.meta.base).toBe(`main at ${git('rev-parse', 'main').slice(0, 12)}`);
      expect([git('status', '--porcelain'), git('worktree', 'list').split('\n').length]).toEqual([before, 2]);
      expect(await leftOver()).toEqual([]);
    });

    it('is the one where the branch began, whatever was merged since', async () => {
      git('checkout', '--quiet', '-b', 'feature');
      git('checkout', '--quiet', 'main');
      await world.write(files({ ...merged, later: api({}) }));
      git('commit', '--quiet', '--all', '--message=later');
      git('checkout', '--quiet', 'feature');
      await world.write(files(branch));
      expect((await plan('main')).meta.origins).toEqual({ pets: 'pending', birds: 'branch', fish: 'branch' });
    });

    it('is found for a project in a subfolder, and missed where it did not exist yet', async () => {
      await mkdir(join(world.folder, 'deep/er'), { recursive: true });
      for (const [name, text] of Object.entries(files(branch))) {
        await mkdir(dirname(join(world.folder, 'deep/er', name)), { recursive: true });
        const content = typeof text === 'string' ? text : JSON.stringify(text);
        await writeFile(join(world.folder, 'deep/er', name), content);
      }
      const cwd = join(world.folder, 'deep/er');
      const planned = (): ReturnType<World['planResult']> =>
        world.open((project) => project.plan({ base: { ref: 'HEAD' } }), { cwd });
      expect((await planned()).diagnostics.map(({ code }) => code)).toEqual(['base-without-project']);
      git('add', '.');
      git('commit', '--quiet', '--message=deep');
      const { plan: made } = await planned();
      expect(made?.meta.origins).toEqual({ pets: 'pending', birds: 'pending', fish: 'pending' });
    });

    it.each(['nothing', '--output=x', 'main; true', ''])('named %j is explained when there is none', async (ref) => {
      expect(await problems({ ref })).toEqual(['base-ref-unknown']);
      expect(await leftOver()).toEqual([]);
    });

    it('outside of a repository is explained', async () => {
      await rm(join(world.folder, '.git'), { recursive: true });
      const { diagnostics, plan: made } = await world.planResult({ base: { ref: 'main' } });
      expect(made).toBeUndefined();
      expect(diagnostics).toMatchObject([
        { code: 'base-git-failed', summary: expect.stringContaining('git repository') },
      ]);
    });
  });
});
