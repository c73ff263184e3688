import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { objectIn } from '@platform-sync/rest/decode';
import { itemPath } from '@platform-sync/rest/path';
import { fieldName } from '@platform-sync/rest/rest-type';
import { LaterPlatform, withLater } from '../harness/later-platform.js';
import { makeWorld, type World } from '../harness/world.js';
import { fixedFields, keyOf, life, types, valueOf } from './all-types.js';
import { editObjects, restOf } from './edit.js';
import { changeable } from './samples.js';

/** The law of test/laws/whole-writes.test.ts over every type whose update is a PUT: one field of each changes, others change another one. */
let world: World;
let platform: LaterPlatform;
beforeAll(async () => {
  world = await makeWorld({ shuffle: 11 });
  platform = new LaterPlatform(() => world.sandbox.url);
  world.env['PLATFORM_SERVER_URL'] = await platform.open();
});
afterAll(async () => {
  await platform.close();
  await world.close();
});

const settings = 'project: test\nguards: {maxDeletePercent: 100, maxDeletes: 1000}\n';
const first = life('first');
const other = life('other');
const whole = types.filter(
  (type) => type.isWrittenWhole === true && other.changed.get(keyOf(type))?.action === 'update',
);

/** A field of which the file says nothing, and that others change meanwhile. */
function strayed(type: ResourceType): FieldRule | undefined {
  const changing = other.changed.get(keyOf(type))?.field.name;
  const properties = first.resources[keyOf(type)]?.['properties'];
  return changeable(type, fixedFields(type)).find(
    ({ name, secret, onChange, type: kind }) =>
      name !== changing &&
      !secret &&
      onChange === 'update' &&
      kind !== 'object' &&
      !(isObject(properties) && name in properties),
  );
}

/** A null says no more than nothing. */
function shownOf(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(shownOf);
  if (!isObject(value)) return value ?? null;
  const members = Object.entries(value).map(([name, member]) => [name, shownOf(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null));
}

const write = (resources: Readonly<Record<string, JsonObject>>): Promise<void> =>
  world.write({ 'sync.yaml': settings, 'catalogue/all.yaml': { resources } });

interface Made {
  readonly type: ResourceType;
  readonly identity: Identity;
  readonly rest: ReturnType<typeof restOf>;
  readonly path: string;
  /** What others change meanwhile. */
  readonly field: FieldRule | undefined;
}

async function made(): Promise<readonly Made[]> {
  world.loseState();
  platform.later.clear();
  await world.call('POST', '/_sandbox/reset');
  await write(first.resources);
  await world.apply();
  const records = await world.open(async (project) => (await (await project.state()).read()).resources);
  const objects = whole.flatMap((type) => {
    const identity = records.get(keyOf(type))?.identity;
    if (identity === undefined) return [];
    const rest = restOf(type);
    return [{ type, identity, rest, path: itemPath(rest, rest.item, identity), field: strayed(type) }];
  });
  expect(objects.length).toBeGreaterThan(100);
  return objects;
}

const edited = (objects: readonly Made[], sample: 'first' | 'other'): Promise<void> =>
  editObjects(
    world,
    objects.flatMap(({ type, identity, field }) =>
      field === undefined ? [] : [{ type, identity, field, value: valueOf(type, field, sample) }],
    ),
  );

/** What a revert tells as done was sent, though no file mentions it. */
async function expectPutBack(objects: readonly Made[]): Promise<void> {
  const texts = (): Promise<readonly string[]> =>
    Promise.all(
      objects.map(async ({ path, rest }) => {
        const { updated_at: _, ...object } = objectIn(rest, (await world.call('GET', path)).body as JsonObject) ?? {};
        return `${path} ${canonicalJson(shownOf(object))}`;
      }),
    );
  await world.apply();
  const before = await texts();
  await edited(objects, 'first');
  const reverted = await world.open(async (project) => {
    const planned = await project.revertDrift({ severity: 'low', atMost: 1000 });
    const { steps } = await project.apply(planned);
    expect(steps.flatMap(({ address, outcome }) => (outcome === 'done' ? [] : [address]))).toEqual([]);
    return new Set(planned.plan?.steps.map(({ address }) => address));
  });
  expect(reverted.size).toBeGreaterThan(50);
  const after = await texts();
  const told = objects.map(({ type }) => reverted.has(keyOf(type)));
  expect(after.filter((_, at) => told[at])).toEqual(before.filter((_, at) => told[at]));
}

it.each(['none', 'full'] as const)(
  'a PUT changes nothing that the plan did not show, planned with a refresh of kind %s',
  async (refresh) => {
    const objects = await made();
    await write(other.resources);
    platform.puts.length = 0;
    await world.open(async (project) => {
      const planned = await project.plan({ refresh });
      expect(planned.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
      await edited(objects, 'other');
      // Where every member is known there are none that a later version has beside them.
      const isShared = ({ name, equality, schema }: FieldRule, type: ResourceType): boolean =>
        equality === 'record' &&
        !(schema['properties'] === undefined && other.changed.get(keyOf(type))?.field.name === name);
      for (const { type, rest, path } of objects)
        // Nor beside an object that its answer wraps.
        if (rest.definition.wrapper === undefined)
          platform.later.set(path, {
            later: path,
            ...(type.fields['config'] !== undefined && isShared(type.fields['config'], type)
              ? { inside: { deep: path } }
              : {}),
          });
      const { status, steps } = await project.apply(planned);
      expect(
        steps.flatMap(({ address, outcome, diagnostics = [] }) =>
          outcome === 'done' ? [] : [`${address}: ${diagnostics.map(({ summary }) => summary).join(' ')}`],
        ),
      ).toEqual([]);
      expect(status).toBe('done');
    });
    const wrong: string[] = [];
    let written = 0;
    for (const { type, rest, path } of objects) {
      const put = platform.puts.find((each) => each.path === path);
      if (put === undefined) continue;
      written += 1;
      const { body } = await world.call('GET', path);
      const now = objectIn(rest, withLater(body as JsonObject, platform.later.get(path) ?? {}));
      const then = objectIn(rest, put.before);
      if (then === undefined || now === undefined) {
        wrong.push(`${type.name}: it was not read before it was written`);
        continue;
      }
      const shown = other.changed.get(keyOf(type))?.field.name ?? '';
      const left = new Set(['updated_at', fieldName(rest, shown)]);
      const names = new Set([...Object.keys(now), ...Object.keys(then)].filter((name) => !left.has(name)));
      for (const name of names)
        if (canonicalJson(shownOf(now[name])) !== canonicalJson(shownOf(then[name])))
          wrong.push(`${type.name}.${name}: ${JSON.stringify(then[name])} → ${JSON.stringify(now[name])}`);
    }
    expect(written).toBeGreaterThan(100);
    expect(wrong).toEqual([]);
    if (refresh === 'full') await expectPutBack(objects);
  },
);
