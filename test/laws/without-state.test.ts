import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { freshWorlds } from '../harness/fresh-worlds.js';
import { actionsOf, type World } from '../harness/world.js';

let world: World;
freshWorlds((made) => (world = made));

const settings = 'project: test\nadopt: byKey\n';

interface Size {
  readonly apis: number;
  readonly documents: number;
}

/** `name`: what the keys of the blocks begin with. */
function fleet({ apis, documents }: Size, name = 'api', text = 'x'): JsonObject {
  const entries = Array.from({ length: apis }, (_, n) => {
    const children = Array.from({ length: documents }, (_, d) => [
      `${name}-doc${d}`,
      { type: 'platform:ApiDocument', properties: { title: `Doc ${d}`, content: text.repeat(100) } },
    ]);
    const properties = { name: `API ${n}`, version: '1' };
    return [`${name}${n}`, { type: 'platform:Api', properties, children: Object.fromEntries(children) as JsonObject }];
  });
  return { resources: Object.fromEntries(entries) as JsonObject };
}

async function writes(): Promise<number> {
  const { byRoute } = await world.requests();
  return Object.entries(byRoute).reduce(
    (sum, [route, n]) => (/^(POST|PATCH|DELETE|PUT) \/v/.test(route) ? sum + n : sum),
    0,
  );
}

describe('a stack without kept state', () => {
  it('lives its whole life with its state lost before every command: nothing twice, no conflict', async () => {
    const size = { apis: 5, documents: 3 };
    const run = async (catalogue: JsonObject): Promise<readonly string[]> => {
      await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': catalogue });
      world.loseState();
      const steps = (await world.plan()).steps.filter(({ action, fields }) => action !== 'adopt' || fields.length > 0);
      world.loseState();
      await world.apply();
      return steps.map(({ action, address }) => `${action} ${address}`);
    };
    expect(await run(fleet(size))).toHaveLength(20);
    await world.resetRequests();
    expect(await run(fleet(size))).toEqual([]);
    expect(await writes()).toBe(0);
    expect(await run(fleet(size, 'api', 'y'))).toHaveLength(15);
    expect(await run(fleet(size, 'renamed', 'y'))).toEqual([]);
    const more = await run(fleet({ apis: 6, documents: 3 }, 'renamed', 'y'));
    expect(more).toEqual(expect.arrayContaining(['create renamed5']));
    expect(more).toHaveLength(4);
    // What left the catalogue stays, and the plan says so.
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': fleet(size, 'renamed', 'y') });
    world.loseState();
    const plan = await world.plan();
    expect(plan.notices).toMatchObject([{ code: 'no-record', severity: 'info' }]);
    expect(plan.unmanaged).toEqual([{ type: 'platform:index/api:Api', count: 1 }]);
    world.loseState();
    const destroy = await world.plan({ mode: 'destroy' });
    expect(destroy.steps).toEqual([]);
    expect(destroy.notices).toMatchObject([{ code: 'no-record', severity: 'warning' }]);
    const { body } = await world.call('GET', '/_sandbox/objects');
    const names = (body as { apis: { name: string }[] }).apis.map(({ name }) => name);
    expect(names).toHaveLength(6);
    expect(new Set(names).size).toBe(6);
  });

  it('sees in one list a collection and one request a text that nothing is to do', async () => {
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': fleet({ apis: 50, documents: 10 }) });
    await world.apply();
    world.loseState();
    await world.resetRequests();
    const plan = await world.plan();
    expect(plan.summary).toMatchObject({ adopt: 550, create: 0, update: 0 });
    expect(plan.steps.flatMap(({ fields }) => fields)).toEqual([]);
    expect((await world.requests()).total).toBe(551);
  });

  it('counts what is nested in an object it takes over, and in nothing recorded, as unmanaged', async () => {
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': fleet({ apis: 1, documents: 3 }) });
    await world.apply();
    world.loseState();
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': fleet({ apis: 1, documents: 1 }) });
    expect((await world.plan()).unmanaged).toEqual([
      { type: 'platform:index/apiDocument:ApiDocument', under: 'api0', count: 2 },
    ]);
  });

  it('refuses to create what no key would find again', async () => {
    const resources = { p: { type: 'platform:ApiProduct', properties: { name: 'P', portalIds: [] } } };
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });
    expect((await world.plan()).guards).toMatchObject([{ name: 'unkeyed:p' }]);
  });

  it('finds an API without a version of its own by the one its specification gave it', async () => {
    const spec = (title: string): string => `openapi: 3.0.3\ninfo:\n  title: ${title}\n  version: "7"\npaths: {}\n`;
    const catalogue = (title: string): JsonObject => ({
      resources: { a: { type: 'platform:Api', properties: { name: 'A', specContent: spec(title) } } },
    });
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': catalogue('one') });
    await world.apply();
    world.loseState();
    expect(actionsOf(await world.plan())).toEqual(['adopt a']);
    await world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': catalogue('two') });
    const plan = await world.plan();
    expect(plan.guards).toMatchObject([{ name: 'fixed:a', addresses: ['a'] }, { name: 'adopt' }]);
    expect(plan.steps).toMatchObject([{ action: 'adopt', fields: [{ field: 'specContent', rule: 'replace' }] }]);
  });
});

describe('every key renamed at once, with kept state', () => {
  it('is moves only', async () => {
    const size = { apis: 50, documents: 10 };
    await world.write({ 'catalogue/all.yaml': fleet(size) });
    await world.apply();
    await world.write({ 'catalogue/all.yaml': fleet(size, 'other') });
    await world.resetRequests();
    const plan = await world.plan();
    expect(plan.summary).toEqual({
      ...{ create: 0, update: 0, replace: 0, delete: 0, forget: 0, adopt: 0 },
      ...{ move: 550, unchanged: 0 },
    });
    expect(plan.guards).toEqual([]);
    expect((await world.requests()).total).toBe(51);
    await world.apply();
    expect(await writes()).toBe(0);
    expect((await world.plan()).steps).toEqual([]);
  });
});
