import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/engine/model/value.js';
import { makeWorld } from '../harness/world.js';
import type { World } from '../harness/world.js';

/** What lives in an object ends with it: what is protected blocks that, what is excluded keeps its home. */

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const page = (title: string, options: JsonObject = {}, children: JsonObject = {}): JsonObject => ({
  ...{ type: 'platform:ApiDocument', properties: { title, content: title }, options, children },
});
const pets = (name: string, options: JsonObject, below: JsonObject = {}): JsonObject => ({
  type: 'platform:Api',
  properties: { name },
  children: { guide: page('Guide', options, { leaf: page('Leaf', below) }) },
});
const other = { type: 'platform:Api', properties: { name: 'Other' } };

const write = (resources: JsonObject, more: JsonObject = {}) =>
  world.write({
    'sync.yaml': 'project: test\nguards: {maxDeletePercent: 100}\n',
    'catalogue/all.yaml': { resources: { other, ...resources }, ...more },
  });

describe('a protected object blocks the end of what it lives in, by its name', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['kept by retainOnDelete', {}, { protect: true, retainOnDelete: true }, {}],
    ['let go of by removed', {}, { protect: true }, { removed: ['KEY/guide/leaf'] }],
    ['below another that is retained', { retainOnDelete: true }, { protect: true, retainOnDelete: true }, {}],
  ])('%s', async (name, options, below, more) => {
    const key = name.replaceAll(' ', '-');
    await write({ [key]: pets(name, options, below) });
    await world.apply();
    await write({}, JSON.parse(JSON.stringify(more).replace('KEY', key)) as JsonObject);
    const { guards } = await world.plan();
    expect(guards.map((guard) => guard.name)).toContain(`delete:${key}/guide/leaf`);
  });
});

describe('what is excluded keeps alive what it lives in', () => {
  it.each<[string, string, 'apply' | 'destroy']>([
    ['when its home leaves the file', '/guide', 'apply'],
    ['at any depth', '/guide/leaf', 'apply'],
    ['when everything is destroyed', '/guide/leaf', 'destroy'],
  ])('%s', async (name, below, mode) => {
    const key = name.replaceAll(' ', '-');
    await write({ [key]: pets(name, {}) });
    await world.apply();
    await write({});
    const { steps } = await world.plan({ mode, excludes: [`${key}${below}`] });
    const homes = [key, `${key}/guide`, `${key}${below}`];
    expect(steps.map(({ address }) => address).filter((address) => homes.includes(address))).toEqual([]);
  });
});
