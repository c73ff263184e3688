import { afterAll, beforeAll, expect, it } from 'vitest';
import { join } from 'node:path';
import type { JsonObject } from '@platform-sync/core/model/value';
import { keyOf, propertiesOf, types, withNeeded } from '../derived/all-types.js';
import { paperFolder, PaperWorld, removeFolder } from '../harness/paper-world.js';

let folder = '';
beforeAll(async () => {
  folder = await paperFolder({ shop: {} });
});
afterAll(() => removeFolder(folder));

it('what is new in an object that the plan takes over by its id, and may exist there, is told', async () => {
  const cwd = join(folder, 'shop');
  const inner = types.find(({ name }) => name === 'AiGatewayAgent');
  if (inner === undefined) throw new Error('no such type');
  const home = [...withNeeded([inner])].find((type) => type !== inner);
  if (home === undefined) throw new Error('no home');
  const world = new PaperWorld(new Map([home, inner].map((type) => [type.token, type])));
  const block = (type: typeof inner, options: JsonObject): JsonObject => ({
    ...{ type: type.shortToken, properties: propertiesOf(type, [], 'first'), options },
  });
  const write = (options: JsonObject): void =>
    world.write(cwd, { resources: { [keyOf(home)]: block(home, options), [keyOf(inner)]: block(inner, {}) } });
  write({});
  await world.apply(cwd);
  const id = world.state().resources.get(keyOf(home))?.identity.id ?? '';
  await world.forget(keyOf(home));
  await world.forget(keyOf(inner));
  write({ import: id });
  const { plan } = await world.plan(cwd);
  expect(plan.steps.map(({ action, address }) => [action, address])).toEqual([
    ['adopt', keyOf(home)],
    ['create', keyOf(inner)],
  ]);
  expect(plan.notices).toContainEqual(
    expect.objectContaining({
      code: 'not-looked-for',
      address: keyOf(home),
      summary: expect.stringContaining(keyOf(inner)),
    }),
  );
  // Who takes over by key reads what is there, and makes nothing twice.
  const adopting = await world.plan(cwd, { mode: 'adopt' });
  expect(adopting.plan.steps.map(({ action }) => action)).toEqual(['adopt', 'adopt']);
  expect(adopting.plan.notices.map(({ code }) => code)).not.toContain('not-looked-for');
});
