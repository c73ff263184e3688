import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import { isObject, type JsonObject } from '@platform-sync/core/model/value';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { providerPackages } from '@platform-sync/sdk/registry';
import { compileFile } from '@platform-sync/describe/load';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../http/loopback.js';

type Thing = Record<string, unknown>;
type Change = (description: Thing) => void;

const shelf = { $ref: '#/components/schemas/Shelf' };
const items = { type: 'array', items: shelf };
const content = (schema: object): object => ({ content: { 'application/json': { schema } } });

/** A small description: one type, made by POST, listed in one answer under `data`. */
function small(): Thing {
  const answer = content(shelf);
  const body = content({ $ref: '#/components/schemas/New' });
  return {
    openapi: '3.0.3',
    info: { title: 'Library', version: '1' },
    paths: {
      '/shelves': {
        post: { requestBody: body, responses: { '201': answer } },
        get: { parameters: [], responses: { '200': content({ properties: { data: items } }) } },
      },
      '/shelves/{id}': {
        get: { responses: { '200': answer, '404': {} } },
        patch: { requestBody: body, responses: { '200': answer } },
        delete: { responses: { '204': {} } },
      },
    },
    components: {
      schemas: {
        New: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, topic: { type: 'string' } },
        },
        Shelf: {
          allOf: [{ $ref: '#/components/schemas/New' }, { required: ['id'], properties: { id: { type: 'string' } } }],
        },
      },
    },
  };
}

/** Puts a value where a path leads, and takes what is there away for none. */
const at =
  (path: readonly string[], value?: unknown): Change =>
  (root) => {
    const last = path.at(-1) ?? '';
    const owner = path.slice(0, -1).reduce<Thing>((node, name) => (node[name] ??= {}) as Thing, root);
    if (value === undefined) Reflect.deleteProperty(owner, last);
    else owner[last] = value;
  };
const all =
  (...changes: readonly Change[]): Change =>
  (root) => {
    for (const change of changes) change(root);
  };
const shelves = ['paths', '/shelves'];
const one = ['paths', '/shelves/{id}'];
const asking = (...names: readonly string[]): Change =>
  at(
    [...shelves, 'get', 'parameters'],
    names.map((name) => ({ in: 'query', name, schema: {} })),
  );
const answering = (schema: object): Change => at([...shelves, 'get', 'responses', '200'], content(schema));
const text = { type: 'string' };
const number = { type: 'integer' };

let folder: string;
let server: Loopback;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-described-'));
  await mkdir(join(folder, 'catalogue'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Compiles the changed description; gives the sentences of what is open. */
async function compiled(change: Change): Promise<readonly string[]> {
  const description = small();
  change(description);
  await writeFile(join(folder, 'api.json'), JSON.stringify(description));
  const { types, open } = compileFile(folder, 'api.json', undefined);
  await writeFile(join(folder, 'acme.types.json'), JSON.stringify(types));
  return open.map(({ summary }) => summary);
}

type List = (all: readonly Thing[], query: URLSearchParams) => unknown;

/** A service that lists as `list` says, never more than 50 at a time, and answers writes with these statuses. */
function service(things: Map<string, Thing>, { list = inData, created = 201, hasBody = true, ...way }: Way) {
  const json = { 'content-type': 'application/json' };
  const dressed = (thing: Thing): JsonObject =>
    (way.envelope === undefined ? thing : { [way.envelope]: thing }) as JsonObject;
  return ({ method, url, body }: SeenRequest): Reaction => {
    const { pathname, searchParams } = new URL(url, 'http://library');
    const id = /^\/shelves\/(.+)$/.exec(pathname)?.[1];
    const sent = body === '' ? {} : (JSON.parse(body) as Thing);
    const given = way.envelope === undefined || body === '' ? sent : (sent[way.envelope] as Thing | undefined);
    if (given === undefined) return { status: 400 };
    if (id === undefined && method === 'GET') {
      const link = way.link?.([...things.values()], searchParams);
      const headers = { ...json, ...(link === undefined ? {} : { link }) };
      return { status: 200, headers, json: list([...things.values()], searchParams) as JsonObject };
    }
    if (id === undefined) {
      const made: Thing = {
        id: way.isNumbered === true ? things.size + 1 : `new${things.size}`,
        topic: null,
        ...given,
      };
      if (way.isNumbered === true && !['undefined', 'number'].includes(typeof given['shelf_id']))
        return { status: 400 };
      things.set(String(made['id']), made);
      return hasBody ? { status: created, headers: json, json: dressed(made) } : { status: created };
    }
    const known = things.get(id);
    if (known === undefined) return { status: 404 };
    if (method === 'DELETE') things.delete(id);
    if (method === 'PATCH') Object.assign(known, given);
    if (method === 'PUT') things.set(id, { id, topic: null, ...given });
    return method === 'DELETE' ? { status: 204 } : { status: 200, headers: json, json: dressed(things.get(id) ?? {}) };
  };
}

const size = (query: URLSearchParams): number =>
  Math.min(50, Number(query.get('size') ?? query.get('per_page') ?? query.get('limit') ?? 20));
const part = (list: readonly Thing[], from: number, query: URLSearchParams): readonly Thing[] =>
  list.slice(from, from + size(query));
const numbered: List = (list, query) => part(list, (Number(query.get('page') ?? 1) - 1) * size(query), query);
const after: List = (list, query) => {
  const from = list.findIndex(({ id }) => id === query.get('cursor')) + 1;
  const page = part(list, from, query);
  return { items: page, next_cursor: from + page.length < list.length ? page.at(-1)?.['id'] : null };
};
const inData: List = (list) => ({ data: list });

interface Way {
  readonly change: Change;
  readonly list?: List;
  readonly created?: number;
  readonly hasBody?: boolean;
  /** Header Link of a list. */
  readonly link?: (all: readonly Thing[], query: URLSearchParams) => string | undefined;
  readonly envelope?: string;
  /** Ids are whole numbers, and one object refers to another. */
  readonly isNumbered?: true;
}
/** The query of the page after that of a query; undefined after the last. */
const nextQuery = (list: readonly Thing[], query: URLSearchParams): string | undefined => {
  const from = Number(query.get('from') ?? 0) + size(query);
  return from < list.length ? `?from=${from}&per_page=${size(query)}&note=a%26b` : undefined;
};
const followed: List = (list, query) => part(list, Number(query.get('from') ?? 0), query);
const headed = at([...shelves, 'get', 'responses', '200', 'headers'], { Link: { schema: text } });
/** Bodies and answers hold the object in one member. */
const inside =
  (name: string): Change =>
  (root) => {
    const paths = root['paths'] as Record<string, Record<string, Thing>>;
    for (const [path, method] of [
      ['/shelves', 'post'],
      ['/shelves/{id}', 'get'],
      ['/shelves/{id}', 'patch'],
    ] as const) {
      const call = paths[path]?.[method] as Thing;
      const holding = (kind: string): object =>
        content({ properties: { [name]: { $ref: `#/components/schemas/${kind}` } } });
      if (method !== 'get') call['requestBody'] = holding('New');
      call['responses'] = {
        [method === 'post' ? '201' : '200']: holding('Shelf'),
        ...(method === 'get' ? { '404': {} } : {}),
      };
    }
  };
const numbers = all(
  at(['components', 'schemas', 'Shelf', 'allOf', '1', 'properties', 'id'], { type: 'integer', minimum: 1 }),
  at(['components', 'schemas', 'New', 'properties', 'shelf_id'], { type: 'integer', format: 'int64', minimum: 1 }),
);

const putOnly = all(
  (root) => at([...one, 'put'], ((root['paths'] as Thing)['/shelves/{id}'] as Thing)['patch'])(root),
  at([...one, 'patch']),
);
const later = at([...shelves, 'post', 'responses'], { '202': content(shelf) });

const ways: Readonly<Record<string, Way>> = {
  'a list in one answer': { change: () => undefined },
  'a list that is the answer': { change: answering(items), list: (list) => list },
  'a list under another name': {
    change: answering({ properties: { shelves: items } }),
    list: (list) => ({ shelves: list }),
  },
  'pages by number, of a size that the service cuts, with a total': {
    change: all(asking('page', 'size'), answering({ properties: { data: items, total: number } })),
    list: (list, query) => ({ data: numbered(list, query), total: list.length }),
  },
  'pages by number, of a size that the service cuts, without a total': {
    change: all(asking('page', 'per_page'), answering(items)),
    list: numbered,
  },
  'pages by number beside a header Link': {
    change: all(
      asking('page', 'per_page'),
      answering(items),
      at([...shelves, 'get', 'responses', '200', 'headers'], { Link: { schema: text } }),
    ),
    list: numbered,
  },
  'pages by cursor': {
    change: all(
      asking('cursor', 'limit'),
      answering({ properties: { items, next_cursor: { type: ['string', 'null'] } } }),
    ),
    list: after,
  },
  'pages that a header Link leads through': {
    change: all(answering(items), headed),
    list: followed,
    link: (list, query) => {
      const next = nextQuery(list, query);
      const first = '<https://elsewhere.example.com/shelves?from=0>; rel="first"';
      return next === undefined
        ? first
        : `${first}, <https://elsewhere.example.com/shelves${next}>; title="a, b"; rel="next last"`;
    },
  },
  'pages that a header Link leads through, of a size': {
    change: all(asking('per_page'), headed),
    list: (list, query) => ({ data: followed(list, query) }),
    link: (list, query) => {
      const next = nextQuery(list, query);
      return next === undefined ? undefined : `</shelves${next}>;rel=next`;
    },
  },
  'pages that an answer names under meta.next': {
    change: answering({ properties: { data: items, meta: { properties: { next: { type: ['string', 'null'] } } } } }),
    list: (list, query) => ({ data: followed(list, query), meta: { next: nextQuery(list, query) ?? null } }),
  },
  'pages that an answer names as an address': {
    change: answering({ properties: { data: items, links: { properties: { next: text } } } }),
    list: (list, query) => {
      const next = nextQuery(list, query);
      return {
        data: followed(list, query),
        links: next === undefined ? {} : { next: `http://library/shelves${next}` },
      };
    },
  },
  'bodies in an envelope': { change: inside('data'), envelope: 'data' },
  'bodies in an envelope, updates by PUT': { change: all(inside('shelf'), putOnly), envelope: 'shelf' },
  'ids that are whole numbers': { change: numbers, isNumbered: true },
  'ids that are whole numbers, bodies in an envelope': {
    change: all(numbers, inside('data')),
    ...{ envelope: 'data', isNumbered: true },
  },
  'pages by offset without a total': {
    change: asking('offset', 'limit'),
    list: (list, query) => ({ data: part(list, Number(query.get('offset') ?? 0), query) }),
  },
  'updates by PUT alone': { change: putOnly },
  'no update at all': { change: at([...one, 'patch']) },
  'a create that is answered 202, with the object': { change: later, created: 202 },
  'a create that is answered 202, with nothing': {
    change: at([...shelves, 'post', 'responses'], { '202': {} }),
    ...{ created: 202, hasBody: false },
  },
  'OpenAPI 3.1, where null is a type': {
    change: all(
      at(['openapi'], '3.1.0'),
      at(['components', 'schemas', 'New', 'properties', 'topic'], { anyOf: [text, { type: 'null' }] }),
    ),
  },
  'OpenAPI 3.0, where null is a mark': {
    change: at(['components', 'schemas', 'New', 'properties', 'topic'], { type: 'string', nullable: true }),
  },
  'a schema that holds itself': {
    change: at(['components', 'schemas', 'New', 'properties', 'inner'], { $ref: '#/components/schemas/New' }),
  },
  'media types of its own': {
    change: (root) => {
      const written = JSON.stringify(root['paths']).replaceAll('application/json', 'application/vnd.acme+json');
      root['paths'] = JSON.parse(written) as object;
    },
  },
};

async function open<T>(database: MemoryDatabase, work: (project: Project) => Promise<T>): Promise<T> {
  const { project, diagnostics } = await openProject({
    ...{ cwd: folder, env: {}, purpose: 'test', packages: providerPackages },
    openState: async (config) => memoryStateStore(config.project, config.stack, database),
  });
  if (project === undefined) throw new Error(diagnostics.map(({ summary }) => summary).join('\n'));
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

describe('a service comes from its description to an empty plan, with', () => {
  it.each(Object.entries(ways))('%s', async (_, way) => {
    expect(await compiled(way.change)).toEqual([]);
    const things = new Map(
      Array.from({ length: 130 }, (__, index): [string, Thing] => {
        const id = way.isNumbered === true ? index + 1 : `s${index}`;
        return [String(id), { id, name: `n${index}`, topic: null }];
      }),
    );
    server = await loopback(service(things, way));
    try {
      const write = (topic: string): Promise<void> =>
        writeFile(
          join(folder, 'catalogue/a.yaml'),
          `resources:
  a: { type: acme:Shelf, properties: { name: Novels, topic: ${topic} } }
${way.isNumbered === true ? `  b: { type: acme:Shelf, properties: { name: Maps, shelfId: "\${a.id}" } }` : ''}
`,
        );
      const settings = `project: l\nproviders: { acme: { types: ./acme.types.json, serverUrl: "${server.origin}" } }\n`;
      await writeFile(join(folder, 'sync.yaml'), settings);
      await write('Stories');
      const database = new MemoryDatabase();
      const applied = (): Promise<string> =>
        open(database, async (project) => (await project.apply(await project.plan())).status);
      const steps = (): Promise<number | undefined> =>
        open(database, async (project) => (await project.plan()).plan?.steps.length);
      const found = await open(database, (project) => project.objects({ type: 'Shelf', many: 'all' }));
      expect(found.objects).toHaveLength(130);
      expect([await applied(), await steps()]).toEqual(['done', 0]);
      await write('Poems');
      expect([await steps(), await applied(), await steps()]).toEqual([1, 'done', 0]);
      expect([...things.values()].filter(({ topic }) => topic === 'Poems')).toHaveLength(1);
      expect(things.size).toBe(way.isNumbered === true ? 132 : 131);
      if (way.isNumbered === true) expect(things.get('132')).toMatchObject({ id: 132, shelf_id: 131 });
    } finally {
      await server.close();
    }
  });
});

describe('what calls would get wrong is told when types are compiled, with what to do', () => {
  const schema = (name: string): readonly string[] => ['components', 'schemas', name];
  it.each<readonly [string, Change, RegExp]>([
    ['pages of a way that no rule knows', asking('after', 'limit'), /in pages \(after, limit\).*list\.paging says how/],
    [
      'pages that only a header can name',
      all(asking('after', 'limit'), answering(items)),
      /\(after, limit\), and nothing says where the next is named: it is taken from the header Link/,
    ],
    ['a limit alone', asking('limit'), /in pages \(limit\)/],
    [
      'a token that nothing takes',
      answering({ properties: { data: items, next_cursor: text } }),
      /in pages \(next_cursor\) in a way that no rule knows/,
    ],
    [
      'a list two members deep',
      answering({
        properties: { data: { type: 'object', properties: { deep: { type: 'object', properties: { items } } } } },
      }),
      /there is no list/,
    ],
    [
      'bodies that are no JSON',
      at([...shelves, 'post', 'requestBody'], { content: { 'multipart/form-data': { schema: {} } } }),
      /sent as multipart\/form-data.*skip it/,
    ],
    [
      'bodies of which one alone is in an envelope',
      all(
        inside('data'),
        at([...one, 'patch', 'requestBody'], content({ properties: { note: { type: 'object' }, size: number } })),
      ),
      /of its bodies one holds all of it in "data"/,
    ],
    [
      'ids that are numbers of any kind',
      at([...schema('Shelf'), 'allOf', '1', 'properties', 'id'], { type: 'number' }),
      /its id is a number/,
    ],
    [
      'ids of another name',
      at([...schema('Shelf'), 'allOf', '1', 'properties'], { shelfId: text }),
      /shows none called "id": shelfId would have to be declared/,
    ],
    ['no type at all', at(['paths'], {}), /it describes no type/],
    ['no read and no list', all(at([...one, 'get']), at([...shelves, 'get'])), /no call and no list shows it/],
    [
      'no 404 and no list',
      all(at([...one, 'get', 'responses', '404']), at([...shelves, 'get'])),
      /The form of a 404 of this service is unknown: until it is given, none of Shelf/,
    ],
    [
      'bodies of several kinds that nothing tells apart',
      at([...schema('New')], { oneOf: [{ properties: { name: text } }, { properties: { name: text, x: text } }] }),
      /body has several forms/,
    ],
  ])('%s', async (_, change, expected) => {
    expect((await compiled(change)).join('\n')).toMatch(expected);
  });

  it('but not what a correction settles', async () => {
    const description = small();
    asking('after', 'limit')(description);
    await writeFile(join(folder, 'api.json'), JSON.stringify(description));
    const list = { get: '/shelves', paging: { by: 'cursor', items: 'data', cursor: 'after', next: ['next'] } };
    const rules = (correction: object): Promise<void> =>
      writeFile(
        join(folder, 'rules.json'),
        JSON.stringify({ corrections: { Shelf: { why: 'tried', ...correction } } }),
      );
    for (const correction of [{ list }, { accepted: ['paging'] }]) {
      await rules(correction);
      expect(compileFile(folder, 'api.json', 'rules.json').open).toEqual([]);
    }
    await rules({ list });
    const [made] = compileFile(folder, 'api.json', 'rules.json').types.definitions;
    expect(isObject(made?.list?.paging) && made.list.paging).toEqual(list.paging);
  });
});

describe('a list that leads nowhere', () => {
  it.each<[string, string]>([
    ['to itself', '</shelves?from=0>; rel="next"'],
    ['to a page that nothing asks for', '</shelves/2>; rel="next"'],
  ])('%s is an error, and no list', async (_, link) => {
    expect(await compiled(all(answering(items), headed))).toEqual([]);
    const things = new Map([['s1', { id: 's1', name: 'n', topic: null }]]);
    const way: Way = { change: headed, list: (list) => list, link: () => link };
    server = await loopback(service(things, way));
    try {
      const settings = `project: l\nproviders: { acme: { types: ./acme.types.json, serverUrl: "${server.origin}" } }\n`;
      await writeFile(join(folder, 'sync.yaml'), settings);
      const found = await open(new MemoryDatabase(), (project) => project.objects({ type: 'Shelf', many: 'all' }));
      expect(found.objects).toBeUndefined();
      expect(found.diagnostics.map(({ severity }) => severity)).toEqual(['error']);
      expect(server.seen.length).toBeLessThan(50);
    } finally {
      await server.close();
    }
  });
});
