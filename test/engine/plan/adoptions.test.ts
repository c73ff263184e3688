import { describe, expect, it } from 'vitest';
import type { ActionReason, Unmanaged } from '@platform-sync/core/model/plan';
import {
  adoptions,
  afterAdoption,
  assumedEqual,
  isAdoptedByKey,
  stillUnmanaged,
} from '@platform-sync/engine/plan/guards/adoption';
import { Ownership } from '@platform-sync/engine/plan/ownership';
import type { Step } from '@platform-sync/engine/plan/step';
import { planned, recordOf, seals } from './made-up-plan.js';
import { typeOf } from './made-up-types.js';
import { worldOf } from './text-world.js';
import { byAddress, step } from './worlds.js';

/** What is taken over by its key needs a word, and nobody counts it as unmanaged after that. */

const byKey = { kind: 'key-exists' } as ActionReason;
const taken = (address: string, reasons: readonly ActionReason[] = [byKey]): Step => ({
  ...step(address, 'adopt'),
  reasons,
});

describe('objects taken over by their keys', () => {
  it('are those of adoptions that nobody asked for', () => {
    expect(isAdoptedByKey(taken('a'))).toBe(true);
    expect(isAdoptedByKey(taken('a', []))).toBe(false);
    expect(isAdoptedByKey({ ...step('a', 'update'), reasons: [byKey] })).toBe(false);
  });

  it('are one finding for each, with what is taken over in it', () => {
    const all = [taken('shelf/book/page/line'), taken('shelf/book'), taken('shelf/book/page'), taken('shelf/bo')];
    expect(adoptions(all, false)).toEqual([
      {
        name: 'adopt:shelf/bo',
        summary: 'shelf/bo has the key of the object found, which nobody manages: it would be taken over',
        addresses: ['shelf/bo'],
      },
      {
        name: 'adopt:shelf/book',
        summary:
          'shelf/book has the key of the object found, which nobody manages: it would be taken over, with 2 objects in it',
        addresses: ['shelf/book', 'shelf/book/page', 'shelf/book/page/line'],
      },
    ]);
  });

  it('are told as one where all are allowed', () => {
    expect(adoptions([taken('b'), taken('a')], true)).toEqual([
      { name: 'adopt', summary: '2 objects that nobody manages, taken over by key', addresses: ['a', 'b'] },
    ]);
    expect(adoptions([taken('a', [])], true)).toEqual([]);
  });
});

describe('what no answer shows of an object that is taken over', () => {
  const told = (type: string, declared: Readonly<Record<string, string | null>>, more: Partial<Step> = {}) =>
    assumedEqual([{ ...taken('a', []), type: typeOf(type), declared: new Map(Object.entries(declared)), ...more }]).map(
      ({ field, hint = '' }) => [field, hint.replace(/^.*: /, '')],
    );

  it('is told, with what sends it again', () => {
    expect(told('Ticket', { name: 'A', key: 'k' })).toEqual([['key', 'sync apply --resend a']]);
    expect(told('Stamp', { name: 'A', seal: 's' })).toEqual([['seal', 'sync plan --replace a']]);
  });

  it('says nothing where the file says nothing, the platform does, or nothing is taken over', () => {
    const actual = { identity: { id: '1', scope: {} }, values: { key: 'k' } };
    expect(told('Ticket', { name: 'A', key: null })).toEqual([]);
    expect(told('Ticket', { name: 'A', key: 'k' }, { actual })).toEqual([]);
    expect(told('Ticket', { name: 'A', key: 'k' }, { action: 'update' })).toEqual([]);
  });
});

describe('what nobody manages', () => {
  const book = typeOf('Book');
  const shelves = ['old', 'other', 'third'].map((address) => recordOf(address, 'Shelf', {}));
  const ownership = new Ownership(shelves, () => true);
  const adopted = (address: string, shelfId: string): Step => ({
    ...step(address, 'adopt'),
    ...{ type: book, actual: { identity: { id: `id-${address}`, scope: { shelfId } }, values: {} } },
  });
  const unmanaged = (count: number, under?: string): Unmanaged => ({
    type: book.token,
    count,
    ...(under === undefined ? {} : { under }),
  });

  it('is less by what is taken over, in its own place, wherever that is called now', () => {
    const { actual: _gone, ...nothing } = adopted('x', 'id-third');
    const steps = byAddress([
      adopted('new/a', 'id-old'),
      adopted('new/b', 'id-old'),
      adopted('other/c', 'id-other'),
      nothing,
      { ...adopted('third/d', 'id-third'), action: 'none' },
    ]);
    const all = [unmanaged(3, 'old'), unmanaged(1, 'other'), unmanaged(2, 'third'), unmanaged(4)];
    expect(stillUnmanaged(all, steps, ownership, new Map([['old', 'new']]))).toEqual([
      unmanaged(1, 'new'),
      unmanaged(2, 'third'),
      unmanaged(4),
    ]);
  });
});

describe('what the next plan does to what is taken over', () => {
  const told = (...facts: readonly string[]): readonly string[] =>
    afterAdoption({ seals }, planned(worldOf(facts)).steps.values()).map(({ severity, code, summary, hint = '' }) =>
      [severity, code, summary, hint].join(' | '),
    );
  const changes = (what: string): string =>
    `info | adopted-changed | a is taken over as it is, and the next plan changes it: ${what}. | To keep what the object has, write that into the catalogue.`;
  const long = 'x'.repeat(58);

  it.each<[string, readonly string[], readonly string[]]>([
    ['nothing, where it is as the file says', ['want a Shelf {name: A}', 'find a x {name: A}'], []],
    [
      'each field that it changes',
      ['want a Shelf {name: A, note: m, mode: open}', 'find a x {name: A, note: "n"}'],
      [changes('note "n" → "m", mode (none) → "open"')],
    ],
    [
      'a secret by its field alone',
      ['want a Shelf {name: A, pin: "secret:PIN:1"}', 'find a x {name: A, pin: one}'],
      [changes('pin')],
    ],
    [
      'a text of sixty characters, and of a longer one its field',
      [`want a Shelf {name: A, note: ${long}, mode: ${long}x}`, 'find a x {name: A, note: "n"}'],
      [changes(`note "n" → "${long}", mode`)],
    ],
    [
      'nothing of what is known only later',
      ['want a Shelf {name: A, note: $b.id}', 'find a x {name: A}', 'want b Shelf {name: B}', 'find b gone'],
      [],
    ],
    [
      'that another one takes its place, and for what alone',
      ['want a Shelf {name: A, note: m, material: oak}', 'find a x {name: A, note: "n", material: pine}'],
      [
        'warning | adopted-replaced | a is taken over as it is, and the next plan replaces it: only a new object can have material "pine" → "oak". | If it is the right object, write into the catalogue what it has. If it is not, take over another one.',
      ],
    ],
    [
      'nothing of what is managed already',
      ['want a Shelf {name: A, note: m}', 'have a Shelf {name: A, note: "n"}'],
      [],
    ],
  ])('is %s', (_what, facts, expected) => {
    expect(told(...facts)).toEqual(expected);
  });
});
