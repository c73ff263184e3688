import { describe, expect, it, vi } from 'vitest';
import { lastLook, mustHoldNothingElse } from '@platform-sync/engine/apply/staleness';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import { StepFailure } from '@platform-sync/engine/apply/failure';
import { LastLooks } from '@platform-sync/engine/apply/last-looks';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import type { Step } from '@platform-sync/engine/plan/step';
import { planned, recordOf, seals } from '../plan/made-up-plan.js';
import { typeOf, types } from '../plan/made-up-types.js';
import { stubProvider } from './stubs.js';

/** The look at an object just before it is deleted: what it may rest on, and how many calls it costs. */

const down = new ProviderError('unavailable', [{ severity: 'error', code: 'down', summary: 'It is down.' }]);

interface Platform {
  readonly records: readonly RecordedResource[];
  /** Pages of every list. */
  readonly pages?: readonly (readonly RemoteObject[])[] | Error;
  /** By id. */
  readonly reads?: Readonly<Record<string, RemoteObject>>;
  readonly type?: (type: ResourceType) => ResourceType;
  /** Addresses of what may not show everywhere yet. */
  readonly lagging?: readonly string[];
}

function look({ records, pages = [[]], reads = {}, type: changed = (type) => type, lagging = [] }: Platform) {
  const calls: string[] = [];
  const own = new Map([...types].map(([token, type]) => [token, changed(type)]));
  const steps = new Map(
    [...planned({ mode: 'destroy', records }).steps].map(([address, one]): [string, Step] => [
      address,
      { ...one, type: own.get(one.type.token) ?? one.type },
    ]),
  );
  const provider = stubProvider({
    list: (type, scope, options) => {
      if (pages instanceof Error) return Promise.reject(pages);
      const [first = []] = pages;
      const isEnough = options?.isEnough?.({ objects: first, morePages: pages.length - 1 }) === true;
      calls.push(['list', type.name, ...Object.values(scope), ...(isEnough ? ['begun'] : [])].join(' '));
      expect(options).toHaveProperty('whileWaiting');
      return Promise.resolve({ objects: isEnough ? first : pages.flat(), total: 0, isComplete: !isEnough });
    },
    read: (_type, { id }) => {
      calls.push(`read ${id}`);
      return Promise.resolve(reads[id]);
    },
  });
  const context = {
    ...{ steps, seals, typeOf: (token: string) => own.get(token) },
    ...{
      providerOf: () => Promise.resolve(provider),
      rest: () => undefined,
      world: realWorld,
      config: { timing: { settleMs: 120_000 } },
    },
    inside: { lagging: new Set(lagging) },
  } as unknown as ApplyContext;
  const looks = new LastLooks(context);
  const stepAt = (address: string): Step => {
    const step = steps.get(address);
    if (step === undefined) throw new Error(`nothing at ${address}`);
    return step;
  };
  return {
    calls,
    looks,
    stepAt,
    /** What the last look at an object says: its id, `gone`, or the words that keep it. */
    at: async (address: string): Promise<string> => {
      const step = stepAt(address);
      const { actual, type } = step;
      if (actual === undefined) throw new Error(`${address} is not there`);
      return told(async () => lastLook(context, step, await looks.at(type, actual.identity)));
    },
    holds: (address: string, carried: readonly string[], isDenied = false) =>
      told(async () => {
        await mustHoldNothingElse(context, looks, stepAt(address), carried.map(stepAt), isDenied);
        return undefined;
      }),
  };
}

async function told(work: () => Promise<RemoteObject | undefined>): Promise<string> {
  try {
    return (await work())?.identity.id ?? 'gone';
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    return error.diagnostics.map(({ severity, code, summary }) => `${severity} ${code}: ${summary}`).join();
  }
}

const shelf = (name: string, outputs: JsonObject = {}): RecordedResource =>
  recordOf(name, 'Shelf', { name }, { outputs: { name, updatedAt: '1', ...outputs } });
const book = (name: string, shelfId = 'id-a'): RecordedResource =>
  recordOf(name, 'Book', { shelfId, title: name }, { outputs: { shelfId, title: name, text: 'x', updatedAt: '1' } });
const object = ({ identity, outputs }: RecordedResource, values: JsonObject = {}): RemoteObject => ({
  identity,
  values: { ...outputs, ...values },
});
const [a, b, c] = [shelf('a'), shelf('b'), shelf('c')] as const;
const changed = (name: string): string =>
  `error changed-since-plan: ${name} was changed on the platform after the plan was made, so it was not deleted.`;

describe('a last look', () => {
  it('at one object reads it', async () => {
    const { at, calls } = look({ records: [a], reads: { 'id-a': object(a) } });
    expect([await at('a'), calls]).toEqual(['id-a', ['read id-a']]);
  });

  it('at several of one collection is one list for all of them', async () => {
    const { at, calls } = look({ records: [a, b, c], pages: [[object(a), object(b), object(c)]] });
    expect([await at('a'), await at('b'), await at('c'), calls]).toEqual(['id-a', 'id-b', 'id-c', ['list Shelf']]);
  });

  it('at several in different places is a list of each place, where there are several', async () => {
    const records = [book('s'), book('t'), book('u', 'id-b')];
    const { at, calls } = look({
      records,
      pages: [records.slice(0, 2).map((one) => object(one))],
      reads: { 'id-u': object(book('u', 'id-b')) },
    });
    expect([await at('s'), await at('t'), await at('u')]).toEqual(['id-s', 'id-t', 'id-u']);
    expect(calls).toEqual(['list Book id-a', 'read id-u']);
  });

  it('reads what the list lacks: it may be gone', async () => {
    const { at, calls } = look({ records: [a, b], pages: [[object(b)]] });
    expect([await at('a'), await at('b'), calls]).toEqual(['gone', 'id-b', ['list Shelf', 'read id-a']]);
  });

  it('reads the list to its end only where that is cheaper', async () => {
    const all = [a, b, c].map((one) => object(one));
    const begun = look({ records: [a, b, c], pages: [[object(a), object(b)], [], []], reads: { 'id-c': object(c) } });
    expect([await begun.at('a'), await begun.at('c'), begun.calls]).toEqual([
      'id-a',
      'id-c',
      ['list Shelf begun', 'read id-c'],
    ]);
    const whole = look({ records: [a, b, c], pages: [[], all] });
    expect([await whole.at('c'), whole.calls]).toEqual(['id-c', ['list Shelf']]);
  });

  it('reads each where they cannot be listed, and is a bug where listing is one', async () => {
    const { at, calls } = look({ records: [a, b], pages: down, reads: { 'id-a': object(a) } });
    expect([await at('a'), calls]).toEqual(['id-a', ['read id-a']]);
    const bug = new Error('bug');
    await expect(look({ records: [a, b], pages: bug }).at('a')).rejects.toBe(bug);
  });

  it.each<[string, (type: ResourceType) => ResourceType]>([
    ['there is no list of them', (type) => ({ ...type, collection: { ...type.collection, listed: false } })],
    ['nothing tells when they changed', ({ revision: _none, ...type }) => type],
  ])('reads each where %s', async (_where, type) => {
    const { at, calls } = look({ records: [a, b], type, reads: { 'id-a': object(a), 'id-b': object(b) } });
    expect([await at('a'), await at('b'), calls]).toEqual(['id-a', 'id-b', ['read id-a', 'read id-b']]);
  });

  it('lists again when the list is too old: ten seconds, and ten times what it took', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const records = [a, b, c];
      const { at, looks, calls } = look({ records, pages: [records.map((one) => object(one))] });
      await at('a');
      vi.advanceTimersByTime(9_999);
      await at('b');
      expect(calls).toEqual(['list Shelf']);
      vi.advanceTimersByTime(2);
      await looks.all(typeOf('Shelf'), {});
      await looks.all(typeOf('Shelf'), {});
      expect(calls).toEqual(['list Shelf', 'list Shelf']);
      vi.advanceTimersByTime(10_001);
      await looks.all(typeOf('Shelf'), {});
      expect(calls).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it('a list that fails is asked for again', async () => {
    const { looks } = look({ records: [a, b], pages: down });
    for (let time = 0; time < 2; time += 1) await expect(looks.all(typeOf('Shelf'), {})).rejects.toBe(down);
  });

  it('counts no longer because a list was denied', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const one = look({ records: [a, b], pages: down }).looks.forOne();
      // What was looked at before took a minute, so that it counts for more than ten.
      vi.advanceTimersByTime(60_000);
      await expect(one.all(typeOf('Shelf'), {})).rejects.toBe(down);
      const isFresh = one.freshness();
      expect(isFresh()).toBe(true);
      vi.advanceTimersByTime(10_001);
      expect(isFresh()).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('what was changed since the plan', () => {
  it('is kept, whoever shows it', async () => {
    const edited = object(a, { name: 'z', updatedAt: '2' });
    expect(await look({ records: [a], reads: { 'id-a': edited } }).at('a')).toBe(changed('a'));
    expect(await look({ records: [a, b], pages: [[edited]], reads: { 'id-a': edited } }).at('a')).toBe(changed('a'));
  });

  it('is kept where a read does not show it, and a list did: that is the older answer', async () => {
    const edited = object(a, { name: 'z', updatedAt: '2' });
    const old = { pages: [[edited]], reads: { 'id-a': object(a) } };
    expect(await look({ records: [a, b], ...old }).at('a')).toBe(changed('a'));
    // Of what this stack wrote a moment ago, the list may be older than the record.
    const written = { ...a, writtenAt: new Date().toISOString() };
    expect(await look({ records: [written, b], ...old }).at('a')).toBe('id-a');
  });

  it('is deleted where nothing of ours changed', async () => {
    const moved = object(a, { updatedAt: '2', note: 'theirs' });
    const { at, calls } = look({ records: [a, b], pages: [[moved]], reads: { 'id-a': moved } });
    // Lists leave something out, and another revision may hide in it.
    expect([await at('a'), calls]).toEqual(['id-a', ['list Shelf', 'read id-a']]);
  });

  it('needs no read where lists show the whole object', async () => {
    const card = (name: string): RecordedResource =>
      recordOf(name, 'Card', { name }, { outputs: { name, updatedAt: '1' } });
    const [x, y] = [card('x'), card('y')];
    const { at, calls } = look({ records: [x, y], pages: [[object(x, { updatedAt: '2' }), object(y)]] });
    expect([await at('x'), await at('y'), calls]).toEqual(['id-x', 'id-y', ['list Card']]);
    const edited = object(x, { updatedAt: '2', name: 'z' });
    const kept = look({ records: [x, y], pages: [[edited]], reads: { 'id-x': edited } });
    expect([await kept.at('x'), kept.calls]).toEqual([changed('x'), ['list Card', 'read id-x']]);
  });

  it('is compared where no revision tells', async () => {
    const timeless = ({ revision: _none, ...type }: ResourceType): ResourceType => type;
    const edited = object(a, { name: 'z' });
    expect(await look({ records: [a], type: timeless, reads: { 'id-a': edited } }).at('a')).toBe(changed('a'));
  });
});

describe('what goes along with an object', () => {
  const [s, t] = [book('s'), book('t')];

  it('is what the plan shows, as it was then: one list tells', async () => {
    const { holds, calls } = look({ records: [a, s, t], pages: [[object(s), object(t)]] });
    expect([await holds('a', ['s', 't']), calls]).toEqual(['gone', ['list Book id-a']]);
  });

  it('may be gone already', async () => {
    expect(await look({ records: [a, s, t], pages: [[object(s)]] }).holds('a', ['s', 't'])).toBe('gone');
  });

  it('keeps it where there is more', async () => {
    const other = object(book('u'));
    expect(await look({ records: [a, s], pages: [[object(s), other]] }).holds('a', ['s'])).toBe(
      'error changed-since-plan: a holds Book id-u, which the plan does not show, so it was not deleted.',
    );
  });

  it('keeps it where some of it was changed', async () => {
    const edited = object(s, { title: 'z', updatedAt: '2' });
    const { holds } = look({ records: [a, s], pages: [[edited]], reads: { 'id-s': edited } });
    expect(await holds('a', ['s'])).toBe(changed('s'));
  });

  it('takes the word of lists that are denied but for what may not show everywhere yet', async () => {
    const pages = new ProviderError('not-found', [{ severity: 'error', code: 'gone', summary: 'It is gone.' }]);
    const end = (lagging: readonly string[]) => look({ records: [a, s], pages, lagging }).holds('a', ['s'], true);
    expect([await end([]), await end(['a'])]).toEqual([
      'gone',
      'error changed-since-plan: a does not show yet what lives in it, so it was not deleted.',
    ]);
  });
});
