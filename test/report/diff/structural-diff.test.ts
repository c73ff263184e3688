import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson, structuralDiff } from '@platform-sync/report/diff/structural-diff';
import type { Json } from '@platform-sync/core/model/value';

const table: readonly (readonly [string, Json, Json, readonly object[]])[] = [
  ['equal values', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ['key order', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
  [
    'a changed leaf',
    { paths: { '/pets': { get: { summary: 'a' } } } },
    { paths: { '/pets': { get: { summary: 'b' } } } },
    [{ kind: 'changed', path: 'paths./pets.get.summary', old: 'a', new: 'b' }],
  ],
  ['a key with a dot is quoted', { 'a.b': 1 }, { 'a.b': 2 }, [{ kind: 'changed', path: '["a.b"]', old: 1, new: 2 }]],
  ['an added key', { a: 1 }, { a: 1, b: null }, [{ kind: 'added', path: 'b', new: null }]],
  ['null is a value', { a: null }, {}, [{ kind: 'removed', path: 'a', old: null }]],
  ['another type', { a: [1] }, { a: { b: 1 } }, [{ kind: 'changed', path: 'a', old: [1], new: { b: 1 } }]],
  ['an item at the top of a list', [1, 2, 3], [0, 1, 2, 3], [{ kind: 'added', path: '[0]', new: 0 }]],
  [
    'an item gone from the middle',
    { l: ['a', 'b', 'c'] },
    { l: ['a', 'c'] },
    [{ kind: 'removed', path: 'l[1]', old: 'b' }],
  ],
  [
    'items that name themselves',
    { parameters: [{ name: 'x', in: 'query' }] },
    { parameters: [{ name: 'new' }, { name: 'x', in: 'path' }] },
    [
      { kind: 'changed', path: 'parameters[name=x].in', old: 'query', new: 'path' },
      { kind: 'added', path: 'parameters[name=new]', new: { name: 'new' } },
    ],
  ],
  [
    'only the order of named items',
    [{ id: 'a' }, { id: 'b' }],
    [{ id: 'b' }, { id: 'a' }],
    [{ kind: 'reordered', path: '' }],
  ],
  ['a hostile key', { ['\u001b[31m']: 1 }, {}, [{ kind: 'removed', path: '["\\u001b[31m"]', old: 1 }]],
  ['a key named like a method', { constructor: 1 }, {}, [{ kind: 'removed', path: 'constructor', old: 1 }]],
];

describe('structuralDiff', () => {
  it.each(table)('%s', (_name, before, after, expected) => {
    expect(structuralDiff(before, after)).toEqual(expected);
  });

  it('finds something exactly when the values differ', () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(structuralDiff(a, a)).toEqual([]);
        expect(structuralDiff(a, b).length === 0).toBe(sameJson(a, b));
      }),
      { numRuns: 300 },
    );
  });

  it('survives nesting far deeper than any real file', () => {
    const nested = (leaf: Json): Json => {
      let value = leaf;
      for (let at = 0; at < 3000; at += 1) value = { a: value };
      return value;
    };
    expect(structuralDiff(nested(1), nested(2))).toHaveLength(1);
  });
});
