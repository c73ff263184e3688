import { describe, expect, it } from 'vitest';
import type { Identity } from '@platform-sync/core/model/state';
import { KeyIndex, heldKey } from '@platform-sync/engine/plan/keys';
import { Ownership } from '@platform-sync/engine/plan/ownership';
import { failedReading, planInput, readingOf, recordOf, type World } from './made-up-plan.js';
import { typeOf } from './made-up-types.js';

const keyOf = (type: string, values: Parameters<typeof heldKey>[2]): string => heldKey(typeOf(type), {}, values) ?? '';
const shelfKey = (name: string): string => keyOf('Shelf', { name });
const index = (world: World): KeyIndex => new KeyIndex(planInput(world));
const a = recordOf('a', 'Shelf', { name: 'A' });

describe('who has which key', () => {
  it.each<[string, World, string, string | undefined]>([
    ['a record, as read', { records: [a], readings: { a: readingOf(a, { name: 'B' }) } }, 'B', 'a'],
    ['not as it was', { records: [a], readings: { a: readingOf(a, { name: 'B' }) } }, 'A', undefined],
    ['a record that could not be read, as recorded', { records: [a], readings: { a: failedReading() } }, 'A', 'a'],
    ['a record that was not read, too', { records: [a], snapshot: { readings: new Map() } }, 'A', 'a'],
    ['nobody, where the object is gone', { records: [a], readings: { a: { kind: 'gone' } } }, 'A', undefined],
    ['the first of two', { records: [a, { ...a, address: 'z' }] }, 'A', 'a'],
    ['nobody by a key that is not unique', { records: [recordOf('c', 'Card', { name: 'A' })] }, 'A', undefined],
  ])('%s', (_name, world, name, expected) => {
    expect(index(world).recorded([shelfKey(name), keyOf('Card', { name })])).toBe(expected);
  });
});

describe('who owns which object', () => {
  const shelf = typeOf('Shelf').token;
  const identity = (id: string) => ({ id, scope: {} });
  const record = (address: string, id: string, deposed: readonly string[] = []) => ({
    ...recordOf(address, 'Shelf', {}),
    ...{ identity: identity(id), deposed: deposed.map((old) => ({ identity: identity(old), outputs: {} })) },
  });

  it('is the address whose record it is, those of the catalogue first, then by address', () => {
    const records = [record('z', '1'), record('a', '1'), record('m', '1')];
    const kept = new Ownership(records, (address) => address === 'm');
    expect(kept.ownerOf(shelf, identity('1'))).toBe('m');
    expect(['a', 'm', 'z'].map((address) => kept.ownedBefore(address))).toEqual(['m', undefined, 'm']);
    expect(new Ownership(records, () => true).ownerOf(shelf, identity('1'))).toBe('a');
    expect(new Ownership(records, () => false).ownerOf(shelf, identity('1'))).toBe('a');
  });

  it('is the resource whose old object it is, where nobody has it now', () => {
    const owners = new Ownership([record('a', '1', ['2', '3']), record('b', '3'), record('c', '4', ['2'])], () => true);
    expect(['1', '2', '3', '4', '5'].map((id) => owners.ownerOf(shelf, identity(id)))).toEqual([
      'a',
      'a',
      'b',
      'c',
      undefined,
    ]);
    expect(owners.ownedBefore('a')).toBeUndefined();
  });

  it('is told by the type and the place, too: ids alone repeat', () => {
    const in_ = (place: string): Identity => ({ id: '1', scope: { place } });
    const records = ['a', 'b', 'c'].map((address) => ({ ...record(address, '1'), identity: in_(address) }));
    const owners = new Ownership([...records, { ...record('d', '1'), identity: in_('b') }], () => true);
    expect(['a', 'b', 'c', 'd'].map((place) => owners.ownerOf(shelf, in_(place)))).toEqual(['a', 'b', 'c', undefined]);
    expect(['a', 'b', 'c', 'd'].map((address) => owners.ownedBefore(address))).toEqual([
      undefined,
      undefined,
      undefined,
      'b',
    ]);
    expect(owners.claim(shelf, in_('d'), 'e')).toBe('e');
    expect([owners.ownerOf(shelf, in_('d')), owners.ownerOf('other', in_('a'))]).toEqual(['e', undefined]);
  });

  it('is who claims it first', () => {
    const owners = new Ownership([record('a', '1')], () => true);
    expect(owners.claim(shelf, identity('1'), 'b')).toBe('a');
    expect(owners.claim(shelf, identity('2'), 'b')).toBe('b');
    expect(owners.claim(shelf, identity('2'), 'c')).toBe('b');
    expect(owners.ownerOf(shelf, identity('2'))).toBe('b');
    expect(owners.ownerOf('other', identity('2'))).toBeUndefined();
  });
});
