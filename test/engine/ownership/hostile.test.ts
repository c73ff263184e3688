import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../../harness/fresh-worlds.js';
import { actionsOf, type CatalogueData, type World } from '../../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const settings =
  'project: test\nguards: {maxDeletes: 1000, maxDeletePercent: 100, allow: [{guard: everythingGone, reason: test}]}\nstacks: {default: {}, next: {}}\n';

const api = (name: string, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:Api', properties: { name }, options, children },
});
const page = (slug: string, options: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:ApiDocument', properties: { slug, title: slug, content: slug }, options },
});

async function write(resources: CatalogueData): Promise<void> {
  await world.write({ 'sync.yaml': settings, 'catalogue/a.yaml': { resources } });
}

async function objects(): Promise<Readonly<Record<string, readonly { readonly id: string }[]>>> {
  return (await world.call('GET', '/_sandbox/objects')).body as never;
}

async function ids(): Promise<readonly string[]> {
  const { apis = [], documents = [] } = await objects();
  return [...apis, ...documents].map(({ id }) => id).sort();
}

async function idAt(address: string): Promise<string> {
  return world.open(async (project) => {
    const { resources } = await (await project.state()).read();
    return resources.get(address)?.identity.id ?? '';
  });
}

const codes = async (): Promise<Json> => (await world.planResult()).diagnostics.map(({ code }) => code);

describe('what strangers do', () => {
  it('two stacks import one object: the second one is refused, and stays so', async () => {
    await world.call('POST', '/v3/apis', { name: 'A' });
    const [{ id = '' } = {}] = (await objects())['apis'] ?? [];
    await write({ a: api('A', { import: id }) });
    await world.apply();
    for (let run = 0; run < 2; run += 1) {
      const { plan, diagnostics } = await world.open((project) => project.plan(), { stack: 'next' });
      expect([plan, diagnostics.map(({ code }) => code)]).toEqual([undefined, ['managed-elsewhere']]);
    }
    expect(await ids()).toEqual([id]);
  });

  it('alias, import and a new name for one object in one commit: it is one update, and the object stays', async () => {
    await write({ a: api('A', {}, { p: page('p') }), z: api('Z') });
    await world.apply();
    const [before, id] = [await ids(), await idAt('a')];
    await write({ b: api('B', { aliases: ['a'], import: id }, { q: page('p') }), z: api('Z') });
    expect((await world.plan()).steps.map(({ action, address, from }) => [action, address, from])).toEqual([
      ['update', 'b', 'a'],
      ['move', 'b/q', 'a/p'],
    ]);
    await world.apply();
    expect(await ids()).toEqual(before);
    expect((await world.plan()).steps).toEqual([]);
  });

  it('two resources name one alias, or an alias names what another imports: nothing is made twice', async () => {
    await write({ a: api('A') });
    await world.apply();
    const id = await idAt('a');
    await write({ b: api('B', { aliases: ['a'] }), c: api('C', { import: id }) });
    const plan = await world.plan();
    expect([...actionsOf(plan)].sort()).toEqual(['create b', 'update c']);
    await world.apply();
    expect(await idAt('c')).toBe(id);
  });

  it('a child moves to a parent where its slug is taken: an error, or waited for, never half a move', async () => {
    await write({ a: api('A', {}, { p: page('x') }), b: api('B', {}, { q: page('x') }) });
    await world.apply();
    // Two blocks of one slug below one parent never get as far as a plan.
    await write({ a: api('A'), b: api('B', {}, { q: page('x'), p: page('x', { aliases: ['a/p'] }) }) });
    expect(await codes()).toEqual(['same-object']);
    // Not said in the file, but there: it keeps it by ignoreChanges.
    await write({
      a: api('A'),
      b: api('B', {}, { q: page('y', { ignoreChanges: ['slug'] }), p: page('x', { aliases: ['a/p'] }) }),
    });
    expect(await codes()).toEqual(['key-taken']);
    await write({ a: api('A'), b: api('B', {}, { q: page('y'), p: page('x', { aliases: ['a/p'] }) }) });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    expect((await ids()).length).toBe(4);
  });

  it('children of two parents exchange places', async () => {
    await write({ a: api('A', {}, { p: page('x') }), b: api('B', {}, { q: page('x') }) });
    await world.apply();
    await write({
      a: api('A', {}, { q: page('x', { aliases: ['b/q'] }) }),
      b: api('B', {}, { p: page('x', { aliases: ['a/p'] }) }),
    });
    await world.apply();
    expect((await world.plan()).steps).toEqual([]);
    expect((await ids()).length).toBe(4);
  });

  it('state is lost between a saved plan and its apply: nothing is sent', async () => {
    await write({ a: api('A') });
    await world.apply();
    await write({ a: api('B'), c: api('C') });
    const before = await ids();
    const plan = await world.plan();
    world.loseState();
    const status = await world.open((project) => project.applyReviewed(plan));
    expect(status).toMatchObject({ status: 'stale' });
    expect(await ids()).toEqual(before);
  });

  it('the object of a rename is deleted and made anew by hand meanwhile: it is asked for, not made twice', async () => {
    await write({ a: api('A'), k: api('K') });
    await world.apply();
    await world.call('DELETE', `/v3/apis/${await idAt('a')}`);
    await world.call('POST', '/v3/apis', { name: 'A' });
    await write({ b: api('A'), k: api('K') });
    const plan = await world.plan();
    expect([...actionsOf(plan)].sort()).toEqual(['adopt b', 'forget a']);
    expect(plan.guards.map(({ name }) => name)).toEqual(['adopt:b']);
  });

  it('a rename and a new block with the old key, half of it selected', async () => {
    await write({ a: api('A') });
    await world.apply();
    await write({ b: api('A'), a: api('New') });
    // The address stays, so the object stays with it, and the new block gets the name once it is free.
    expect(actionsOf(await world.plan())).toEqual(['update a', 'create b']);
    const { diagnostics } = await world.planResult({ targets: ['b'] });
    expect(diagnostics.map(({ code }) => code)).toEqual(['key-outside']);
  });
});
