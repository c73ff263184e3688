import { afterAll, beforeAll, expect, it } from 'vitest';
import { actionsOf, makeWorld, type World } from '../harness/world.js';

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 3 });
});
afterAll(() => world.close());

/** Settings that every portal has: a 404 of theirs is described, and no call ends them. */
async function write(portal?: string): Promise<void> {
  const portals = { a: { type: 'platform:Portal' }, b: { type: 'platform:Portal' } };
  const properties = { portalId: `\${${portal ?? ''}.id}`, googleTagManager: { enabled: true } };
  const set = portal === undefined ? {} : { set: { type: 'platform:PortalIntegrations', properties } };
  await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources: { ...portals, ...set } } });
}

it('settings that nothing ends are led to another place that has its own, and come back where they were left', async () => {
  await write('a');
  await world.apply();
  await write('b');
  expect(actionsOf(await world.plan())).toEqual(['replace set']);
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual([]);
  await write();
  await world.apply();
  await write('a');
  const plan = await world.plan();
  expect(plan.guards).toEqual([]);
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual([]);
});
