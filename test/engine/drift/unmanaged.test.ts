import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenOptions } from '@platform-sync/engine/api';
import type { DriftResult, Finding } from '@platform-sync/core/model/drift';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { MemoryDatabase, memoryStateStore } from '@platform-sync/state/memory';
import { emptied } from '../../harness/emptied.js';
import { makeWorld, type World } from '../../harness/world.js';

/** What somebody makes by hand, beside everything that somebody manages. */
describe('objects that nobody manages', () => {
  let world: World;
  let database: MemoryDatabase;
  let problems: (document: unknown) => unknown;
  beforeAll(async () => {
    world = await makeWorld();
    const text = await readFile(new URL('../../../schemas/drift.schema.json', import.meta.url), 'utf8');
    const validate = new Ajv2020({ allErrors: true, formats: { 'date-time': true, date: true } }).compile(
      JSON.parse(text) as object,
    );
    problems = (document) => (validate(document) ? [] : validate.errors);
  });
  beforeEach(async () => {
    database = new MemoryDatabase();
    await world.call('POST', '/_sandbox/reset');
    await emptied(world);
    await world.call('PUT', '/_sandbox/faults', []);
  });
  afterAll(() => world.close());

  const doc = (title: string, status = 'published'): JsonObject => ({
    type: 'platform:ApiDocument',
    properties: { title, content: 'x', status },
  });
  const api = (children: JsonObject = {}): JsonObject => ({ type: 'platform:Api', children });
  const write = (resources: JsonObject, unmanaged?: Json, more: JsonObject = {}, top: JsonObject = {}): Promise<void> =>
    world.write({
      'sync.yaml': {
        project: 'test',
        guards: { maxDeletePercent: 100 },
        ...top,
        drift: { ...(unmanaged === undefined ? {} : { unmanaged }), ...more },
      },
      'catalogue/all.yaml': { resources },
    });

  const inStack = (stack = 'default', store = database): Partial<OpenOptions> => ({
    stack,
    openState: () => Promise.resolve(memoryStateStore('test', stack, store)),
  });
  const apply = (options = inStack()): Promise<void> =>
    world.open(async (project) => {
      expect((await project.apply(await project.plan())).status).toBe('done');
    }, options);

  /** Checks, and insists that the document is as its schema says. */
  async function check(options = inStack()): Promise<DriftResult> {
    const result = await world.open((project) => project.drift(), options);
    expect(problems(JSON.parse(JSON.stringify(result)))).toEqual([]);
    return result;
  }

  async function made(path: string, body: JsonObject): Promise<string> {
    const { status, body: answer } = await world.call('POST', path, body);
    expect(status).toBe(201);
    return String((answer as JsonObject)['id']);
  }

  async function idOf(address: string): Promise<string> {
    return world.open(
      async (project) => (await (await project.state()).read()).resources.get(address)?.identity.id ?? '',
      inStack(),
    );
  }

  const byHand = async (under: string, title: string, status = 'published'): Promise<string> =>
    made(`/v3/apis/${await idOf(under)}/documents`, { title, content: 'by hand', status });

  const brief = ({ findings }: DriftResult): readonly string[] =>
    findings.map((found) => [found.severity, found.class, found.name ?? found.address].join(' '));

  async function requestsOf(work: () => Promise<unknown>): Promise<number> {
    await world.resetRequests();
    await work();
    return (await world.requests()).total;
  }

  it('are no findings, and no request is sent for them, unless asked for', async () => {
    await write({ pets: api(), cats: api({ guide: doc('Guide') }) });
    await apply();
    const before = await requestsOf(check);
    await byHand('cats', 'Campaign');
    const plain = await check();
    expect([plain.status, plain.findings, plain.unmanaged.map(({ count }) => count)]).toEqual(['clean', [], [1]]);
    expect(await requestsOf(check)).toBe(before);
    await write({ pets: api(), cats: api({ guide: doc('Guide') }) }, 'none');
    expect(await requestsOf(check)).toBe(before);
    // Asked for: the documents of the API that has none.
    await write({ pets: api(), cats: api({ guide: doc('Guide') }) }, ['ApiDocument']);
    expect(await requestsOf(check)).toBe(before + 1);
    await write({ pets: api(), cats: api({ guide: doc('Guide') }) }, 'visible');
    // A plan never reads more for it.
    const asked = await requestsOf(() => world.open((project) => project.plan(), inStack()));
    await write({ pets: api(), cats: api({ guide: doc('Guide') }) });
    expect(await requestsOf(() => world.open((project) => project.plan(), inStack()))).toBe(asked);
  });

  it.each<{ readonly setting: Json; readonly found: readonly string[] }>([
    { setting: 'visible', found: ['high unmanaged By hand', 'high unmanaged shown v1'] },
    {
      setting: 'all',
      found: [
        ...[
          'high unmanaged By hand',
          'high unmanaged shown v1',
          'low unmanaged hidden',
          'low unmanaged Draft',
          'low unmanaged front',
        ],
        // A publication has no name; its id is the portal's.
        'low unmanaged (id of the portal)',
      ],
    },
    { setting: ['Api'], found: ['high unmanaged shown v1', 'low unmanaged hidden'] },
    { setting: ['platform:ApiDocument'], found: ['high unmanaged By hand', 'low unmanaged Draft'] },
  ])('are found as $setting asks', async ({ setting, found }) => {
    await write({ pets: api() }, setting);
    await apply();
    await byHand('pets', 'By hand');
    await byHand('pets', 'Draft', 'unpublished');
    await made('/v3/apis', { name: 'hidden' });
    const shown = await made('/v3/apis', { name: 'shown', version: 'v1' });
    const portal = await made('/v3/portals', { name: 'front' });
    const published = await world.call('PUT', `/v3/apis/${shown}/publications/${portal}`, {});
    expect(published.status).toBeLessThan(300);
    const result = await check();
    expect(result.status).toBe('drift');
    const told = brief(result).map((line) => line.replace(portal, '(id of the portal)'));
    expect([...told].sort()).toEqual([...found].sort());
  });

  it('have a name, an id, an address that no resource has, and what takes them over', async () => {
    await write({ pets: api() }, 'visible');
    await apply();
    const id = await byHand('pets', 'Campaign');
    const { findings } = await check();
    const [found] = findings;
    expect(found).toMatchObject({
      ...{ address: `pets/ApiDocument:${id}`, objectId: id, name: 'Campaign', visible: true, verbs: ['ignore'] },
      ...{ trend: 'new', importId: JSON.stringify({ api_id: await idOf('pets'), id }) },
    });
    // That id is what import takes, once the catalogue describes the object.
    await write({ pets: api({ campaign: doc('Campaign') }) }, 'visible');
    const taken = await world.open(
      (project) => project.importResource('pets/campaign', found?.importId ?? ''),
      inStack(),
    );
    expect(taken.diagnostics).toMatchObject([{ code: 'adopted-changed', severity: 'info' }]);
    expect(await check()).toMatchObject({ findings: [], resolved: [{ id: found?.id, by: 'settled' }] });
  });

  it('are news once, worse when they become visible, and over when they are gone', async () => {
    await write({ pets: api() }, ['ApiDocument']);
    await apply();
    const id = await byHand('pets', 'Draft', 'unpublished');
    const document = `/v3/apis/${await idOf('pets')}/documents/${id}`;
    const story: [string, string][] = [];
    const note = async (): Promise<void> => {
      const { findings, resolved } = await check();
      story.push([
        findings.map(({ trend, severity }) => `${trend} ${severity}`).join(),
        resolved.map(({ by }) => by).join(),
      ]);
    };
    await note();
    await note();
    await world.call('PATCH', document, { status: 'published' });
    await note();
    await world.call('DELETE', document);
    await note();
    expect(story).toEqual([
      ['new low', ''],
      ['known low', ''],
      ['worse high', ''],
      ['', 'settled'],
    ]);
  });

  it('are not those of another stack, of another run, or with the mark of another stack', async () => {
    const top = { ownership: 'label', stacks: { default: {}, other: {}, third: {} } };
    await write({ theirs: api({ guide: doc('Theirs') }) }, undefined, {}, top);
    await apply(inStack('other'));
    // Another store: only the mark tells.
    await write({ marked: api() }, undefined, {}, top);
    await apply(inStack('third', new MemoryDatabase()));
    await write({ pets: api() }, 'all', {}, top);
    await apply();
    expect(brief(await check())).toEqual([]);
    await made('/v3/apis', { name: 'by-hand' });
    expect(brief(await check())).toEqual(['low unmanaged by-hand']);
  });

  it('are not those that a run records while the check looks', async () => {
    await write({ pets: api() }, 'all');
    await apply();
    await write({ pets: api(), cats: api() }, 'all');
    // The other run is done between the check's look at the state and its look at the platform.
    let isDone = false;
    const late: Partial<OpenOptions> = {
      openState: () => {
        const store = memoryStateStore('test', 'default', database);
        return Promise.resolve({
          ...store,
          read: async () => {
            const state = await store.read();
            if (!isDone) {
              isDone = true;
              await apply();
            }
            return state;
          },
          ...bound(store),
        });
      },
    };
    const result = await check(late);
    expect(isDone).toBe(true);
    expect(result.findings.filter((found) => found.class === 'unmanaged')).toEqual([]);
  });

  it('are left as they were while nothing can be said of them, and ignored once nobody asks', async () => {
    await write({ pets: api() }, ['ApiDocument']);
    await apply();
    await byHand('pets', 'Campaign');
    const [before] = (await check()).findings;
    await world.call('PUT', '/_sandbox/faults', [
      { match: { method: 'GET', route: '/v3/apis/*/documents' }, probability: 1, action: { status: 403 } },
    ]);
    expect(await check()).toMatchObject({ status: 'incomplete', findings: [], resolved: [] });
    await world.call('PUT', '/_sandbox/faults', []);
    expect((await check()).findings).toMatchObject([{ id: before?.id, trend: 'known', firstSeen: before?.firstSeen }]);
    await write({ pets: api() });
    expect(await check()).toMatchObject({ status: 'clean', resolved: [{ id: before?.id, by: 'ignored' }] });
  });

  it('weigh what sync.yaml says', async () => {
    await write({ pets: api() }, 'all', { severity: { unmanaged: 'medium', 'ApiDocument.unmanaged': 'low' } });
    await apply();
    await byHand('pets', 'Campaign');
    await made('/v3/apis', { name: 'by-hand' });
    expect(brief(await check())).toEqual(['medium unmanaged by-hand', 'low unmanaged Campaign']);
  });

  it('are left out by a rule that drift ignore writes, and by a pattern', async () => {
    await write({ pets: api() }, 'visible');
    await apply();
    await byHand('pets', 'Campaign');
    const [found] = (await check()).findings as readonly [Finding];
    const ignored = await world.open((project) => project.ignoreDrift([found.id], { reason: 'May' }), inStack());
    expect(ignored.diagnostics).toEqual([]);
    expect(await readFile(join(world.folder, 'sync.yaml'), 'utf8')).toContain(found.address);
    expect(await check()).toMatchObject({ status: 'clean', ignored: [{ id: found.id, class: 'unmanaged' }] });
    await write({ pets: api() }, 'visible', { ignore: [{ address: 'pets/*', reason: 'May' }] });
    expect((await check()).findings).toEqual([]);
  });

  it.each(['revertDrift', 'recordDrift', 'acceptDrift'] as const)('are nothing for %s', async (verb) => {
    await write({ pets: api() }, 'visible');
    await apply();
    const address = `pets/ApiDocument:${await byHand('pets', 'Campaign')}`;
    const { diagnostics } = await world.open((project) => project[verb]([address]), inStack());
    expect(diagnostics).toMatchObject([
      { code: verb === 'acceptDrift' ? 'cannot-accept' : (expect.stringMatching(/^cannot-/) as string) },
    ]);
  });

  it('of a type that does not exist fail the check, and no plan', async () => {
    await write({ pets: api() }, ['Api', 'Apy']);
    expect(await check()).toMatchObject({ status: 'failed', diagnostics: [{ code: 'unknown-watched-type' }] });
    const planned = await world.open((project) => project.plan(), inStack());
    expect(planned.plan?.summary.create).toBe(1);
  });

  it('are named by a plan, without making it another one', async () => {
    await write({ pets: api({ guide: doc('Guide') }) });
    await apply();
    await byHand('pets', 'Campaign');
    const plan = (): Promise<Json> =>
      world.open(async (project) => JSON.parse(JSON.stringify((await project.plan()).plan)) as Json, inStack());
    const before = (await plan()) as JsonObject;
    expect((before['meta'] as JsonObject)['unmanaged']).toBeUndefined();
    await write({ pets: api({ guide: doc('Guide') }) }, 'visible');
    const asked = (await plan()) as JsonObject;
    expect((asked['meta'] as JsonObject)['unmanaged']).toMatchObject([
      { under: 'pets', name: 'Campaign', visible: true },
    ]);
    expect(asked['digest']).toBe(before['digest']);
  });
});

/** The methods of a store, which live in its class. */
function bound(store: ReturnType<typeof memoryStateStore>): Partial<ReturnType<typeof memoryStateStore>> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(store) as object) as (keyof typeof store)[];
  return Object.fromEntries(
    names
      .filter((name) => name !== 'read' && typeof store[name] === 'function')
      .map((name) => {
        const method = store[name] as (...args: unknown[]) => unknown;
        return [name, method.bind(store)];
      }),
  );
}
