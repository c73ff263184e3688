import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defined } from '@platform-sync/core/model/value';

describe('defined', () => {
  it.each([
    [{}, {}],
    [{ a: undefined }, {}],
    [
      { a: null, b: 0, c: '', d: false },
      { a: null, b: 0, c: '', d: false },
    ],
    [
      { a: 1, b: undefined, c: 2 },
      { a: 1, c: 2 },
    ],
    [JSON.parse('{"__proto__": 1, "b": 2}') as object, JSON.parse('{"__proto__": 1, "b": 2}') as object],
  ])('%j', (members, expected) => {
    const found = defined(members);
    expect(found).toEqual(expected);
    expect(Object.keys(found)).toEqual(Object.keys(expected));
  });

  it('keeps the order and every name, whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.option(fc.integer(), { nil: undefined })), (members) => {
        const names = Object.keys(members).filter((name) => members[name] !== undefined);
        expect(Object.keys(defined(members))).toEqual(names);
      }),
    );
  });

  it('says so in its type', () => {
    const optional: { readonly a?: number; readonly b: string } = defined({
      a: undefined as number | undefined,
      b: 'x',
    });
    expect(optional).toEqual({ b: 'x' });
  });
});
