import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { JsonObject } from '@platform-sync/core/model/value';
import { Counted, pageSize, typeOf, typeOfToken } from '../harness/counted-world.js';
import type { PaperObject } from '../harness/paper-platform.js';
import { mustPlan, paperFolder, removeFolder } from '../harness/paper-world.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/**
 * Every command sends the least that its world needs. The least is computed from the objects that there are, what they lie in, and
 * the pages of their lists; nothing of the engine is asked.
 */
interface RandomWorld {
  /** Documents of each API. */
  readonly apis: readonly number[];
  readonly products: number;
  /** Nobody's objects: documents in the API of that place, APIs and products. */
  readonly strangers: { readonly documents: readonly number[]; readonly apis: number; readonly products: number };
  /** What somebody changed by hand. */
  readonly changed: readonly number[];
}

const randomWorld: fc.Arbitrary<RandomWorld> = fc.record({
  apis: fc.array(fc.nat(8), { minLength: 1, maxLength: 9 }),
  products: fc.nat(9),
  strangers: fc.record({
    documents: fc.array(fc.nat(8), { maxLength: 6 }),
    apis: fc.nat(7),
    products: fc.nat(7),
  }),
  changed: fc.array(fc.nat(40), { maxLength: 3 }),
});

const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
const allow = ['adopt', 'everythingGone', 'emptyCatalogue', 'goes-along'].map((guard) => ({ guard, reason: 'law' }));

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ law: { guards } });
  cwd = join(folder, 'law');
});
afterAll(() => removeFolder(folder));

/** One list, as the platform has it: who is in it, in its order, and whose the objects are. */
interface List {
  readonly objects: readonly PaperObject[];
  readonly managed: ReadonlySet<string>;
}

const pagesOf = ({ objects }: List): number => Math.max(1, Math.ceil(objects.length / pageSize));
/** Managed objects that the first page does not show. */
const beyond = ({ objects, managed }: List): readonly PaperObject[] =>
  objects.slice(pageSize).filter(({ id }) => managed.has(id));
/** Its first page tells how long a list is; then come the other pages, or those that they would show, whichever are fewer. */
const leastOf = (list: List): number => 1 + Math.min(pagesOf(list) - 1, beyond(list).length);
/** Managed objects that the pages which were read show. */
const shown = (list: List): readonly PaperObject[] =>
  list.objects.filter(
    ({ id }) => list.managed.has(id) && (beyond(list).length >= pagesOf(list) - 1 || !isBeyond(list, id)),
  );
const isBeyond = (list: List, id: string): boolean => beyond(list).some((object) => object.id === id);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

interface Lists {
  readonly apis: List;
  readonly products: List;
  /** By API. */
  readonly documents: readonly List[];
}

function catalogueOf({ apis, products }: RandomWorld): JsonObject {
  const resources: Record<string, JsonObject> = {};
  apis.forEach((documents, api) => {
    const children = Array.from({ length: documents }, (_, at): [string, JsonObject] => [
      `doc${at}`,
      { type: 'platform:ApiDocument', properties: { title: `Title ${at}`, slug: `doc-${at}`, content: 'text' } },
    ]);
    const properties = { name: `API ${String(api).padStart(2, '0')}` };
    resources[`api${api}`] = { type: 'platform:Api', properties, children: Object.fromEntries(children) };
  });
  for (let at = 0; at < products; at++)
    resources[`product${at}`] = { type: 'platform:ApiProduct', properties: { name: `Product ${at}`, portalIds: [] } };
  return { resources };
}

/** The world, its objects made in an order of its own, so that strangers stand before and behind what is managed. */
async function made({ strangers, ...rest }: RandomWorld): Promise<Counted> {
  const counted = new Counted();
  const { world } = counted;
  const provider = await world.platform.package.start({} as never);
  const create = (name: string, scope: Readonly<Record<string, string>>, inputs: JsonObject): Promise<RemoteObject> =>
    provider.create(typeOf(name), scope, inputs);
  for (let at = 0; at < strangers.apis; at++) await create('Api', {}, { name: `Foreign ${at}` });
  world.write(cwd, catalogueOf({ strangers, ...rest }));
  await world.apply(cwd, { allow });
  for (let at = 0; at < strangers.products; at++)
    await create('ApiProduct', {}, { name: `Foreign ${at}`, portalIds: [] });
  const homes = managedIn(counted, 'Api');
  for (const [at, count] of strangers.documents.entries()) {
    const home = homes[at];
    for (let page = 0; home !== undefined && page < count; page++)
      await create('ApiDocument', { apiId: home }, { title: 'Foreign', slug: `foreign-${page}`, content: 'text' });
  }
  return counted;
}

function managedIn({ world }: Counted, name: string): readonly string[] {
  const { token } = typeOf(name);
  return [...world.state().resources.values()].flatMap(({ type, identity }) => (type === token ? [identity.id] : []));
}

function listsOf(counted: Counted): Lists {
  const all = [...counted.world.platform.objects.values()];
  const named = (name: string): List => ({
    objects: all.filter(({ type }) => type.name === name),
    managed: new Set(managedIn(counted, name)),
  });
  const documents = named('ApiDocument');
  return {
    apis: named('Api'),
    products: named('ApiProduct'),
    documents: named('Api').objects.map(({ id }) => ({
      ...documents,
      objects: documents.objects.filter(({ values }) => values['apiId'] === id),
    })),
  };
}

/** Lists that a stack reads: those at the top whose type it uses, and those in which it has an object. */
const ofStack = ({ apis, products, documents }: Lists): readonly List[] =>
  [apis, products, ...documents].filter(({ objects, managed }) => objects.some(({ id }) => managed.has(id)));

/** Nothing is asked twice. */
function expectOnce(asked: readonly string[], but: ReadonlySet<string> = new Set()): void {
  const twice = asked.filter((each, at) => asked.indexOf(each) !== at && !but.has(each));
  expect(twice).toEqual([]);
}

/** By hand; gives which objects. */
function edit({ world }: Counted, picks: readonly number[]): ReadonlySet<string> {
  const managed = [...world.state().resources.values()].map(({ identity }) => identity.id);
  const ids = new Set(picks.flatMap((pick) => managed[pick % Math.max(1, managed.length)] ?? []));
  for (const id of ids) {
    const object = world.platform.objects.get(id);
    if (object === undefined) throw new Error(`${id} is gone`);
    world.platform.edit(
      object,
      object.type.name === 'ApiDocument' ? { content: 'by hand' } : { description: 'by hand' },
    );
  }
  return ids;
}

describe('requests', () => {
  it(
    'every command sends the least that its world needs, and asks for no page and no object twice',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomWorld, async (random) => {
          const counted = await made(random);
          const { world } = counted;
          const lists = listsOf(counted);
          const read = ofStack(lists);
          const least = sum(read.map(leastOf));

          const plain = await counted.during(() => world.plan(cwd));
          expect(plain).toHaveLength(least);
          expectOnce(plain);
          const drift = await counted.during(() => world.open(cwd, (project) => project.drift()));
          expect(drift).toHaveLength(least);
          expectOnce(drift);

          // Whatever says something new is asked once more: two answers must agree.
          const changed = edit(counted, random.changed);
          const twice = new Set(
            [...changed].map((id) => `read ${world.platform.objects.get(id)?.type.name ?? ''} ${id}`),
          );
          for (const work of [() => world.plan(cwd), () => world.open(cwd, (project) => project.drift())]) {
            const told = await counted.during(work);
            expect(told).toHaveLength(least + changed.size);
            expectOnce(told, twice);
          }

          // Texts, which no list shows, are read one by one.
          const texts = sum(lists.documents.map((list) => shown(list).length));
          const others = [lists.apis, lists.products].flatMap(shown).filter(({ id }) => changed.has(id)).length;
          const hidden = read.flatMap((list) =>
            beyond(list).filter(({ id }) => !shown(list).some((one) => one.id === id)),
          );
          const hiddenChanged = hidden.filter(({ id }) => changed.has(id)).length;
          const refreshed = await counted.during(() => world.open(cwd, (project) => project.refresh()));
          expect(refreshed).toHaveLength(least + texts + others + hiddenChanged);
          expectOnce(refreshed, twice);

          const exported = await counted.during(() =>
            world.open(cwd, (project) => project.export({ types: ['Api', 'ApiDocument', 'ApiProduct'] })),
          );
          const everything = [lists.apis, lists.products, ...lists.documents];
          const documents = sum(lists.documents.map(({ objects }) => objects.length));
          // What an API keeps elsewhere is asked for, too.
          expect(exported).toHaveLength(sum(everything.map(pagesOf)) + documents + lists.apis.objects.length);
          expectOnce(exported);
        }),
        { numRuns: lawRuns(40), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );

  it(
    'destroy looks again at all that goes and into it, in one list where several go, and sends one call for each that nothing takes along',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomWorld, async (random) => {
          // What nobody manages would keep an API from being deleted with it.
          const counted = await made({ ...random, strangers: { ...random.strangers, documents: [] } });
          const { world } = counted;
          const lists = listsOf(counted);
          const planned = sum(ofStack(lists).map(leastOf));
          const own = [lists.apis, lists.products].filter(({ managed }) => managed.size > 0);
          const looks = sum(own.map((list) => (list.managed.size === 1 ? 1 : leastOf(list))));
          const held = sum(lists.documents.filter(({ objects }) => objects.length > 0).map(pagesOf));
          const deletes = sum(own.map(({ managed }) => managed.size));
          const asked = await counted.during(() =>
            world.open(cwd, async (project) => {
              const plan = await mustPlan(project, { mode: 'destroy', allow });
              const result = await project.apply(plan);
              expect(result.status).toBe('done');
            }),
          );
          // One list each shows all publications and implementations; of others, one in each place tells, unless those are many: for the
          // plan, and once more before the end.
          const few = (places: number): number => (places > 10 ? 0 : places);
          const bare = random.apis.filter((documents) => documents === 0).length;
          const inside = 2 + few(random.apis.length) + few(bare) + few(random.products);
          expect(asked).toHaveLength(planned + 2 * inside + looks + held + deletes);
          expect(world.state().resources.size).toBe(0);
        }),
        { numRuns: lawRuns(40), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );

  it(
    'adopt reads each list, sees each object by a second answer, and asks for nothing else',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomWorld, async (random) => {
          const counted = await made(random);
          const { world } = counted;
          const lists = listsOf(counted);
          const all = world.state().resources.size;
          const names = random.apis.map((_, at) => world.state().resources.get(`api${at}`)?.identity.id);
          for (const address of [...world.state().resources.keys()]) await world.forget(address);
          const asked = await counted.during(() =>
            world.open(cwd, async (project) => {
              const { plan } = await mustPlan(project, { mode: 'adopt', allow });
              expect(plan.steps.filter(({ action }) => action === 'adopt')).toHaveLength(all);
            }),
          );
          // At the top, keys are asked for one by one where that is fewer than the other pages; each object is seen a second time, those
          // that others live in by one more list.
          const few = (list: List): boolean => list.managed.size < pagesOf(list);
          const found = (list: List): number => (few(list) ? 1 + list.managed.size : pagesOf(list));
          const tops = [lists.apis, lists.products].filter(({ managed }) => managed.size > 0);
          const homes = new Set(random.apis.flatMap((documents, at) => (documents > 0 ? [names[at] ?? ''] : [])));
          const above = { ...lists.apis, managed: homes };
          const isAgain = !few(lists.apis) && homes.size > 1;
          const again = isAgain ? leastOf(above) + lists.apis.managed.size - homes.size : lists.apis.managed.size;
          const inApis = lists.documents.filter(({ objects, managed }) => objects.some(({ id }) => managed.has(id)));
          const others = all - lists.apis.managed.size;
          const least = sum(tops.map(found)) + sum(inApis.map(pagesOf)) + again + others;
          expect(asked).toHaveLength(least + kept(asked));
          const more = asked.filter((each) => isAgain && each.startsWith('list Api {} page '));
          expectOnce(asked, new Set(more));
        }),
        { numRuns: lawRuns(40), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );

  it(
    'import reads each object once, whatever their number, looks at what they live in by one list, and asks for nothing else',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          randomWorld,
          fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 6 }),
          async (random, picks) => {
            const counted = await made(random);
            const { world } = counted;
            const lists = listsOf(counted);
            const records = [...world.state().resources.values()];
            const wanted = picks.map((pick) => records[pick % records.length]?.address ?? '');
            for (const address of wanted) await world.forget(address);
            // Whoever forgets an API forgets what is in it: all of that comes back by the same command.
            const lost = records.filter(({ address }) => !world.state().resources.has(address));
            const requests = lost.map(({ address, type, identity: { id, scope } }) => ({
              address,
              id: typeOfToken(type).name === 'ApiDocument' ? JSON.stringify({ api_id: scope['apiId'], id }) : id,
            }));
            const asked = await counted.during(() =>
              world.open(cwd, async (project) => {
                const result = await project.importResources(requests);
                expect(result.imported).toHaveLength(lost.length);
              }),
            );
            expect(world.state().resources.size).toBe(records.length);
            // What they live in and state knows is one list; what is taken in beside them is read anyway.
            const homes = new Set(lost.flatMap(({ identity: { scope } }) => scope['apiId'] ?? []));
            for (const { identity } of lost) homes.delete(identity.id);
            const least = lost.length + (homes.size === 0 ? 0 : leastOf({ ...lists.apis, managed: homes }));
            expect(asked).toHaveLength(least + kept(asked));
            expectOnce(asked);
          },
        ),
        { numRuns: lawRuns(40), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );
});

const kept = (asked: readonly string[]): number => asked.filter((each) => each.startsWith('kept ')).length;
