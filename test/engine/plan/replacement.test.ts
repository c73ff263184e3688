import { describe, expect, it } from 'vitest';
import { unknown, type JsonObject, type Value } from '@platform-sync/core/model/value';
import type { Step } from '@platform-sync/engine/plan/step';
import { replacementOrder, withBoundOrders } from '@platform-sync/engine/plan/replacement-order';
import { byAddress, changing, desiredResource, step, record, typeNamed } from './worlds.js';

interface Case {
  readonly kind?: string;
  readonly deleteBeforeReplace?: boolean;
  readonly declared: Readonly<Record<string, Value>>;
  readonly actual: JsonObject;
  readonly changes?: readonly string[];
}

function orderOf({ kind = 'Api', deleteBeforeReplace = false, declared, actual, changes = [] }: Case): string {
  const desired = desiredResource('a', { deleteBeforeReplace }, kind);
  const resource = {
    ...{ type: typeNamed(kind), desired, declared: new Map(Object.entries(declared)) },
    actual: { identity: { id: 'x', scope: {} }, values: actual },
  };
  return replacementOrder(
    resource,
    changes.map((field) => changing(kind, field)),
  );
}

describe('which of the two objects goes first', () => {
  it.each<[string, Case, string]>([
    [
      'nobody asked for the new one first',
      { deleteBeforeReplace: true, declared: { name: 'B', version: '2' }, actual: { name: 'A', version: '1' } },
      'delete-first',
    ],
    [
      'the whole key is another one',
      { declared: { name: 'B', version: '2' }, actual: { name: 'A', version: '1' } },
      'create-first',
    ],
    [
      'a part of the key is',
      { declared: { name: 'A', version: '2' }, actual: { name: 'A', version: '1' } },
      'create-first',
    ],
    [
      'the key is the same',
      { declared: { name: 'A', version: '1' }, actual: { name: 'A', version: '1' } },
      'delete-first',
    ],
    ['both are without a version', { declared: { name: 'A' }, actual: { name: 'A' } }, 'delete-first'],
    [
      'the version is taken away',
      { declared: { name: 'A' }, actual: { name: 'A', version: '1' }, changes: ['version'] },
      'create-first',
    ],
    [
      'a null takes it away as well',
      { declared: { name: 'A', version: null }, actual: { name: 'A', version: '1' }, changes: ['version'] },
      'create-first',
    ],
    [
      'what the file leaves out, and the old one has, is taken to be the same',
      { declared: { name: 'A' }, actual: { name: 'A', version: '1' } },
      'delete-first',
    ],
    [
      'and so is what null says, where nobody looks',
      { declared: { name: 'A', version: null }, actual: { name: 'A', version: '1' } },
      'delete-first',
    ],
    [
      'a key that is not known yet may be the same',
      { declared: { name: unknown(['x.id']), version: '1' }, actual: { name: 'A', version: '1' } },
      'delete-first',
    ],
    [
      'one of two unique groups clashes: that is enough',
      {
        kind: 'ApiImplementation',
        declared: { apiId: unknown(['api.id']), serviceReference: { service: { id: 's' } } },
        actual: { apiId: 'old', serviceReference: { service: { id: 's' } } },
      },
      'delete-first',
    ],
    [
      'none of two does: under a new parent, with another service',
      {
        kind: 'ApiImplementation',
        declared: { apiId: unknown(['api.id']), serviceReference: { service: { id: 't' } } },
        actual: { apiId: 'old', serviceReference: { service: { id: 's' } } },
      },
      'create-first',
    ],
  ])('%s', (_name, given, expected) => {
    expect(orderOf(given)).toBe(expected);
  });
});

describe('what takes along what', () => {
  const replaced = (address: string, order: 'delete-first' | 'create-first', ...dependencies: readonly string[]) =>
    step(address, 'replace', { order, recorded: record(address, { dependencies }) });
  const orders = (...given: readonly Step[]): Readonly<Record<string, string | undefined>> =>
    Object.fromEntries([...withBoundOrders(byAddress(given))].map(([address, { order }]) => [address, order]));

  it('an old object that goes first: those of all that depended on it, however far below', () => {
    const given = [
      ...[replaced('a', 'delete-first'), replaced('b', 'create-first', 'a'), replaced('c', 'create-first', 'a', 'x')],
      ...[step('d', 'update', { recorded: record('d', { dependencies: ['c'] }) }), replaced('e', 'create-first', 'd')],
      replaced('f', 'create-first'),
    ];
    const expected = { a: 'delete-first', b: 'delete-first', c: 'delete-first', d: undefined, e: 'delete-first' };
    expect(orders(...given)).toEqual({ ...expected, f: 'create-first' });
    expect(orders(...[...given].reverse())).toEqual({ ...expected, f: 'create-first' });
  });

  it('nothing, where it goes last or is no replacement', () => {
    expect(orders(replaced('a', 'create-first'), replaced('b', 'create-first', 'a'))['b']).toBe('create-first');
    const deleted = { ...step('a', 'delete'), order: 'delete-first' } as const;
    expect(orders(deleted, replaced('b', 'create-first', 'a'))['b']).toBe('create-first');
  });

  it('by the address of now, where it moved', () => {
    const moved = { ...replaced('new', 'delete-first'), movedFrom: 'old' };
    expect(orders(moved, replaced('b', 'create-first', 'old'))['b']).toBe('delete-first');
  });

  it.each([
    ['the new one, where what is unique is another', true, [['name']], 'B', 'create-first'],
    ['the old one, where what is unique clashes', true, [['name']], 'A', 'delete-first'],
    ['the old one, where what is unique is not known to the type', true, [['nothing']], 'B', 'delete-first'],
    ['the old one, where it needs no such thing', false, [['name']], 'B', 'delete-first'],
  ])('first goes %s, of a type that needs the new one first (%s)', (_which, createFirst, unique, name, expected) => {
    const type = { ...typeNamed('Api'), ...(createFirst ? { createFirst } : {}), naturalKey: ['version'], unique };
    const declared = new Map([
      ['name', name],
      ['version', '1'],
    ]);
    const actual = { identity: { id: 'x', scope: {} }, values: { name: 'A', version: '1' } };
    expect(replacementOrder({ type, desired: desiredResource('a', {}, 'Api'), declared, actual }, [])).toBe(expected);
  });

  it('a type without a key has nothing that clashes', () => {
    const type = { ...typeNamed('Api'), naturalKey: [], unique: [] };
    const desired = desiredResource('a', { deleteBeforeReplace: false }, 'Api');
    const actual = { identity: { id: 'x', scope: {} }, values: {} };
    expect(replacementOrder({ type, desired, declared: new Map(), actual }, [])).toBe('create-first');
  });
});
