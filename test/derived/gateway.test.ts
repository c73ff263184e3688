import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOf, makeWorld } from '../harness/world.js';
import type { World } from '../harness/world.js';
import { gatewayCatalogue } from './gateway.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 7 });
}, 60_000);
afterAll(() => world.close());

describe('a gateway of 266 resources', () => {
  it('is made, and nothing is left to do', async () => {
    await world.write({ 'catalogue/gateway.yaml': gatewayCatalogue() });
    const plan = await world.plan();
    expect(plan.steps).toHaveLength(266);
    await world.apply();
    expect(actionsOf(await world.plan())).toEqual([]);
  }, 120_000);

  it('costs one list per collection when nothing changed', async () => {
    await world.resetRequests();
    expect(actionsOf(await world.plan())).toEqual([]);
    const inPlane = (what: string): string => `GET /v2/control-planes/{controlPlaneId}/core-entities/${what}`;
    expect((await world.requests()).byRoute).toEqual({
      'GET /v2/control-planes': 1,
      [inPlane('consumers')]: 1,
      // Plugins of four kinds lie in one list.
      [inPlane('plugins')]: 1,
      // Two pages.
      [inPlane('routes')]: 2,
      [inPlane('services')]: 1,
      [inPlane('upstreams')]: 1,
      [inPlane('upstreams/{UpstreamIdForTarget}/targets')]: 5,
    });
  }, 60_000);
});
