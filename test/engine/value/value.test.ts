import { describe, expect, it } from 'vitest';
import {
  hasSecret,
  hasUnknown,
  isObject,
  isSecret,
  isUnknown,
  referencedAddress,
  reveal,
  secret,
  unknown,
  unknownSources,
  type Value,
} from '@platform-sync/core/model/value';

const later = unknown(['b.id']);
const hushed = secret('x', '!env X');

describe('markers', () => {
  it('name what is waited for, sorted and once', () => {
    expect(unknown(['b.id', 'a.id', 'b.id']).from).toEqual(['a.id', 'b.id']);
  });

  it('a secret of a secret is the inner one, with its own words', () => {
    expect(secret(hushed, 'other')).toBe(hushed);
    expect(secret('x', '!env X')).toMatchObject({ value: 'x', expression: '!env X' });
  });

  it.each<[string, unknown, readonly [unknown: boolean, secret: boolean, object: boolean]]>([
    ['an unknown', later, [true, false, false]],
    ['a secret', hushed, [false, true, false]],
    ['a map', { a: 1 }, [false, false, true]],
    ['an empty map', {}, [false, false, true]],
    ['a map that looks like a marker', { kind: 'secret', value: 'x' }, [false, false, true]],
    ['a list', [], [false, false, false]],
    ['null', null, [false, false, false]],
    ['nothing', undefined, [false, false, false]],
    ['a text', 'secret', [false, false, false]],
    ['a number', 1, [false, false, false]],
  ])('%s is told from the others', (_name, value, [isLater, isHushed, isMap]) => {
    expect([isUnknown(value), isSecret(value), isObject(value)]).toEqual([isLater, isHushed, isMap]);
  });
});

describe('parts of a value', () => {
  it.each<[string, Value, boolean, boolean, readonly string[]]>([
    ['plain', { a: [1, { b: null }] }, false, false, []],
    ['unknown', later, true, false, ['b.id']],
    ['unknown in a list', [1, later], true, false, ['b.id']],
    ['unknown in a map in a list', [{ a: later }], true, false, ['b.id']],
    ['unknown behind a secret', secret([later], '!env X'), true, true, ['b.id']],
    ['secret', hushed, false, true, []],
    ['secret in a list', ['a', hushed], false, true, []],
    ['secret in a map', { a: { b: hushed } }, false, true, []],
    ['both', { a: later, b: [hushed, unknown(['a.id', 'b.id'])] }, true, true, ['a.id', 'b.id']],
    ['null', null, false, false, []],
  ])('%s', (_name, value, isLater, isHushed, from) => {
    expect([hasUnknown(value), hasSecret(value), unknownSources(value)]).toEqual([isLater, isHushed, from]);
  });

  it('are all plain once they are revealed', () => {
    expect(reveal({ a: [hushed, { b: secret({ c: hushed }, 'y') }], d: null, e: 1, f: false })).toEqual({
      ...{ a: ['x', { b: { c: 'x' } }], d: null },
      ...{ e: 1, f: false },
    });
  });

  it('that are not known yet cannot be revealed', () => {
    expect(() => reveal([{ a: unknown(['b.id', 'a.id']) }])).toThrow('bug: value still unknown, waits for a.id, b.id');
  });
});

describe('the address in a reference', () => {
  it.each([
    ['petstore', 'petstore'],
    ['petstore.id', 'petstore'],
    ['petstore/guide.id', 'petstore/guide'],
    ['petstore.portals[0].id', 'petstore'],
    ['petstore[0].id', 'petstore'],
    ['petstore[0]', 'petstore'],
  ])('%s is of %s', (text, address) => {
    expect(referencedAddress(text)).toBe(address);
  });
});
