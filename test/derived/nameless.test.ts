import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { platformPackage } from '@platform-sync/platform/package';
import { actionsOf, makeWorld, type World } from '../harness/world.js';
import { keyOf, propertiesOf, withNeeded } from './all-types.js';

/** What has no name is found by its place and its contents, and never made a second time in silence. */

const typeOf = (name: string) => {
  const found = [...platformPackage.types.values()].find((type) => type.name === name);
  if (found === undefined) throw new Error(`no type ${name}`);
  return found;
};
const key = typeOf('CentralizedConsumerKey');
const homes: Record<string, JsonObject> = Object.fromEntries(
  [...withNeeded([key])]
    .filter((type) => type !== key)
    .map((type) => [keyOf(type), { type: type.shortToken, properties: propertiesOf(type, [], 'first') }]),
);
const credential = (tags: readonly string[]): JsonObject => ({
  type: key.shortToken,
  properties: { realmId: '${realm.id}', consumerId: '${centralizedconsumer.id}', type: 'new', tags },
});

let world: World;
const write = (keys: Record<string, JsonObject>): Promise<void> =>
  world.write({ 'catalogue/all.yaml': { resources: { ...homes, ...keys } } });
const ids = async (): Promise<Readonly<Record<string, string>>> => {
  const { resources } = await world.open(async (project) => (await project.state()).read());
  return Object.fromEntries([...resources].map(([address, { identity }]) => [address, identity.id]));
};
/** State knows the homes and nothing that lives in them. */
async function forgetKeys(): Promise<void> {
  world.loseState();
  await write({});
  await world.apply({ mode: 'adopt' });
}

beforeAll(async () => void (world = await makeWorld()));
afterAll(() => world.close());

describe('credentials that nothing names', () => {
  let made: Readonly<Record<string, string>>;

  it('are made where there are others', async () => {
    await write({ a: credential(['a']), b: credential(['b']) });
    await world.apply();
    made = await ids();
    await forgetKeys();
  });

  it('are not made a second time in silence: a guard holds the plan back and names the command', async () => {
    await write({ a: credential(['a']) });
    const { guards } = await world.plan();
    expect(guards).toMatchObject([
      { name: 'same-name:a', summary: expect.stringContaining('both have the same contents') },
    ]);
    expect(guards[0]?.summary).toContain(`sync adopt a '{`);
    expect(guards[0]?.summary).toContain(made['a']);
    const { status } = await world.open(async (project) => project.apply(await project.plan()));
    expect(status).toBe('blocked');
  });

  it('are made beside others that say something else', async () => {
    await write({ c: credential(['c']) });
    expect(await world.plan()).toMatchObject({ guards: [], steps: [{ action: 'create', address: 'c' }] });
  });

  it('are adopted by their contents', async () => {
    await write({ a: credential(['a']), b: credential(['b']) });
    await world.apply({ mode: 'adopt' });
    expect(await ids()).toEqual(made);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('are told from one that this stack has', async () => {
    await write({ a: credential(['a']), b: credential(['b']), again: credential(['a']) });
    expect(await world.plan()).toMatchObject({ guards: [], steps: [{ action: 'create', address: 'again' }] });
    expect(actionsOf(await world.plan({ mode: 'adopt' }))).toEqual([]);
    await world.apply();
  });

  it('are left alone where contents do not tell them apart, and an id does', async () => {
    const all = await ids();
    await forgetKeys();
    await write({ a: credential(['a']) });
    const { steps, notCompared } = await world.plan({ mode: 'adopt' });
    expect(steps).toEqual([]);
    expect(notCompared.map(({ address, diagnostic }) => [address, diagnostic.code])).toEqual([['a', 'several-found']]);
    const place = { realm_id: all['realm'], consumer_id: all['centralizedconsumer'] };
    const id = JSON.stringify({ ...place, id: all['again'] });
    const { diagnostics } = await world.open((project) => project.importResource('a', id));
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect((await ids())['a']).toBe(all['again']);
  });
});

describe('plugins of one kind that say no more than what they are on', () => {
  const inPlane = (type: string, properties: JsonObject): JsonObject => ({
    ...{ type: `platform:${type}`, properties: { controlPlaneId: '${plane.id}', ...properties } },
  });
  const limit = (on: JsonObject): JsonObject => inPlane('GatewayPluginRateLimiting', { ...on, config: { minute: 5 } });
  const resources: Record<string, JsonObject> = {
    plane: { type: 'platform:GatewayControlPlane', properties: { name: 'shop' } },
    orders: inPlane('GatewayService', { name: 'orders', host: 'orders.example.com' }),
    list: inPlane('GatewayRoute', { name: 'list', paths: ['/list'], serviceId: '${orders.id}' }),
    'for-orders': limit({ serviceId: '${orders.id}' }),
    'for-list': limit({ routeId: '${list.id}' }),
    'for-all': limit({}),
  };

  it('are adopted at once, each with what it is on', async () => {
    world.loseState();
    await world.write({ 'catalogue/all.yaml': { resources } });
    await world.apply();
    const made = await ids();
    world.loseState();
    await world.apply({ mode: 'adopt' });
    expect(await ids()).toEqual(made);
    expect(actionsOf(await world.plan())).toEqual([]);
  });
});
