import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** Texts that look like parts of a key, among them the parts of others. */
const word = fc.string({ unit: fc.constantFrom('a', ' ', '1', '-', '"', ','), maxLength: 5 });
const scope = fc.dictionary(fc.constantFrom('apiId', 'portalId', 'a'), word, { maxKeys: 2 });
const object = fc.record({ type: fc.constantFrom('p:a', 'p:b'), identity: fc.record({ id: word, scope }) });

const inOrder = (ids: Readonly<Record<string, string>>): unknown => Object.entries(ids).sort();

describe('keys of objects', () => {
  test('are the same for the same object alone', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        const same =
          JSON.stringify([a.type, a.identity.id, inOrder(a.identity.scope)]) ===
          JSON.stringify([b.type, b.identity.id, inOrder(b.identity.scope)]);
        expect(identityKey(a.type, a.identity) === identityKey(b.type, b.identity)).toBe(same);
      }),
      { numRuns: 300 },
    );
  });

  test('of which one text could run into the next', () => {
    const one = identityKey('p:a', { id: 'x', scope: { apiId: '1 y' } });
    expect(one).not.toBe(identityKey('p:a', { id: '1 y  x', scope: { apiId: '' } }));
    expect(one).not.toBe(identityKey('p:a', { id: 'apiId 3 1 y  x', scope: {} }));
  });

  test('do not depend on the order of ids', () => {
    const key = identityKey('p:a', { id: 'x', scope: { a: '1', b: '2' } });
    expect(identityKey('p:a', { id: 'x', scope: { b: '2', a: '1' } })).toBe(key);
  });
});

describe('keys of collections', () => {
  const type = { token: 'p:a', collection: { scope: ['apiId', 'portalId'] } } as unknown as ResourceType;

  test('are the same for the same ids alone, and one that is missing is not an empty one', () => {
    fc.assert(
      fc.property(scope, scope, (a, b) => {
        const ids = ({ apiId, portalId }: Readonly<Record<string, string>>): string =>
          JSON.stringify([apiId ?? null, portalId ?? null]);
        expect(collectionKey(type, a) === collectionKey(type, b)).toBe(ids(a) === ids(b));
      }),
      { numRuns: 300 },
    );
  });
});
