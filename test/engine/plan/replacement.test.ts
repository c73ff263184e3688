import { describe, expect, it } from 'vitest';
import { unknown } from '../../../src/engine/model/value.js';
import type { JsonObject, Value } from '../../../src/engine/model/value.js';
import { replacementOrder } from '../../../src/engine/plan/replacement.js';
import { changing, desiredResource, typeNamed } from './worlds.js';

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
