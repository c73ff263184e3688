import { describe, expect, it } from 'vitest';
import type { Address } from '@platform-sync/core/model/address';
import { Matching } from '@platform-sync/engine/plan/matching';
import { desiredResource, matchingOf, record } from './worlds.js';

/** `old>new` for a record that moves, `same` for one that stays, in the order of the catalogue. */
function matched(
  catalogue: Readonly<Record<Address, readonly Address[]>>,
  records: readonly Address[],
  imports: Readonly<Record<Address, Address>> = {},
): readonly string[] {
  const matching = matchingOf(catalogue, records);
  matching.matchSaid((address) => {
    const from = imports[address];
    return from === undefined ? undefined : { from, id: `id of ${from}` };
  });
  return Object.keys(catalogue).flatMap((address) => {
    const found = matching.of(address);
    if (found === undefined) return [];
    const kinds = found.reasons.map(({ kind }) => kind).join();
    return [found.from === undefined ? address : `${found.from}>${address} ${kinds}`];
  });
}

describe('which record is whose', () => {
  it.each<[string, readonly string[], Parameters<typeof matched>]>([
    ['its own', ['a'], [{ a: [] }, ['a', 'b']]],
    ['its own before its alias', ['a'], [{ a: ['b'] }, ['a', 'b']]],
    ['its own before an import', ['a'], [{ a: [] }, ['a', 'b'], { a: 'b' }]],
    ['that of its alias', ['old>a alias'], [{ a: ['old'] }, ['old']]],
    ['the first alias that has one', ['second>a alias'], [{ a: ['first', 'second'] }, ['second']]],
    ['not that of an address that is still there', ['b'], [{ a: ['b'], b: [] }, ['b']]],
    ['an alias serves one', ['old>a alias'], [{ b: ['old'], a: ['old'] }, ['old']]],
    ['an import comes before all aliases', ['old>b import'], [{ a: ['old'], b: [] }, ['old'], { b: 'old' }]],
    [
      'below a moved parent it moves along',
      ['old>a alias', 'old/x>a/x alias'],
      [{ a: ['old'], 'a/x': [] }, ['old', 'old/x']],
    ],
    [
      'two levels down, too',
      ['old>a alias', 'old/x>a/x alias', 'old/x/y>a/x/y alias'],
      [{ a: ['old'], 'a/x': [], 'a/x/y': [] }, ['old', 'old/x', 'old/x/y']],
    ],
    ['below an alias whose own record is gone', ['old/x>a/x alias'], [{ a: ['old'], 'a/x': [] }, ['old/x']]],
    [
      'below a parent that moved by its import',
      ['old>a import', 'old/x>a/x alias'],
      [{ a: [], 'a/x': [] }, ['old', 'old/x'], { a: 'old' }],
    ],
    ['a former key among siblings', ['a/old>a/x alias'], [{ a: [], 'a/x': ['old'] }, ['a/old']]],
    [
      'a former key below a former parent',
      ['old>a alias', 'old/y>a/x alias'],
      [{ a: ['old'], 'a/x': ['y'] }, ['old', 'old/y']],
    ],
    ['a former key below an alias of the parent', ['past/y>a/x alias'], [{ a: ['past'], 'a/x': ['y'] }, ['past/y']]],
    ['a former place elsewhere', ['b/y>a/x alias'], [{ a: [], 'a/x': ['b/y'] }, ['b/y']]],
    ['a top-level key that was nested', ['b/y>x alias'], [{ x: ['b/y'] }, ['b/y']]],
    ['a former address with a slash is no sibling', [], [{ a: [], 'a/x': ['b/y'] }, ['a/b/y']]],
    ['nobody takes what nobody names', [], [{ a: [] }, ['b']]],
  ])('%s', (_name, expected, given) => {
    expect(matched(...given)).toEqual(expected);
  });

  it('is asked for in any order: a child may come before its parent', () => {
    const matching = matchingOf({ a: ['old'], 'a/x': [] }, ['old', 'old/x']);
    expect(matching.of('a/x')?.from).toBe('old/x');
    expect(matching.of('a')?.from).toBe('old');
  });

  it('says what it came to by', () => {
    const matching = matchingOf({ a: ['old'], b: [], c: [] }, ['old', 'key', 'c']);
    matching.matchSaid(() => undefined);
    expect(matching.of('a')).toEqual({ record: record('old'), from: 'old', reasons: [{ kind: 'alias', from: 'old' }] });
    expect(matching.of('c')).toEqual({ record: record('c'), reasons: [] });
    expect(matching.move('key', 'b', [{ kind: 'same-key', from: 'key' }])).toEqual({
      ...{ record: record('key'), from: 'key', reasons: [{ kind: 'same-key', from: 'key' }] },
    });
    expect(matching.of('b')?.from).toBe('key');
    expect([...matching.movedTo]).toEqual([
      ['old', 'a'],
      ['key', 'b'],
    ]);
  });

  it('gives nothing that is not there, is taken, or would be a second one', () => {
    const matching = matchingOf({ a: [], b: [] }, ['a', 'left', 'other']);
    expect(matching.move('nowhere', 'b', [])).toBeUndefined();
    expect(matching.move('a', 'b', [])).toBeUndefined();
    expect(matching.move('left', 'a', [])).toBeUndefined();
    expect(['a', 'left', 'nowhere'].map((address) => matching.isFree(address))).toEqual([false, true, false]);
    expect(matching.move('left', 'b', [])).toBeDefined();
    expect(matching.move('other', 'b', [])).toBeUndefined();
    expect(matching.isFree('left')).toBe(false);
    expect(matching.leftOver().map(({ address }) => address)).toEqual(['other']);
  });
});

describe('what stayed behind when its parent moved', () => {
  const inside = (address: Address, above: Address) =>
    record(address, { identity: { id: `id of ${address}`, scope: { above: `id of ${above}` } } });
  const left = (catalogue: readonly Address[], records: readonly ReturnType<typeof record>[], address: Address) => {
    const matching = new Matching(
      new Map(catalogue.map((one) => [one, desiredResource(one)])),
      new Map(records.map((one) => [one.address, one])),
      () => false,
      ({ identity }, above) => Object.values(identity.scope).includes(above.identity.id),
    );
    matching.matchSaid(() => undefined);
    return matching.of(address)?.from;
  };
  it.each<[string, Address | undefined, readonly Address[], readonly ReturnType<typeof record>[]]>([
    ['is found where it lives', 'old/x', ['a', 'a/x'], [record('a'), inside('old/x', 'a')]],
    ['is not what lives elsewhere', undefined, ['a', 'a/x'], [record('a'), inside('old/x', 'b')]],
    ['is not of another key', undefined, ['a', 'a/x'], [record('a'), inside('old/y', 'a')]],
    ['is not what has its parent still', undefined, ['a', 'a/x'], [record('a'), record('old'), inside('old/x', 'a')]],
    ['is not what the catalogue has', undefined, ['a', 'a/x', 'old/x'], [record('a'), inside('old/x', 'a')]],
    ['is nothing of the top', undefined, ['a', 'a/x'], [record('a'), inside('x', 'a')]],
  ])('%s', (_, from, catalogue, records) => {
    expect(left(catalogue, records, 'a/x')).toBe(from);
  });
});
