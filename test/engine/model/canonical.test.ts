import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  canonicalMembers,
  canonicalPieces,
  joinMembers,
  sha256,
} from '@platform-sync/core/model/canonical';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

describe('canonical JSON', () => {
  test.each<[Json, string]>([
    [{ b: 1, a: { d: [], c: {} } }, '{"a":{"c":{},"d":[]},"b":1}'],
    // By code unit: capitals before small letters, surrogates before the private use area.
    [
      { é: 1, z: 2, Z: 3, '\u{1F99C}': 4, '\uE000': 5, '10': 6, '9': 7 },
      '{"10":6,"9":7,"Z":3,"z":2,"é":1,"🦜":4,"\uE000":5}',
    ],
    [[1e21, 1e-7, -0, 0.1, 100], '[1e+21,1e-7,0,0.1,100]'],
    ['"\\\n\u2028\u0000\uD800', '"\\"\\\\\\n\u2028\\u0000\\ud800"'],
    [[null, true, [[]]], '[null,true,[[]]]'],
    [JSON.parse('{"__proto__":1,"":2}') as Json, '{"":2,"__proto__":1}'],
    // Sorted already, sorted in parts, and with keys that an object puts first by itself, deep down.
    [{ a: [{ b: 1, c: 2 }], d: 3 }, '{"a":[{"b":1,"c":2}],"d":3}'],
    [{ a: 0, b: [1, { c: 1 }, { e: 1, d: 2 }], f: 3 }, '{"a":0,"b":[1,{"c":1},{"d":2,"e":1}],"f":3}'],
    [{ z: 1, a: [{ b: { 9: 1, 10: 2, '!': 3 } }] }, '{"a":[{"b":{"!":3,"10":2,"9":1}}],"z":1}'],
    [{ a: { 7: 1 } }, '{"a":{"7":1}}'],
  ])('of %j', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('leaves out keys without a value, as JSON.stringify does', () => {
    expect(canonicalJson({ b: undefined, a: 1, c: undefined } as unknown as JsonObject)).toBe('{"a":1}');
  });

  test('is valid JSON for the same value, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = canonicalJson(value as Json);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(value as Json))).toBe(text);
      }),
    );
  });

  test('can be put together from the members of an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        expect(joinMembers(canonicalMembers(object as JsonObject))).toBe(canonicalJson(object as JsonObject));
      }),
    );
  });

  test('can be had in pieces, lists item by item', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const pieces = [...canonicalPieces(object as JsonObject)];
        expect(pieces.join('')).toBe(canonicalJson(object as JsonObject));
        expect(sha256(pieces)).toBe(sha256(pieces.join('')));
      }),
    );
    expect([...canonicalPieces({ b: ['é', { d: 1, c: 2 }], a: [] })]).toEqual([
      ...['{"a":', '[]', ',"b":', '["é"', ',{"c":2,"d":1}', ']', '}'],
    ]);
  });

  test('takes what is JSON through and through, whatever its type is called, and nothing else', () => {
    interface Named {
      readonly b?: number;
      readonly a: readonly { readonly d: null }[];
    }
    const named: Named = { b: 1, a: [{ d: null }] };
    expect(canonicalJson(named)).toBe('{"a":[{"d":null}],"b":1}');
    const others = (): readonly string[] => [
      // @ts-expect-error a map has functions
      canonicalJson(new Map([['a', 1]])),
      // @ts-expect-error a time has functions, deep inside too
      canonicalJson({ a: [new Date(0)] }),
      // @ts-expect-error nobody knows what it is
      canonicalJson(named as unknown),
    ];
    expect(others).toBeDefined();
  });

  test('leaves the value as it was', () => {
    const value = { b: [{ d: 1, c: 2 }], a: 1 };
    canonicalJson(value);
    expect(JSON.stringify(value)).toBe('{"b":[{"d":1,"c":2}],"a":1}');
  });
});

test('sha256 is over the UTF-8 bytes', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
});

function reversed(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}
