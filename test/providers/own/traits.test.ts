import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/engine/model/value.js';
import { compileTypes } from '../../../src/types-compile/compile.js';
import { Description } from '../../../src/types-compile/description.js';
import { noRules, readRules } from '../../../src/types-compile/rules-file.js';
import type { Behaviours } from './stand-in.js';
import { livesOf, rulesOf } from './whole-lives.js';

const text = { type: 'string' };
const number = { type: 'integer' };
const content = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const record = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const query = (...names: readonly string[]): JsonObject[] => names.map((name) => ({ in: 'query', name, schema: {} }));

/** One kind of object, as bodies take and answers show it. */
interface Trait {
  readonly path?: string;
  readonly item?: string;
  readonly taken?: JsonObject;
  readonly changed?: JsonObject;
  readonly shown?: JsonObject;
  readonly listed?: JsonObject;
  readonly asked?: readonly string[];
  readonly answers?: JsonObject;
  readonly update?: 'patch' | 'put';
  readonly behaviours?: Partial<Behaviours>;
  /** What a 404 is described to hold; false: it is not described. */
  readonly absent?: JsonObject | false;
}

const taken = record({ name: text, topic: text }, ['name']);
const shown = record({ id: text, name: text, topic: text }, ['id', 'name']);
const absent = content(record({ code: text, message: text }, ['code', 'message']));

function describedAs(trait: Trait): JsonObject {
  const { path = '/api/shelves', item = `${path}/{shelf_id}`, update = 'patch' } = trait;
  const one = content(trait.shown ?? shown);
  const body = content(trait.taken ?? taken);
  const gone = trait.absent === false ? {} : { '404': trait.absent ?? absent };
  return {
    openapi: '3.1.0',
    info: { title: 'Library', version: '1' },
    paths: {
      [path]: {
        post: { requestBody: body, responses: { '201': one } },
        get: {
          parameters: query(...(trait.asked ?? [])),
          responses: { '200': { ...content(trait.listed ?? listOf(trait.shown ?? shown)), ...trait.answers } },
        },
      },
      [item]: {
        get: { responses: { '200': one, ...gone } },
        [update]: { requestBody: content(trait.changed ?? trait.taken ?? taken), responses: { '200': one } },
        delete: { responses: { '204': {} } },
      },
      '/api/health': { get: { responses: { '200': {} } } },
    },
  };
}

const inside = (name: string, schema: JsonObject, beside: JsonObject = {}): JsonObject =>
  record({ [name]: schema, ...beside }, [name]);
const wrapped = {
  taken: inside('shelf', taken),
  shown: inside('shelf', shown),
  listed: inside('shelves', listOf(shown)),
};
const peer = record({ id: text, name: text }, ['id', 'name']);

const traits: Readonly<Record<string, Trait>> = {
  'a 404 with JSON of its own, as described': {},
  'a 404 with JSON of its own that nothing describes': { absent: false },
  'a 404 that says nothing but a message': { absent: content(record({ message: text })) },
  'ids in and objects out': {
    taken: record({ name: text, peers: listOf(text), owner: text }, ['name', 'peers', 'owner']),
    shown: record({ id: text, name: text, peers: listOf(peer), owner: peer }, ['id', 'name', 'peers', 'owner']),
  },
  'ids in and objects out under another name': {
    taken: record({ name: text, peer_ids: listOf(text) }, ['name', 'peer_ids']),
    shown: record({ id: text, name: text, peers: listOf(peer) }, ['id', 'name', 'peers']),
    behaviours: { renamed: { peer_ids: 'peers' } },
  },
  'one spelling in bodies and another in answers': {
    taken: record({ name: text, peer_count: number }, ['name', 'peer_count']),
    shown: record({ id: text, name: text, peerCount: number }, ['id', 'name', 'peerCount']),
  },
  'a number that bodies take as a text': {
    taken: record({ name: text, rate: text, topic: text }, ['name']),
    shown: record({ id: text, name: text, rate: { type: 'number' }, topic: text }, ['id', 'name']),
  },
  'a member that only updates require, by PATCH': {
    changed: record({ name: text, topic: text, revoked: { type: 'boolean' } }, ['name', 'revoked']),
    shown: record({ id: text, name: text, topic: text, revoked: { type: 'boolean' } }, ['id', 'name', 'revoked']),
  },
  'a member that only updates require, by PUT': {
    update: 'put',
    changed: record({ id: text, name: text, topic: text, version: number }, ['id', 'name', 'version']),
    shown: record({ id: text, name: text, topic: text, version: number }, ['id', 'name', 'version']),
  },
  'bodies and answers in one member': wrapped,
  'updates alone in one member': {
    ...{ taken, changed: inside('shelf', record({ topic: text })), shown: inside('shelf', shown) },
    listed: inside('shelves', listOf(shown)),
  },
  'answers alone in one member': { shown: inside('shelf', shown), listed: inside('shelves', listOf(shown)) },
  'ids that are whole numbers': {
    shown: record({ id: number, name: text, topic: text }, ['id', 'name']),
  },
  'ids of another name': {
    item: '/api/shelves/{shelf_uid}',
    shown: record({ uid: text, name: text, topic: text }, ['uid', 'name']),
  },
  'a key in the path that bodies hold': {
    item: '/api/shelves/{shelf_name}',
    shown: record({ name: text, topic: text }, ['name']),
    changed: record({ topic: text }),
  },
  'an id that people choose': {
    taken: record({ id: text, topic: text }, ['id']),
    shown: record({ id: text, topic: text }, ['id']),
    changed: record({ topic: text }),
  },
  'a list below places that no type is of': { path: '/api/towns/{town}/libraries/{library}/shelves' },
  'paths that end with a slash': { path: '/api/shelves/', item: '/api/shelves/{shelf_id}/' },
  'a list two members deep': { listed: inside('result', inside('items', listOf(shown))) },
  'pages by a cursor that the answer names': {
    asked: ['cursor', 'limit'],
    listed: record({ shelves: listOf(shown), pagination: record({ next: text }) }),
    behaviours: { pages: { parameter: 'cursor', size: 2, next: 'pagination.next' } },
  },
  'pages by a cursor that the last page names, too': {
    asked: ['iterator', 'limit'],
    listed: record({ data: listOf(shown), iterator: text, done: { type: 'boolean' } }),
    behaviours: { pages: { parameter: 'iterator', size: 2, next: 'iterator', endless: true } },
  },
  'pages after the last id': {
    asked: ['starting_after', 'limit'],
    listed: record({ data: listOf(shown), has_more: { type: 'boolean' } }),
    behaviours: { pages: { parameter: 'starting_after', size: 2, more: 'has_more' } },
  },
  'pages by offset that say whether there are more': {
    asked: ['offset', 'limit'],
    listed: record({ shelves: listOf(shown), more: { type: 'boolean' }, total: { type: ['integer', 'null'] } }),
    behaviours: { pages: { parameter: 'offset', size: 2, counts: 'items', more: 'more' } },
  },
  'pages by number with a total': {
    asked: ['page', 'per_page'],
    listed: record({ shelves: listOf(shown), meta: record({ total_count: number }, ['total_count']) }, ['meta']),
    behaviours: { pages: { parameter: 'page', size: 2, counts: 'pages', total: 'meta.total_count' } },
  },
  'pages that a described header Link names': {
    asked: ['after', 'limit'],
    answers: { headers: { Link: { schema: text } } },
    behaviours: { pages: { parameter: 'after', size: 2, next: 'Link' } },
  },
};

const missing = { status: 404, body: { code: 'not_found', message: 'no such shelf' } };

describe('a service comes through a whole life without a correction, with', () => {
  it.each(Object.entries(traits))('%s', async (_, trait) => {
    const behaviours = { absent: missing, others: 5, ...trait.behaviours };
    const { types, warnings, lived, failed } = await livesOf(describedAs(trait), behaviours);
    expect([...failed]).toEqual([]);
    expect([types, lived, warnings - (trait.path?.includes('{') === true ? 1 : 0)]).toEqual([1, ['Shelf'], 0]);
  });
});

const legal: Readonly<Record<string, (root: JsonObject) => JsonObject>> = {
  'a pointer into a list': (root) => ({
    ...root,
    components: { schemas: { Shelf: { allOf: [taken] }, Other: { $ref: '#/components/schemas/Shelf/allOf/0' } } },
    paths: { ...described.paths, ...withBody({ $ref: '#/components/schemas/Other' }) },
  }),
  'a schema that leads back to itself': (root) => ({
    ...root,
    components: { schemas: { A: record({ name: text, inner: { $ref: '#/components/schemas/A' } }, ['name']) } },
    paths: withBody({ $ref: '#/components/schemas/A' }),
  }),
  'a reference that leads nowhere': (root) => ({ ...root, paths: withBody({ $ref: '#/components/schemas/None' }) }),
  'another document': (root) => ({ ...root, paths: withBody({ $ref: 'other.yaml#/A' }) }),
  'bodies of several kinds with a discriminator': (root) => ({
    ...root,
    components: {
      schemas: { A: record({ kind: text, a: text }, ['kind']), B: record({ kind: text, b: text }, ['kind']) },
    },
    paths: withBody({
      oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
      discriminator: { propertyName: 'kind' },
    }),
  }),
  'bodies that are no JSON': (root) => ({
    ...root,
    paths: {
      ...described.paths,
      '/files': {
        post: {
          requestBody: { content: { 'multipart/form-data': { schema: taken } } },
          responses: { '201': content(shown) },
        },
      },
      '/files/{id}': { get: { responses: { '200': content(shown) } }, delete: { responses: {} } },
    },
  }),
  'names that begin with a digit': (root) => ({
    ...root,
    paths: {
      '/2fa': described.paths['/api/shelves'] ?? {},
      '/2fa/{id}': described.paths['/api/shelves/{shelf_id}'] ?? {},
    },
  }),
  'members that are no names': (root) => ({
    ...root,
    paths: withBody(record({ name: text, '+1': number, '-1': number, $x: text, '24h': text }, ['name'])),
  }),
  'what extends paths': (root) => ({ ...root, paths: { ...described.paths, 'x-note': 'a text' } }),
  'no paths': (root) => ({ ...root, paths: {} }),
};

const described = describedAs({}) as { readonly paths: Readonly<Record<string, JsonObject>> } & JsonObject;

function withBody(schema: JsonObject): JsonObject {
  const calls = describedAs({ taken: schema })['paths'];
  return calls as JsonObject;
}

describe('what is legal in a description never stops, and its lines settle what is open:', () => {
  it.each(Object.entries(legal))('%s', (_, change) => {
    const document = change(described);
    const compiled = (rules: JsonObject): ReturnType<typeof compileTypes> =>
      compileTypes(new Description(document, 'api.json'), { ...noRules, ...readRules(rules, 'rules.yaml') });
    const { open } = compiled({});
    expect(open.filter(({ severity }) => severity === 'error')).toEqual([]);
    const about = new Set(['remote-reference', 'broken-reference']);
    expect(compiled(rulesOf(open)).open.filter(({ code }) => !about.has(code))).toEqual([]);
  });
});
