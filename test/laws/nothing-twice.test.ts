import fc from 'fast-check';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { Counted, pageSize, typeOf, typeOfToken } from '../harness/counted-world.js';
import { paperFolder, removeFolder } from '../harness/paper-world.js';
import { lawRuns, lawTimeoutMs, toTheLast } from './runs.js';

/**
 * Before anything is written, no page of any list and no object is asked for twice in one run, whoever needs it: lookups, recovery,
 * refresh or keys. What lookups cost is computed from the objects that there are and the pages of their lists.
 */
interface RandomWorld {
  /** Documents of each API. */
  readonly apis: readonly number[];
  readonly products: number;
  readonly foreign: { readonly apis: number; readonly documents: number; readonly products: number };
}

const randomWorld: fc.Arbitrary<RandomWorld> = fc.record({
  apis: fc.array(fc.nat(8), { minLength: 1, maxLength: 9 }),
  products: fc.nat(9),
  foreign: fc.record({ apis: fc.nat(7), documents: fc.nat(8), products: fc.nat(7) }),
});

/** A question to one list: what is in it, one object by what narrows the list, or one by its name. */
interface Question {
  readonly of: 'Api' | 'ApiProduct' | 'ApiDocument';
  readonly by: 'nothing' | 'filter' | 'name';
  /** Which object, or which API the documents lie in; the last is a foreign one. */
  readonly pick: number;
}

const question: fc.Arbitrary<Question> = fc.record({
  of: fc.constantFrom('Api', 'Api', 'ApiProduct', 'ApiDocument'),
  by: fc.constantFrom('nothing', 'filter', 'filter', 'name'),
  pick: fc.nat(40),
});

const guards = { maxDeletes: 1000, maxDeletePercent: 100 };
const allow = ['adopt', 'everythingGone', 'emptyCatalogue'].map((guard) => ({ guard, reason: 'law' }));

let folder = '';
let cwd = '';
beforeAll(async () => {
  folder = await paperFolder({ law: { guards } });
  cwd = join(folder, 'law');
});
afterAll(() => removeFolder(folder));

const nameOfApi = (at: number): string => `API ${String(at).padStart(2, '0')}`;

function catalogueOf({ apis, products }: RandomWorld): { readonly resources: Record<string, JsonObject> } {
  const resources: Record<string, JsonObject> = {};
  apis.forEach((documents, api) => {
    const children = Array.from({ length: documents }, (_, at): [string, JsonObject] => [
      `doc${at}`,
      { type: 'platform:ApiDocument', properties: { title: `Title ${at}`, slug: `doc-${at}`, content: 'text' } },
    ]);
    const properties = { name: nameOfApi(api) };
    resources[`api${api}`] = { type: 'platform:Api', properties, children: Object.fromEntries(children) };
  });
  for (let at = 0; at < products; at++)
    resources[`product${at}`] = { type: 'platform:ApiProduct', properties: { name: `Product ${at}`, portalIds: [] } };
  return { resources };
}

/** What is applied, and foreign objects before and behind it. */
async function made(random: RandomWorld): Promise<Counted> {
  const counted = new Counted();
  const { world } = counted;
  const { foreign } = random;
  const provider = await world.platform.package.start({} as never);
  for (let at = 0; at < foreign.apis; at++) {
    const { identity } = await provider.create(typeOf('Api'), {}, { name: `Foreign ${at}` });
    for (let page = 0; at === 0 && page < foreign.documents; page++) {
      const values = { title: `Foreign ${page}`, slug: `foreign-${page}`, content: 'text' };
      await provider.create(typeOf('ApiDocument'), { apiId: identity.id }, values);
    }
  }
  world.write(cwd, catalogueOf(random));
  await world.apply(cwd, { allow });
  for (let at = 0; at < foreign.products; at++)
    await provider.create(typeOf('ApiProduct'), {}, { name: `Foreign ${at}`, portalIds: [] });
  return counted;
}

/** What is asked of one list, and the least that its world needs for it. */
class AskedList {
  isWhole = false;
  readonly filters = new Set<string>();
  /** Objects that must be read, because lists leave something out. */
  readonly reads = new Set<string>();

  constructor(
    readonly ids: readonly string[],
    readonly managed: ReadonlySet<string>,
    readonly isRefreshed: boolean,
  ) {}

  get least(): number {
    const pages = Math.max(1, Math.ceil(this.ids.length / pageSize));
    const beyond = this.ids.slice(pageSize).filter((id) => this.managed.has(id)).length;
    if (this.isWhole) return pages + this.reads.size;
    const calls = (this.isRefreshed ? 1 + Math.min(beyond, pages - 1) : 0) + this.filters.size;
    return Math.min(calls, this.isRefreshed || this.filters.size > 0 ? pages : 0) + this.reads.size;
  }

  /** How long a list is that only several lookups ask is told by its first page alone. */
  get most(): number {
    return this.least + (this.isRefreshed || this.isWhole || this.filters.size < 2 ? 0 : 1);
  }
}

interface Asked {
  readonly outputs: JsonObject;
  readonly lists: readonly AskedList[];
}

function asked({ world }: Counted, random: RandomWorld, questions: readonly Question[]): Asked {
  const all = [...world.platform.objects.values()];
  const managed = new Set([...world.state().resources.values()].map(({ identity }) => identity.id));
  const lists = new Map<string, AskedList>();
  const listOf = (type: string, apiId?: string): AskedList => {
    const key = `${type} ${apiId ?? ''}`;
    const inside = all.filter(
      (each) => each.type.name === type && (apiId === undefined || each.values['apiId'] === apiId),
    );
    const ids = inside.map(({ id }) => id);
    const known =
      lists.get(key) ??
      new AskedList(
        ids,
        managed,
        ids.some((id) => managed.has(id)),
      );
    lists.set(key, known);
    return known;
  };
  const apiIds = random.apis.map((_, at) => world.state().resources.get(`api${at}`)?.identity.id ?? '');
  listOf('Api');
  listOf('ApiProduct');
  for (const id of apiIds) listOf('ApiDocument', id);
  const foreign = all.find(({ type, id }) => type.name === 'Api' && !managed.has(id))?.id;
  const outputs: Record<string, Json> = {};
  questions.forEach(({ of, by, pick }, at) => {
    const api = pick % (random.apis.length + (foreign === undefined ? 0 : 1));
    const apiId = of === 'ApiDocument' ? (apiIds[api] ?? foreign) : undefined;
    const list = listOf(of, apiId);
    const one = all.find(({ id }) => id === list.ids[pick % Math.max(1, list.ids.length)]);
    if (by !== 'nothing' && one === undefined) return;
    const name = String(one?.values[of === 'ApiDocument' ? 'title' : 'name'] ?? '');
    const isNarrow = by === 'filter' && of !== 'ApiDocument';
    if (isNarrow) list.filters.add(name);
    else list.isWhole = true;
    if (by === 'name' && of === 'ApiDocument') list.reads.add(one?.id ?? '');
    const place = apiId === undefined ? {} : { apiId: apiIds[api] === undefined ? apiId : `\${api${api}.id}` };
    const what = {
      nothing: {},
      filter: { filter: { [of === 'ApiDocument' ? 'title' : 'name']: name } },
      name: { name },
    };
    const lookup = {
      function: `platform:get${of}${by === 'name' ? '' : 'List'}`,
      arguments: { ...place, ...what[by] },
    };
    outputs[`answer${at}`] = { 'fn::invoke': lookup };
  });
  return { outputs, lists: [...lists.values()] };
}

/** An object counts as gone by two answers: so one that is denied is read twice. */
function expectOnce(all: readonly string[], exists: (id: string) => boolean = () => true): void {
  const limit = (each: string): number => (/^read \S+ (\S+)/.exec(each)?.slice(1).every(exists) === false ? 2 : 1);
  const times = new Map<string, number>();
  for (const each of all) times.set(each, (times.get(each) ?? 0) + 1);
  expect([...times].filter(([each, many]) => many > limit(each))).toEqual([]);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('in one run', () => {
  it(
    'lookups ask for no page that the plan reads anyway, and make lists be read as far as is least for all of them',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomWorld, fc.array(question, { minLength: 1, maxLength: 5 }), async (random, questions) => {
          const counted = await made(random);
          const { world } = counted;
          const { outputs, lists } = asked(counted, random, questions);
          world.write(cwd, { ...catalogueOf(random), outputs });
          for (const work of [() => world.plan(cwd), () => world.open(cwd, (project) => project.drift())]) {
            const told = await counted.during(work);
            expectOnce(told);
            expect(told.length).toBeGreaterThanOrEqual(sum(lists.map(({ least }) => least)));
            expect(told.length).toBeLessThanOrEqual(sum(lists.map(({ most }) => most)));
          }
        }),
        { numRuns: lawRuns(60), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );

  const killed = fc.array(
    fc.record({ fate: fc.constantFrom('created', 'lost', 'deleted', 'kept'), pick: fc.nat(60) } as const),
    { minLength: 1, maxLength: 5 },
  );

  it(
    'what a killed run left open is found out from the lists and objects that the plan reads, and is planned as it is',
    async () => {
      await fc.assert(
        fc.asyncProperty(randomWorld, killed, fc.boolean(), async (random, fates, isFull) => {
          const counted = await made(random);
          const { world } = counted;
          const expected = new Set(await leftOpen(counted, fates));
          const told = await counted.during(async () => {
            const { plan } = await world.plan(cwd, { refresh: isFull ? 'full' : 'auto', allow });
            expect(new Set(plan.steps.map(({ action, address }) => `${action} ${address}`))).toEqual(expected);
          });
          const exists = (id: string): boolean => world.platform.objects.has(id);
          expectOnce(told, exists);
          expectOnce(await counted.during(() => world.open(cwd, (project) => project.refresh())), exists);
        }),
        { numRuns: lawRuns(60), ...toTheLast },
      );
    },
    lawTimeoutMs,
  );
});

interface Fate {
  readonly fate: 'created' | 'lost' | 'deleted' | 'kept';
  readonly pick: number;
}

/** Leaves writes of documents and products open; gives the steps of the next plan. */
async function leftOpen({ world }: Counted, fates: readonly Fate[]): Promise<readonly string[]> {
  const leaves = [...world.state().resources.values()].filter(({ type }) => typeOfToken(type).name !== 'Api');
  const picked = new Map<RecordedResource, Fate['fate']>();
  for (const { fate, pick } of fates) {
    const record = leaves[pick % Math.max(1, leaves.length)];
    if (record !== undefined) picked.set(record, fate);
  }
  const steps: string[] = [];
  for (const [record, fate] of picked) {
    const { address, type, identity, inputs } = record;
    const { scope } = identity;
    const common = { id: `intent of ${address}`, address, type, run: 'killed', createdAt: '2100-01-01T00:00:00.000Z' };
    if (fate === 'lost' || fate === 'deleted') world.platform.take(identity.id);
    if (fate === 'deleted' || fate === 'kept')
      await world.leaveOpen({ ...common, action: 'delete', scope, inputs: {}, identity });
    else {
      await world.forget(address);
      const blank = { ...record, identity: { id: '', scope }, outputs: {} };
      await world.leaveOpen({ ...common, action: 'create', scope, inputs, record: blank });
    }
    if (fate === 'lost' || fate === 'deleted') steps.push(`create ${address}`);
  }
  return steps;
}
