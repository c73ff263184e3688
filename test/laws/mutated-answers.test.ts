import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { collections, evidenceWorld, type CollectionName } from '../evidence/evidence-world.js';
import type { LyingWorld } from '../harness/lying-world.js';
import { json, type Lie } from '../harness/lying-platform.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

/** One change of a right answer. Numbers pick among what there is. */
interface Mutation {
  readonly kind: 'drop' | 'repeat' | 'retype' | 'truncate' | 'swap ids' | 'move total' | 'prototype key';
  /** Which page or object of the collection. */
  readonly answer: number;
  /** Which value in the answer. */
  readonly at: number;
  readonly value: number;
  readonly on: 'list' | 'object';
  readonly mode: 'auto' | 'full';
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('drop', 'repeat', 'retype', 'truncate', 'swap ids', 'move total', 'prototype key'),
  answer: fc.nat(5),
  at: fc.nat(200),
  value: fc.nat(20),
  on: fc.constantFrom('list', 'list', 'object'),
  mode: fc.constantFrom('auto', 'full'),
});

/** What longer runs found: the text of a document is another, for one answer. */
const found: readonly Mutation[] = [
  { kind: 'retype', answer: 0, at: 0, value: 17, on: 'object', mode: 'full' },
  { kind: 'retype', answer: 0, at: 0, value: 5, on: 'object', mode: 'full' },
];

const others: readonly Json[] = [null, 0, -1, 1e15, '', 'x', true, [], {}, ['x'], { id: 'x' }, [[]]];

type Mutable = Record<string, Json> | Json[];

/** Every list and object in an answer, outermost first. */
function places(body: Json): readonly Mutable[] {
  if (typeof body !== 'object' || body === null) return [];
  return [body as Mutable, ...Object.values(body as JsonObject).flatMap(places)];
}

function pick<T>(items: readonly T[], number: number): T | undefined {
  return items[number % Math.max(1, items.length)];
}

function mutated(text: string, { kind, at, value }: Mutation): string {
  if (kind === 'truncate') return text.slice(0, at % Math.max(1, text.length));
  const body = JSON.parse(text) as Json;
  const place = pick(places(body), at);
  const key = place === undefined ? undefined : pick(Object.keys(place), value);
  if (place === undefined || key === undefined) return text;
  const object = place as Record<string, Json>;
  if (kind === 'drop') {
    if (Array.isArray(place)) place.splice(Number(key), 1);
    else Reflect.deleteProperty(place, key);
  }
  if (kind === 'repeat' && Array.isArray(place)) place.push(place[Number(key)] ?? null);
  if (kind === 'retype') object[key] = pick(others, value) ?? null;
  if (kind === 'swap ids') {
    const [a, b] = places(body).filter((item) => typeof (item as JsonObject)['id'] === 'string') as JsonObject[];
    if (a !== undefined && b !== undefined)
      [(a as Record<string, Json>)['id'], (b as Record<string, Json>)['id']] = [b['id'] ?? null, a['id'] ?? null];
  }
  if (kind === 'move total') {
    const page = ((body as JsonObject)['meta'] as JsonObject | undefined)?.['page'] as Record<string, Json> | undefined;
    if (page !== undefined) page['total'] = pick([0, 1, 2, 3, 99, 101, 1000, 1e15], value) ?? 0;
  }
  if (kind === 'prototype key') {
    const name = pick(['__proto__', 'constructor', 'toString'], value) ?? '__proto__';
    Object.defineProperty(place, name, { value: { id: 'x', data: [], status: 404 }, enumerable: true });
  }
  return JSON.stringify(body);
}

/** The answer that the mutation is about: a page of the list, or one object of it. */
function lieOf(collection: CollectionName, change: Mutation): Lie {
  const seen = new Map<string, number>();
  return (path, query, right) => {
    const isList = collections[collection].test(path);
    const isObject =
      !isList &&
      collections[collection].test(
        path.replace(/\/[^/]+$/, '').replace(/apis\/[^/]+\/implementations$/, 'api-implementations'),
      );
    if (change.on === 'list' ? !isList : !isObject) return undefined;
    const name = `${path} ${query.get('page[number]') ?? ''}`;
    // The same answer every time that it is asked for; but what no list vouches for is a change when it is said twice.
    const isRepeated = seen.has(name);
    if (!isRepeated) seen.set(name, seen.size);
    if (isRepeated && change.on === 'object' && change.mode === 'full') return undefined;
    if (seen.get(name) !== change.answer % 3 || right.status !== 200) return undefined;
    return { ...json(null), text: mutated(right.text, change) };
  };
}

describe('law: no mutated answer brings about a step, a write or a crash', () => {
  let its: LyingWorld;
  beforeAll(async () => {
    its = await evidenceWorld();
    its.platform.limitPages(1);
    const { steps, notCompared } = await its.world.plan();
    expect([steps, notCompared]).toEqual([[], []]);
  });
  afterAll(() => its.close());

  it.each(Object.keys(collections) as CollectionName[])(
    '%s',
    async (collection) => {
      await fc.assert(
        fc.asyncProperty(mutation, async (change) => {
          its.platform.tell(lieOf(collection, change));
          await its.world.open(async (project) => {
            const planned = await project.plan({ refresh: change.mode });
            expect(planned.plan?.steps ?? []).toEqual([]);
            if (planned.plan !== undefined) await project.apply(planned);
          });
          expect(its.platform.writes()).toEqual([]);
        }),
        { numRuns: found.length + lawRuns(40), examples: found.map((one) => [one]) },
      );
    },
    lawTimeoutMs,
  );
});
