import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '@platform-sync/engine/api';
import { openProject } from '@platform-sync/engine/engine';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { providerPackages } from '@platform-sync/sdk/registry';
import { compileFile } from '@platform-sync/describe/load';
import { loopback, type Loopback, type Reaction, type SeenRequest } from '../providers/http/loopback.js';

const content = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const query = (name: string, more: JsonObject = {}): JsonObject => ({ in: 'query', name, schema: {}, ...more });
const filters = (members: JsonObject, style = 'deepObject'): JsonObject =>
  query('filter', { style, schema: { type: 'object', properties: members } });
const equal: JsonObject = { type: 'object', properties: { eq: { type: 'string' } } };
const text: JsonObject = { type: 'string' };

/** Shelves by their name, whose list takes these parameters; `name` is what the name of a shelf is. */
function library(parameters: readonly JsonObject[], name: JsonObject = text, required: readonly string[] = ['name']) {
  const made = content({ type: 'object', required, properties: { name, topic: text } });
  const shelf: JsonObject = { type: 'object', required: ['id'], properties: { id: text, name, topic: text } };
  const items = content({ type: 'object', properties: { data: { type: 'array', items: shelf } } });
  return {
    openapi: '3.1.0',
    info: { title: 'Library', version: '1' },
    paths: {
      '/shelves': {
        post: { requestBody: made, responses: { '201': content(shelf), '409': {} } },
        get: { parameters, responses: { '200': items } },
      },
      '/shelves/{id}': {
        get: { responses: { '200': content(shelf), '404': {} } },
        patch: { requestBody: made, responses: { '200': content(shelf) } },
        delete: { responses: { '204': {} } },
      },
    },
  };
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sync-find-by-'));
  await mkdir(join(folder, 'catalogue'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function compiled(description: object, rules?: object) {
  await writeFile(join(folder, 'api.json'), JSON.stringify(description));
  if (rules !== undefined) await writeFile(join(folder, 'rules.json'), JSON.stringify(rules));
  const { types } = compileFile(folder, 'api.json', rules === undefined ? undefined : 'rules.json');
  await writeFile(join(folder, 'acme.types.json'), JSON.stringify(types));
  return types.definitions[0];
}

const byName = { 'filter[name][eq]': 'name' };

describe('a list is narrowed to a key where its description says equality', () => {
  it.each<[string, readonly JsonObject[], object | undefined]>([
    ['as a parameter', [query('filter[name][eq]')], byName],
    ['as a member of the object of filters', [filters({ name: equal })], byName],
    [
      'among other ways to ask',
      [filters({ name: { oneOf: [text, { properties: { contains: text } }, equal] } })],
      byName,
    ],
    ['of another field', [filters({ topic: equal }), query('filter[topic][eq]')], undefined],
    ['by another operator', [filters({ name: { properties: { contains: text } } })], undefined],
    ['a parameter of that name, which may search', [query('name'), query('filter[name]')], undefined],
    ['an object that is sent in another way', [filters({ name: equal }, 'form')], undefined],
    ['a header', [{ ...query('filter[name][eq]'), in: 'header' }], undefined],
  ])('%s', async (_, parameters, findBy) => {
    expect((await compiled(library(parameters)))?.list?.findBy).toEqual(findBy);
  });

  it('and the key is a text that an address may hold', async () => {
    const asked = [query('filter[name][eq]')];
    expect((await compiled(library(asked, { type: 'integer' })))?.list?.findBy).toBeUndefined();
    expect((await compiled(library(asked, { ...text, format: 'password' })))?.list?.findBy).toBeUndefined();
  });

  it('a key by correction counts, and so does a list by correction', async () => {
    const asked = library([query('filter[topic][eq]')]);
    const key = { Shelf: { naturalKey: ['topic'], why: 'one shelf a topic' } };
    expect((await compiled(asked, { corrections: key }))?.list?.findBy).toEqual({ 'filter[topic][eq]': 'topic' });
    const list = { get: '/shelves', paging: { by: 'none', items: 'data' } };
    const without = { Shelf: { list, why: 'its filter is broken' } };
    expect((await compiled(library([query('filter[name][eq]')]), { corrections: without }))?.list).toEqual(list);
  });

  it('a conflict that a create may answer makes nothing unique', async () => {
    expect(await compiled(library([query('filter[name][eq]')]))).not.toHaveProperty('unique');
  });
});

describe('what is narrowed', () => {
  let server: Loopback;
  const shelves: JsonObject[] = [];
  let breaks = 0;
  beforeEach(async () => {
    shelves.length = 0;
    breaks = 0;
    server = await loopback(react);
    const settings = `project: l\nproviders: { acme: { types: ./acme.types.json, serverUrl: "${server.origin}" } }\n`;
    await writeFile(join(folder, 'sync.yaml'), settings);
    await compiled(library([filters({ name: equal })], text, []));
  });
  afterEach(() => server.close());

  function react({ method, url, body }: SeenRequest): Reaction {
    const { pathname, searchParams } = new URL(url, 'http://library');
    const id = pathname.split('/')[2];
    const wanted = searchParams.get('filter[name][eq]');
    if (method === 'GET' && id === undefined)
      return { status: 200, json: { data: shelves.filter(({ name }) => wanted === null || name === wanted) } };
    if (method === 'GET') return { status: 200, json: shelves.find((shelf) => shelf['id'] === id) };
    const made: JsonObject = { ...(JSON.parse(body) as JsonObject), id: `s${shelves.length + 1}` };
    shelves.push(made);
    if (breaks-- > 0) return (response) => void response.destroy();
    return { status: 201, json: made };
  }

  async function open<T>(work: (project: Project) => Promise<T>, database = new MemoryDatabase()): Promise<T> {
    const { project, diagnostics } = await openProject({
      ...{ cwd: folder, env: {}, purpose: 'test', packages: providerPackages },
      world: { ...realWorld, sleep: () => Promise.resolve() },
      openState: async (config) => memoryStateStore(config.project, config.stack, database),
    });
    if (project === undefined) throw new Error(JSON.stringify(diagnostics));
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }
  const write = (properties: JsonObject): Promise<void> =>
    writeFile(
      join(folder, 'catalogue/a.yaml'),
      JSON.stringify({ resources: { a: { type: 'acme:Shelf', properties } } }),
    );
  const lists = (): readonly string[] =>
    server.seen.flatMap(({ method, url }) =>
      method === 'GET' && url.startsWith('/shelves?') ? [decodeURIComponent(url)] : [],
    );

  it('is a lookup by that field', async () => {
    shelves.push({ id: 's1', name: 'Maps' }, { id: 's2', name: 'Novels' });
    const maps = await open((project) => project.lookup('acme:index/getShelf:getShelf', { filter: { name: 'Maps' } }));
    expect(maps).toMatchObject({ result: { id: 's1' }, diagnostics: [] });
    expect(lists()).toEqual(['/shelves?filter[name][eq]=Maps']);
  });

  it('is the search for what became of a create whose answer was lost, which is found and not made again', async () => {
    await write({ name: 'Maps' });
    breaks = 1;
    expect((await open(async (project) => project.apply(await project.plan()))).status).toBe('done');
    expect(lists()).toContain('/shelves?filter[name][eq]=Maps');
    expect(shelves).toHaveLength(1);
  });

  it('is not the search for one without a name, which looks through all', async () => {
    await write({ topic: 'Sea' });
    breaks = 1;
    expect((await open(async (project) => project.apply(await project.plan()))).status).toBe('done');
    expect(lists()).toEqual([]);
    expect(shelves).toHaveLength(1);
  });

  it('is never a reason to adopt: beside one of the same name another is made, with a warning', async () => {
    shelves.push({ id: 's1', name: 'Maps' });
    await write({ name: 'Maps' });
    const { plan } = await open((project) => project.plan());
    expect(plan?.steps.map(({ action }) => action)).toEqual(['create']);
    expect(plan?.notices.map(({ code }) => code)).toContain('same-name');
  });
});
