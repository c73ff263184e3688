import { describe, expect, it } from 'vitest';
import type { PlanOptions } from '@platform-sync/engine/api';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { actionsOf, type CatalogueData, type World } from '../../harness/world.js';
import { api, lenient } from './catalogue.js';

let world: World;
freshWorlds((made) => (world = made));

const product = (name: string, options: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:ApiProduct', properties: { name, portalIds: [] }, options },
});
const guide: JsonObject = { type: 'platform:ApiDocument', properties: { slug: 'guide', title: 'T', content: 'x' } };

async function write(resources: CatalogueData, settings = lenient): Promise<void> {
  await world.write({ 'sync.yaml': settings, 'catalogue/a.yaml': { resources } });
}

async function made(resources: CatalogueData): Promise<void> {
  await write(resources);
  await world.apply();
}

async function records(): Promise<ReadonlyMap<string, string>> {
  return world.open(async (project) => {
    const { resources } = await (await project.state()).read();
    return new Map([...resources.values()].map(({ address, identity }) => [address, identity.id]));
  });
}

/** Deletes the object of an address behind our back. */
async function lose(address: string, path = '/v3/apis'): Promise<void> {
  expect(await world.call('DELETE', `${path}/${(await records()).get(address) ?? ''}`)).toMatchObject({ status: 204 });
}

const moved = async (options?: PlanOptions): Promise<readonly unknown[]> =>
  (await world.plan(options)).steps.map(({ action, address, from }) => [action, address, from]);

describe('a resource whose object is gone', () => {
  it('gets the object of an address that left the catalogue, where that has its key: nothing is deleted', async () => {
    await made({ a: api('A', {}, { guide }), b: api('B', {}, { guide }) });
    const before = await records();
    await lose('a');
    await write({ a: api('B', {}, { guide }) });
    expect(await moved()).toEqual([
      ['move', 'a', 'b'],
      ['move', 'a/guide', 'b/guide'],
    ]);
    await world.apply();
    expect(await records()).toEqual(
      new Map([
        ['a', before.get('b')],
        ['a/guide', before.get('b/guide')],
      ]),
    );
    expect((await world.plan()).steps).toEqual([]);
  });

  it('gets the one that its alias names, or its import', async () => {
    await made({ a: product('A'), b: product('B') });
    const id = (await records()).get('b') ?? '';
    await lose('a', '/v2/api-products');
    await write({ a: product('A', { aliases: ['b'] }) });
    expect(await moved()).toEqual([['update', 'a', 'b']]);
    await write({ a: product('A', { import: id }) });
    expect(await moved()).toEqual([['update', 'a', 'b']]);
    await world.apply();
    expect(await records()).toEqual(new Map([['a', id]]));
    expect((await world.plan()).steps).toEqual([]);
  });

  it('gets the one it imports, where nobody manages that', async () => {
    await made({ a: product('A') });
    await lose('a', '/v2/api-products');
    const { body } = await world.call('POST', '/v2/api-products', { name: 'A', portal_ids: [] });
    const { id } = body as { id: string };
    await write({ a: product('A', { import: id }) });
    expect((await world.plan()).steps).toMatchObject([{ action: 'adopt', address: 'a', id }]);
    await world.apply({ allow: [{ guard: 'everythingGone', reason: 'made again by hand' }] });
    expect(await records()).toEqual(new Map([['a', id]]));
  });

  it('is made again where its import names what is gone', async () => {
    await made({ a: product('A') });
    const id = (await records()).get('a') ?? '';
    await lose('a', '/v2/api-products');
    await write({ a: product('A', { import: id }) });
    expect(actionsOf(await world.plan())).toEqual(['create a']);
  });

  it('never gets the object of an address that stays', async () => {
    await made({ a: api('A'), b: api('B') });
    await lose('a');
    await write({ a: api('B'), b: api('C') });
    expect(actionsOf(await world.plan())).toEqual(['update b', 'create a']);
    await write({ a: api('B'), b: api('C', { ignoreChanges: ['name'] }) });
    expect((await world.planResult()).diagnostics.map(({ code }) => code)).toEqual(['key-taken']);
  });

  it('and whose key another stack has meanwhile, is refused', async () => {
    const settings = `${lenient}stacks: {default: {}, next: {}}\n`;
    await write({ a: api('A') }, settings);
    await world.apply();
    await lose('a');
    await world.open(async (project) => project.apply(await project.plan()), { stack: 'next' });
    expect((await world.planResult()).diagnostics.map(({ code }) => code)).toEqual(['managed-elsewhere']);
  });

  it('is a deletion for a drift check all the same', async () => {
    await made({ a: api('A'), b: api('B') });
    await lose('a');
    await write({ a: api('B') });
    const { findings } = await world.open((project) => project.drift());
    expect(findings).toMatchObject([{ class: 'deleted', address: 'a' }]);
  });
});
