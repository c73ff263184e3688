import { expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import type { World } from '../harness/world.js';

/** A resource under a new key has the object of its unique key; what is nested in it moves with it, now or later. */

let world: World;
freshWorlds((made) => (world = made));

const page = (title: string, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:ApiDocument', properties: { title, content: title }, children },
});
const api: JsonObject = {
  ...{ type: 'platform:Api', properties: { name: 'Pets', version: '1' } },
  children: { guide: page('Guide', { leaf: page('Leaf') }) },
};
const stepsOf = async (options: PlanOptions = {}): Promise<readonly string[]> =>
  (await world.plan(options)).steps.map(({ action, address, from }) => `${action} ${from ?? ''}>${address}`);

it.each<[string, PlanOptions]>([
  ['at once', {}],
  ['without deletes', { noDelete: true }],
  ['without the child', { excludes: ['new/guide'] }],
  ['without the child of the child', { excludes: ['new/guide/leaf'] }],
])('a parent moves, and what is below it is never deleted: %s', async (_, first) => {
  await world.write({ 'catalogue/all.yaml': { resources: { old: api } } });
  await world.apply();
  await world.write({ 'catalogue/all.yaml': { resources: { new: api } } });
  await world.apply(first);
  expect((await stepsOf()).filter((step) => !step.startsWith('move '))).toEqual([]);
  await world.resetRequests();
  await world.apply();
  const { byRoute } = await world.requests();
  expect(Object.keys(byRoute).filter((route) => !route.startsWith('GET'))).toEqual([]);
  expect(await stepsOf()).toEqual([]);
});
