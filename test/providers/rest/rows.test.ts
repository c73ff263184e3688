import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { importIdText, readImportId } from '@platform-sync/core/model/import-id';
import type { Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ImportIdRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { programTrust } from '@platform-sync/core/model/trust';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { TypeDefinition } from '@platform-sync/kit/index';
import { linked } from '@platform-sync/rest/definition-source';
import { restType } from '@platform-sync/rest/rest-type';
import { libraryPackage, libraryProvider } from '../../kit/library-provider.js';
import { LibraryService } from '../../kit/library-service.js';

let service: LibraryService;
let provider: Provider;
let warnings: Diagnostic[];
beforeAll(async () => {
  service = await LibraryService.start();
});
beforeEach(async () => {
  await service.reset();
  warnings = [];
  provider = await libraryPackage().start({
    settings: {},
    env: service.env,
    trust: programTrust,
    concurrency: 4,
    userAgent: 'test',
    onDiagnostic: (diagnostic) => warnings.push(diagnostic),
  });
});
afterEach(() => provider.close());
afterAll(() => service.close());

function typeNamed(name: string): ResourceType {
  const type = [...provider.types.values()].find((each) => each.name === name);
  if (type === undefined) throw new Error(name);
  return type;
}

const make = (name: string, inputs: JsonObject): Promise<RemoteObject> => provider.create(typeNamed(name), {}, inputs);
const lockCode = 'a-lock-code-of-a-shelf';

async function shelf(code: string, more: JsonObject = {}): Promise<RemoteObject> {
  const library = await make('Library', { name: 'Main' });
  return make('Shelf', { libraryId: library.identity.id, code, lockCode, ...more });
}

it('cursors: as many requests as pages, and none after the last', async () => {
  for (let nth = 0; nth < 7; nth += 1) await make('Library', { name: `L${nth}` });
  service.calls.length = 0;
  const { objects, isComplete } = await provider.list(typeNamed('Library'), {});
  expect([objects.length, isComplete]).toEqual([7, true]);
  expect(service.calls).toEqual(['GET /libraries', 'GET /libraries?after=lib-3', 'GET /libraries?after=lib-6']);
});

it('offsets: each page begins where those before ended', async () => {
  const { identity } = await shelf('S0');
  const { libraryId = '' } = identity.scope;
  for (let nth = 1; nth < 9; nth += 1) await make('Shelf', { libraryId, code: `S${nth}`, lockCode });
  service.calls.length = 0;
  const { objects } = await provider.list(typeNamed('Shelf'), {});
  expect(objects.map((object) => object.identity.id).sort()).toEqual([...Array(9).keys()].map((nth) => `S${nth}`));
  expect([...service.calls].sort()).toEqual(['GET /shelves?skip=0', 'GET /shelves?skip=4', 'GET /shelves?skip=8']);
});

it('an id that clients choose: one PUT, one object, found again by one read', async () => {
  const made = await shelf('A1');
  expect(made.identity).toEqual({ id: 'A1', scope: { libraryId: made.identity.scope['libraryId'] } });
  service.calls.length = 0;
  const place = { libraryId: made.identity.scope['libraryId'] ?? '' };
  expect(await provider.find(typeNamed('Shelf'), place, { ...place, code: 'A1' })).toHaveLength(1);
  expect(await provider.find(typeNamed('Shelf'), place, { ...place, code: 'B2' })).toEqual([]);
  expect(service.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'GET']);
});

it('whole bodies keep what is undeclared, leave out what is cleared, and send null where it is a value', async () => {
  const { identity, values } = await shelf('A1', { topic: 'cats', note: 'dusty' });
  const keeper = identity.scope['libraryId'] ?? '';
  service.bodies.length = 0;
  const type = typeNamed('Shelf');
  await provider.update(type, { identity, set: { keeper }, clear: ['note'], actual: values });
  expect(service.bodies[0]).toEqual({ topic: 'cats', keeper: { id: keeper } });
  service.bodies.length = 0;
  await provider.update(type, { identity, set: { topic: null }, clear: [], actual: values });
  expect(service.bodies[0]).toEqual({ topic: null, note: 'dusty' });
});

it('a map that changes in more entries than a request may hold is sent in several', async () => {
  const { identity } = await shelf('A1');
  const tags = { a: '1', b: '2', c: '3', d: '4' };
  const place = { libraryId: identity.scope['libraryId'] ?? '', code: 'A1' };
  const book = await make('Book', { ...place, title: 'Cats', kind: 'paper', pages: 1, tags });
  service.bodies.length = 0;
  const set = { tags: { e: '5', f: '6', g: '7' } };
  const changed = await provider.update(typeNamed('Book'), {
    identity: book.identity,
    set,
    clear: [],
    actual: book.values,
  });
  const sent = service.bodies.map((body) => Object.keys((body?.['tags'] ?? {}) as object));
  expect(sent.map((keys) => keys.length)).toEqual([3, 4]);
  expect(changed.values['tags']).toEqual(set.tags);
});

it('of a union, only the fields of its branch are sent', async () => {
  const { identity } = await shelf('A1');
  service.bodies.length = 0;
  const place = { libraryId: identity.scope['libraryId'] ?? '', code: 'A1' };
  await make('Book', { ...place, title: 'Cats', kind: 'audio', minutes: 90, pages: 3 });
  expect(service.bodies[0]).toEqual({ title: 'Cats', kind: 'audio', minutes: 90 });
});

it('a singleton is not deleted: it goes back to its defaults, and is the only one in its place', async () => {
  const library = await make('Library', { name: 'Main' });
  const place = { libraryId: library.identity.id };
  const hours = await make('OpeningHours', { ...place, opens: 8 });
  expect(hours.identity).toEqual({ id: library.identity.id, scope: place });
  expect(await provider.list(typeNamed('OpeningHours'), place)).toMatchObject({ total: 1, isComplete: true });
  service.calls.length = 0;
  await provider.delete(typeNamed('OpeningHours'), hours.identity);
  expect(service.calls).toEqual([`PATCH /libraries/${library.identity.id}/hours`]);
  expect(await service.stored('hours', library.identity.id)).toMatchObject({ opens: 9, closes: 17 });
});

it('an object is waited for; one that fails exists all the same, and that is told', async () => {
  const { values } = await make('Library', { name: 'Main' });
  expect([values['status'], warnings]).toEqual(['open', []]);
  const asked = linked(libraryProvider().definitions, libraryProvider().style);
  expect(asked.find(({ definition }) => definition.name === 'Library')?.cascades).toEqual([
    'Member',
    'OpeningHours',
    'Shelf',
  ]);
  const burning = libraryProvider().definitions.map((each): TypeDefinition =>
    each.ready === undefined ? each : { ...each, ready: { ...each.ready, done: ['never'], failed: ['open'] } },
  );
  const other = await libraryPackage(burning).start({
    ...{ settings: {}, env: service.env, trust: programTrust, concurrency: 1, userAgent: 'test' },
    onDiagnostic: (diagnostic) => warnings.push(diagnostic),
  });
  const type = [...other.types.values()].find(({ name }) => name === 'Library');
  if (type === undefined) throw new Error('no type');
  expect((await other.create(type, {}, { name: 'Burnt' })).identity.id).toMatch(/^lib-/);
  expect(warnings.map(({ code }) => code)).toEqual(['refused-later']);
  await other.close();
});

it.each<[ImportIdRule, string, object]>([
  [{ form: 'text', template: 'libraries/{libraryId}' }, 'libraries/l1', { id: 'l1', scope: { libraryId: 'l1' } }],
  [{ form: 'text', template: '{a}:{id}' }, 'x:y', { id: 'y', scope: { a: 'x' } }],
  [{ form: 'text', template: 'services/{s}/{id}' }, 'services/a.b/c', { id: 'c', scope: { s: 'a.b' } }],
])('the import id %j goes both ways', (rule, text, identity) => {
  const read = readImportId(rule, text);
  expect(read).toEqual({ identity });
  if ('identity' in read) expect(importIdText(rule, read.identity)).toBe(text);
  expect(readImportId(rule, `${text}/more`)).toHaveProperty('why');
  expect(readImportId(rule, '')).toHaveProperty('why');
});

it.each<[string, Partial<TypeDefinition>, string]>([
  ['a kind that is not there', { fields: { a: { kind: 'none', description: 'x' } } }, 'no kind "none"'],
  ['a required field that is not there', { required: ['b'] }, 'no field "b"'],
])('a definition with %s makes no type', (_name, change, message) => {
  const definition: TypeDefinition = {
    ...{ name: 'A', description: 'A.', operations: { create: 'POST /a' }, naturalKey: [], fields: {} },
    ...change,
  };
  expect(() => restType(definition, libraryProvider().style)).toThrow(message);
});
