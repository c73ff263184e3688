import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, type World } from '../harness/world.js';

const seeded = (kind: string, number: number): string => `8a1c6f0e-2f0b-4c55-9b7e-0d6d2c1f${kind}0${number}`;
/** Its own default is no strategy, and the first one. */
const [plain, withStrategy] = [seeded('0c', 1), seeded('0c', 2)];
const [first, second] = [seeded('13', 1), seeded('13', 2)];

let world: World;
freshWorlds((made) => (world = made));

async function publish(properties: JsonObject | undefined): Promise<void> {
  const shown = { type: 'platform:ApiPublication', properties: properties ?? {} };
  const children: JsonObject = properties === undefined ? {} : { shown };
  await world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': { resources: { pets: { type: 'platform:Api', properties: { name: 'Pets' }, children } } },
  });
}

async function strategyThere(): Promise<unknown> {
  const { publications } = (await world.call('GET', '/_sandbox/objects')).body as { publications: JsonObject[] };
  return publications[0]?.['auth_strategy_ids'];
}

describe('the strategy of a publication (facts 1.2)', () => {
  const said: Readonly<Record<string, { readonly properties: JsonObject; readonly leaves: unknown }>> = {
    'left out': { properties: {}, leaves: [first] },
    null: { properties: { authStrategyIds: null }, leaves: null },
    'a strategy': { properties: { authStrategyIds: [second] }, leaves: [second] },
  };
  const ways = Object.keys(said).flatMap((from) => Object.keys(said).map((to) => [from, to] as const));

  it.each(ways)('from %s to %s: the platform has it then, and nothing is left to do', async (from, to) => {
    await publish({ portalId: withStrategy, ...said[from]?.properties });
    await world.apply();
    expect(await strategyThere()).toEqual(said[from]?.leaves);
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
    await publish({ portalId: withStrategy, ...said[to]?.properties });
    expect(actionsOf(await world.plan())).toEqual(from === to ? [] : ['update pets/shown']);
    await world.apply();
    expect(await strategyThere()).toEqual(said[to]?.leaves);
    expect(actionsOf(await world.plan({ refresh: 'full' }))).toEqual([]);
  });

  it('is not ours while it is left out: another one there is told, and stays', async () => {
    await publish({ portalId: plain });
    await world.apply();
    const { publications } = (await world.call('GET', '/_sandbox/objects')).body as { publications: JsonObject[] };
    const place = `/_sandbox/objects/publications/${encodeURIComponent(String(publications[0]?.['id']))}`;
    await world.call('POST', place, { auth_strategy_ids: [second] });
    const plan = await world.plan();
    expect(plan.steps).toEqual([]);
    expect(plan.undeclaredChanges.map(({ field, new: now }) => [field, now])).toEqual([['authStrategyIds', [second]]]);
  });
});

it('what becomes public is named, and so is what disappears', async () => {
  await publish({ portalId: plain });
  await world.apply();
  await publish({ portalId: plain, visibility: 'public' });
  expect((await world.plan()).steps.map(({ action, risks }) => [action, risks.map(({ kind }) => kind)])).toEqual([
    ['update', ['publishes']],
  ]);
  await world.apply();
  await publish(undefined);
  expect((await world.plan()).steps.map(({ action, risks }) => [action, risks.map(({ kind }) => kind)])).toEqual([
    ['delete', ['deletes', 'unpublishes']],
  ]);
});

it('another portal is another publication', async () => {
  await publish({ portalId: plain });
  await world.apply();
  await publish({ portalId: withStrategy });
  expect(actionsOf(await world.plan())).toEqual(['replace pets/shown']);
  await world.apply();
  expect(actionsOf(await world.plan())).toEqual([]);
});
