import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { makeWorld, type World, actionsOf } from '../harness/world.js';
import { hasSecond, keyOf, life, types } from './all-types.js';

/** Who takes a name waits for who gives it up, in every derived type. */

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

type Resources = Readonly<Record<string, JsonObject>>;

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const write = (resources: Resources): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

async function mustApply(): Promise<readonly string[]> {
  const { steps, told } = await world.open(async (project) => {
    const planned = await project.plan();
    expect(planned.plan, JSON.stringify(planned.diagnostics)).toBeDefined();
    const guards = (planned.plan?.guards ?? []).map(({ name }) => name);
    return { steps: (await project.apply(planned)).steps, told: [...guards] };
  });
  return [
    ...told,
    ...steps.flatMap(({ address, action, outcome, because, diagnostics: why = [] }) =>
      outcome === 'done' ? [] : [`${action} ${address} ${because ?? why.map(({ summary }) => summary).join(' ')}`],
    ),
  ];
}

const first = life('first').resources;
const pairs = types.filter(hasSecond);
const byRules = new Set(types.map(keyOf));

/** The text that tells the second object of a type from the first goes to the first, and back. */
function exchanged(): Resources {
  const resources: Record<string, JsonObject> = { ...first };
  for (const { naturalKey, fields, ...type } of pairs) {
    const address = keyOf({ naturalKey, fields, ...type });
    const [one, two] = [address, `${address}-2`].map((key) => resources[key] ?? {});
    const propertiesOf = (block: JsonObject = {}): Record<string, Json> => ({ ...(block['properties'] as JsonObject) });
    const [left, right] = [propertiesOf(one), propertiesOf(two)];
    for (const field of naturalKey) {
      if (fields[field]?.references !== undefined || fields[field]?.input !== true) continue;
      const [a, b] = [left[field], right[field]];
      // Nothing can stand for a certificate: such an exchange is refused.
      if ([a, b].some((value) => typeof value === 'string' && value.includes('\n'))) continue;
      if (a !== undefined) right[field] = a;
      if (b !== undefined) left[field] = b;
    }
    resources[address] = { ...one, properties: left };
    resources[`${address}-2`] = { ...two, properties: right };
  }
  return resources;
}

/** The same objects under other keys, but for those that others refer to. */
function underNewKeys(resources: Resources): Resources {
  const text = JSON.stringify(resources);
  const isNeeded = (address: string): boolean => text.includes(`\${${address}.`);
  return Object.fromEntries(
    Object.entries(resources).map(([address, block]) => [isNeeded(address) ? address : `new-${address}`, block]),
  );
}

/** What nobody refers to stands inside the block of what it lives in; with other names of those, and what they were called before. */
function nested(name = (address: string): string => address): { resources: Resources; inside: readonly string[] } {
  const text = JSON.stringify(first);
  const inside: string[] = [];
  const flat = new Map(Object.entries(first));
  const children = new Map<string, Record<string, JsonObject>>();
  for (const type of types) {
    const address = keyOf(type);
    const given = (first[address]?.['properties'] ?? {}) as JsonObject;
    const home = given[type.parent?.field ?? ''];
    const places = [...type.collection.scope, type.parent?.field];
    const properties = Object.fromEntries(Object.entries(given).filter(([field]) => !places.includes(field)));
    const above = typeof home === 'string' ? (/^\$\{([\w-]+)\.id\}$/.exec(home)?.[1] ?? '') : '';
    if (!flat.has(above) || text.includes(`\${${address}.`)) continue;
    flat.delete(address);
    children.set(above, { ...children.get(above), [address]: { ...first[address], properties } });
    inside.push(`${name(above)}/${address}`);
  }
  const blocks = [...flat].map(([address, block]): [string, JsonObject] => {
    const below = children.get(address);
    if (below === undefined) return [address, block];
    const options = name(address) === address ? {} : { options: { aliases: [address] } };
    // Where no rule made the type, its key is its name unless the file says one.
    const properties = { ...(byRules.has(address) ? {} : { name: address }), ...(block['properties'] as JsonObject) };
    return [name(address), { ...block, properties, ...options, children: below }];
  });
  const moved = new Map([...children.keys()].map((address) => [address, name(address)]));
  const renamed = JSON.stringify(Object.fromEntries(blocks)).replaceAll(
    /\$\{([\w-]+)\./g,
    (_, address: string) => `\${${moved.get(address) ?? address}.`,
  );
  return { resources: JSON.parse(renamed) as Resources, inside };
}

describe(`names of ${types.length} derived types`, () => {
  it('are exchanged by two objects, and nothing is left to do', async () => {
    await write(first);
    expect(await mustApply()).toEqual([]);
    await write(exchanged());
    expect(await mustApply()).toEqual([]);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('change hands in no part of a plan alone: it is refused by both names, and without deletes the taker waits', async () => {
    await write(underNewKeys(exchanged()));
    const { steps } = await world.plan();
    const formerOf = (address: string): string => address.replace(/^new-/, '');
    const takers = steps
      .filter(({ action, address, dependsOn }) => action === 'create' && dependsOn.includes(formerOf(address)))
      .map(({ address }) => address);
    expect(takers.length).toBeGreaterThan(pairs.length / 2);
    const { plan, diagnostics } = await world.planResult({ targets: takers });
    expect(plan).toBeUndefined();
    const told = diagnostics.filter(({ code }) => code === 'key-outside');
    for (const taker of takers)
      expect(told.find(({ address }) => address === taker)?.summary).toContain(` ${formerOf(taker)} gives up`);
    const without = await world.plan({ noDelete: true });
    expect(without.steps.map(({ address }) => address).filter((address) => takers.includes(address))).toEqual([]);
    expect(without.leftOut?.filter(({ needs }) => needs !== undefined).map(({ address }) => address)).toEqual(
      expect.arrayContaining(takers),
    );
  });

  it('are taken over by the same objects under other keys, and nothing is left to do', async () => {
    await write(underNewKeys(exchanged()));
    expect(await mustApply()).toEqual([]);
    expect(actionsOf(await world.plan())).toEqual([]);
  });

  it('of homes change, and what is below moves with them, now or later, and is never deleted', async () => {
    world.loseState();
    await world.call('POST', '/_sandbox/reset');
    await write(nested().resources);
    expect(await mustApply()).toEqual([]);
    const { resources, inside } = nested((address) => `new-${address}`);
    expect(inside.length).toBeGreaterThan(50);
    await write(resources);
    const part = await world.plan({ excludes: inside });
    expect(actionsOf(part).filter((step) => !step.startsWith('move '))).toEqual([]);
    await world.apply({ excludes: inside });
    const rest = await world.plan();
    expect(actionsOf(rest)).toEqual(expect.arrayContaining(inside.map((address) => `move ${address}`)));
    expect(actionsOf(rest).filter((step) => !step.startsWith('move '))).toEqual([]);
    expect(await mustApply()).toEqual([]);
    expect(actionsOf(await world.plan())).toEqual([]);
  });
});
