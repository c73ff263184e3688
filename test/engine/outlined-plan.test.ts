import { afterAll, beforeAll, expect, it } from 'vitest';
import { mustPlan, paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';

let folder: string;
beforeAll(async () => (folder = await paperFolder({ shop: {} })));
afterAll(() => removeFolder(folder));

const catalogue = (name: string) => ({
  resources: {
    pets: {
      type: 'platform:Api',
      properties: { name },
      children: { guide: { type: 'platform:ApiDocument', properties: { content: '# Guide' } } },
    },
    shop: { type: 'platform:Api', properties: { name: '${pets.name} shop', description: '${pets/guide.id}' } },
  },
  outputs: { guide: '${pets/guide.id}', shop: '${shop.name}' },
});

it('an outline of a plan is carried out like the plan, and holds nothing of its fields', async () => {
  const world = new PaperWorld();
  const cwd = `${folder}/shop`;
  world.write(cwd, catalogue('Pets'));
  const result = await world.open(cwd, async (project) => {
    const planned = await mustPlan(project, {});
    const outline = project.outlined(planned, planned.plan);
    expect(outline.plan.steps.map((step) => Object.keys(step))).toEqual(
      planned.plan.steps.map(() => ['address', 'reasons']),
    );
    expect(JSON.stringify(outline)).not.toContain('# Guide');
    return project.apply(outline);
  });
  // What steps refer to is known to those that follow, though of others nothing is kept.
  const records = world.state().resources;
  const id = records.get('pets/guide')?.identity.id;
  expect(result).toMatchObject({ status: 'done', outputs: { guide: id, shop: 'Pets shop' } });
  expect(records.get('shop')?.inputs).toMatchObject({ name: 'Pets shop', description: id });
  expect((await world.plan(cwd)).plan.steps).toEqual([]);
});

it('what nobody prepared is not carried out', async () => {
  const world = new PaperWorld();
  const cwd = `${folder}/shop`;
  world.write(cwd, catalogue('Pets'));
  const { plan } = await world.plan(cwd);
  const result = await world.open(cwd, (project) => project.apply(project.outlined({ diagnostics: [] }, plan)));
  expect(result).toMatchObject({ status: 'failed', steps: [] });
  expect(world.state().resources.size).toBe(0);
});
