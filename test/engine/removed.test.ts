import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const shop = 'shop: { type: platform:Api, properties: { name: Shop } }';
const pets = `pets:
    type: platform:Api
    properties: { name: Pets }
    children:
      guide: { type: platform:ApiDocument, properties: { title: Guide, content: "# Guide" } }`;

async function write(resources: readonly string[], removed = ''): Promise<void> {
  await world.write({
    'sync.yaml': 'project: test\nguards: { maxDeletePercent: 100 }\n',
    'catalogue/all.yaml': `resources:\n${resources.map((each) => `  ${each}\n`).join('')}${removed}`,
  });
}

it('lets go of what is named, and of what is below it: state forgets, the platform keeps, and the entry may stay', async () => {
  await write([shop, pets]);
  await world.apply();
  await world.resetRequests();
  await write([shop], 'removed: [pets]\n');
  const plan = await world.plan();
  expect([...actionsOf(plan)].sort()).toEqual(['forget pets', 'forget pets/guide']);
  expect(plan.meta.sources['pets/guide']).toBe('catalogue/all.yaml:3:11');
  expect(plan.guards).toEqual([]);
  await world.apply();
  const { byRoute } = await world.requests();
  expect(Object.keys(byRoute).filter((route) => !route.startsWith('GET '))).toEqual([]);
  const after = await world.plan();
  expect(actionsOf(after)).toEqual([]);
  expect(after.notices.map(({ code, severity, place }) => [code, severity, place?.line])).toEqual([
    ['removed-nothing', 'info', 3],
  ]);
});

it('a reviewed plan is bound to it: without the entry the object would be deleted', async () => {
  await write([shop, 'cats: { type: platform:Api, properties: { name: Cats } }']);
  await world.apply();
  await write([shop], 'removed: [cats]\n');
  const reviewed = await world.plan();
  await write([shop]);
  const result = await world.open((project) => project.applyReviewed(reviewed));
  expect(result.status).toBe('stale');
  expect(result.mismatches?.map(({ what }) => what)).toContain('catalogue');
});
