import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@platform-sync/core/model/value';
import { ownPackage } from '@platform-sync/rest/own/package';
import { fits } from '@platform-sync/rest/checked-object';
import { compileTypes } from '@platform-sync/describe/compile';
import { Description } from '@platform-sync/describe/description';
import { noRules } from '@platform-sync/describe/rules-file';

const text = { type: 'string' };
const record = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required: [...required],
});
const kind = (name: string, more: JsonObject, required: readonly string[]): JsonObject =>
  record({ kind: { enum: [name] }, ...more }, ['kind', ...required]);
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** The package of a service with one type of beds, whose bodies have this beside a name. */
async function bedsWith(body: JsonObject, shown: JsonObject = body) {
  const all = (more: JsonObject): JsonObject => ({
    ...more,
    properties: { name: text, ...(more['properties'] as JsonObject) },
  });
  const paths = {
    '/beds': { post: { requestBody: json(all(body)), responses: { '201': json(all(shown)) } } },
    '/beds/{id}': {
      get: { responses: { '200': json({ allOf: [record({ id: text }), all(shown)] }), '404': {} } },
      patch: { requestBody: json(all(body)), responses: { '200': json(all(shown)) } },
      delete: { responses: { '204': {} } },
    },
  };
  const { types } = compileTypes(new Description({ openapi: '3.1.0', paths }, 'beds.yaml'), noRules);
  return ownPackage('garden', JSON.parse(JSON.stringify(types)) as JsonObject);
}

async function problems(body: JsonObject, properties: JsonObject): Promise<readonly string[]> {
  const { validate } = await bedsWith(body);
  const found = await validate('garden:index/bed:Bed', { name: 'a', ...properties });
  return found.filter(({ keyword }) => keyword !== 'if').map(({ pointer, keyword }) => `${pointer} ${keyword}`);
}

const soil = record(
  {
    acid: { type: 'number', minimum: 1, maximum: 14 },
    name: { ...text, pattern: '^[a-z]+$', maxLength: 8 },
    layers: { type: 'array', items: { ...text, minLength: 2 }, minItems: 1, uniqueItems: true },
    notes: { type: 'object', additionalProperties: { ...text, maxLength: 3 } },
    depth: { type: 'integer', enum: [10, 20] },
    port: { anyOf: [{ type: 'integer', maximum: 9 }, text] },
  },
  ['name'],
);
const written: JsonObject = { name: 'loam' };

describe('what a description says of a member', () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ['all in its limits', { ...written, acid: 7, layers: ['ab'], notes: { a: 'b' }, depth: 10, port: 9 }, []],
    ['too much', { ...written, acid: 15 }, ['/soil/acid maximum']],
    ['another form', { name: 'LOAM' }, ['/soil/name pattern']],
    ['too long', { name: 'loamyloam' }, ['/soil/name maxLength']],
    ['too short an item', { ...written, layers: ['ab', 'a'] }, ['/soil/layers/1 minLength']],
    ['no item', { ...written, layers: [] }, ['/soil/layers minItems']],
    ['an item twice', { ...written, layers: ['ab', 'ab'] }, ['/soil/layers uniqueItems']],
    ['too long an entry', { ...written, notes: { a: 'long' } }, ['/soil/notes/a maxLength']],
    ['a number that this release does not know', { ...written, depth: 30 }, []],
    ['a text where a number is not in its bounds', { ...written, port: 'vault' }, []],
    ['a number beyond its bounds', { ...written, port: 10 }, ['/soil/port maximum']],
    ['a required member left out', { acid: 7 }, ['/soil required']],
  ])('is held against it: %s', async (_what, value, expected) => {
    expect(await problems(record({ soil }), { soil: value })).toEqual(expected);
  });

  it.each<[string, JsonObject]>([
    ['a text', { ...text, maxLength: 3, nullable: true }],
    ['a text of OpenAPI 3.1', { type: ['string', 'null'], pattern: '^a' }],
    ['a record', { anyOf: [record({ a: text }, ['a']), { type: 'null' }] }],
    ['a list', { type: 'array', items: text, minItems: 1, nullable: true }],
    ['a map', { type: 'object', additionalProperties: text, nullable: true }],
    ['one of few words', { ...text, enum: ['a', 'b'], nullable: true }],
    ['one of few numbers', { type: 'integer', enum: [1], nullable: true }],
    ['a number or a text', { anyOf: [{ type: 'integer', maximum: 9 }, text, { type: 'null' }] }],
  ])('may be null where the service says so, and nowhere else: %s', async (_what, member) => {
    const body = record({
      soil: record({ member, bound: text, all: { type: 'object', additionalProperties: member } }, ['member']),
    });
    expect(await problems(body, { soil: { member: null, all: { any: null } } })).toEqual([]);
    expect(await problems(body, { soil: { member: null, bound: null } })).toEqual(['/soil/bound type']);
  });

  it('is held against items and entries, too', async () => {
    const body = record({
      beds: { type: 'array', items: soil },
      byName: { type: 'object', additionalProperties: soil },
    });
    expect(await problems(body, { beds: [written, { name: 'A' }], byName: { a: { name: 'A' } } })).toEqual([
      '/beds/1/name pattern',
      '/byName/a/name pattern',
    ]);
  });

  it('is not held against answers', async () => {
    const type = (await bedsWith(record({ soil }))).types.get('garden:index/bed:Bed');
    expect(fits(type?.fields['soil']?.schema ?? {}, { name: 'LOAM', acid: 15, layers: [], depth: 30 })).toBe(true);
  });
});

describe('what a description says of one kind', () => {
  const either = { oneOf: [kind('a', { x: { ...text, maxLength: 3 } }, ['x']), kind('b', { x: text }, [])] };

  it.each<[string, JsonObject, readonly string[]]>([
    ['what it requires', { kind: 'a' }, ['/soil required']],
    ['what another one does not require', { kind: 'b' }, []],
    ['its limit', { kind: 'a', x: 'long' }, ['/soil/x maxLength']],
    ['what another one does not limit', { kind: 'b', x: 'long' }, []],
  ])('is held against records of it: %s', async (_what, value, expected) => {
    expect(await problems(record({ soil: either }), { soil: value })).toEqual(expected);
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['what it requires', { kind: 'a', soil: {} }, ['/soil required']],
    ['what another one does not require', { kind: 'b', soil: {} }, []],
    ['what it requires of the object', { kind: 'a' }, [' required']],
  ])('is held against objects of it: %s', async (_what, properties, expected) => {
    const inside = (required: readonly string[]): JsonObject => record({ x: text, y: text }, required);
    const body = { oneOf: [kind('a', { soil: inside(['x']) }, ['soil']), kind('b', { soil: inside([]) }, [])] };
    expect(await problems(body, properties)).toEqual(expected);
  });

  it('is no rule for answers', async () => {
    const type = (await bedsWith(record({ soil: either }))).types.get('garden:index/bed:Bed');
    expect(fits(type?.fields['soil']?.schema ?? {}, { kind: 'a' })).toBe(true);
  });
});

it('a member that no answer shows must be written, and need not be answered', async () => {
  const made = record({ soil: record({ name: text, secret: { ...text, writeOnly: true } }, ['name', 'secret']) });
  const found = await problems(made, { soil: written });
  expect(found).toEqual(['/soil required']);
  const type = (await bedsWith(made, record({ soil: record({ name: text }) }))).types.get('garden:index/bed:Bed');
  expect(fits(type?.fields['soil']?.schema ?? {}, written)).toBe(true);
});

it('a pattern inside a record that nothing runs is refused with its place', async () => {
  const { types } = await bedsWith(record({ soil })).then(() =>
    compileTypes(new Description({ openapi: '3.1.0', paths: {} }, 'beds.yaml'), noRules),
  );
  const definition = {
    name: 'Bed',
    description: 'A bed.',
    operations: { create: 'POST /beds' },
    naturalKey: ['soil'],
    fields: {
      soil: {
        description: 'Soil.',
        type: {
          record: 'Soil',
          description: 'Soil.',
          members: { name: { description: 'Name.', limits: { pattern: '^(?!x)a$' } } },
        },
      },
    },
  };
  const document = { ...types, definitions: [definition] } as unknown as JsonObject;
  await expect(ownPackage('garden', document)).rejects.toThrow('the pattern ^(?!x)a$ of Bed.soil');
});
