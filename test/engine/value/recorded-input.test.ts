import { describe, expect, it } from 'vitest';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { secret, unknown, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { acceptedValue, type AcceptInput } from '@platform-sync/core/value/accept';
import { adoptedInput, recordedInput } from '@platform-sync/core/value/field-comparison';
import { Seals } from '@platform-sync/core/value/seal';
import { ruleWith } from '../plan/made-up-types.js';

const seals = new Seals((value) => `f(${JSON.stringify(value)})`);
const sealed = (value: Json, expression = 'X'): JsonObject => ({
  $secret: { expression, fingerprint: `f(${JSON.stringify(value)})` },
});
const hushed = (value: Value): Value => secret(value, 'X');
const map = ruleWith('map', { foreignKeys: ['o-'] });
const text = ruleWith('text');

describe('what is recorded of what was sent', () => {
  it.each<[string, Value | undefined, readonly string[], JsonObject | undefined, Json | undefined]>([
    ['the words of the file', 'a\n', [], { field: 'b' }, 'a\n'],
    ['null', null, [], undefined, null],
    ['nothing where the file says nothing', undefined, [], { field: 'b' }, undefined],
    ['nothing while it is not known', unknown(['x.id']), [], { field: 'b' }, undefined],
    [
      'what stood there, for a part left alone',
      { a: '1', b: '1' },
      ['field.a'],
      { field: { a: '2' } },
      { a: '2', b: '1' },
    ],
    ['what stood there, for a field left alone', 'a', ['field'], { field: 'b' }, 'b'],
    ['nothing, where nothing stood there', 'a', ['field'], {}, undefined],
    ['the file where nothing is known of before', 'a', ['field'], undefined, 'a'],
    ['a secret, sealed', hushed('a'), [], {}, sealed('a')],
    ['a part left alone of a secret is as secret', hushed('a'), ['field'], { field: 'b' }, sealed('b')],
    ['a sealed part left alone stays so', hushed('a'), ['field'], { field: sealed('b', 'Y') }, sealed('b', 'Y')],
    ['null where the secret stood', hushed('a'), ['field'], { field: null }, null],
  ])('%s', (_name, declared, ignored, before, expected) => {
    const rule = ruleWith('json');
    expect(recordedInput(rule, declared, ignored, before, seals)).toEqual(expected);
  });
});

describe('what is recorded of what was taken over', () => {
  const door = ruleWith('exact', { writeOnly: true });
  it.each<[string, FieldRule, Value, Json | undefined, Json | undefined]>([
    ['the file where both are equal', text, 'a\n', 'a', 'a\n'],
    ['the object where they differ', text, 'a', 'b', 'b'],
    ['the object where the file is not known', text, unknown(['x.id']), 'b', 'b'],
    ['nothing where the object has nothing', text, 'a', undefined, undefined],
    ['nothing where it has null', text, 'a', null, undefined],
    ['null where both have nothing', text, null, undefined, null],
    ['null where both have null', text, null, null, null],
    ['what the object has where the file says null', text, null, 'b', 'b'],
    ['what counts as null and is there', map, null, {}, {}],
    ['the file for what cannot be read', door, 'a', undefined, 'a'],
    ['not while it is not known', door, unknown(['x.id']), undefined, undefined],
    ['what could be read after all', door, 'a', 'b', 'b'],
    ['own keys only', map, { a: '1' }, { a: '2', b: '3', 'o-a': '4' }, { a: '2' }],
    ['the file where own keys are equal', map, { a: '1', c: null }, { a: '1', b: '3' }, { a: '1', c: null }],
    ['a secret, sealed', text, hushed('a'), 'a', sealed('a')],
    ['another value in its place is as secret', text, hushed('a'), 'b', sealed('b')],
  ])('%s', (_name, rule, declared, actual, expected) => {
    expect(adoptedInput(rule, declared, actual, seals)).toEqual(expected);
  });
});

describe('what the file has to say to accept what is there', () => {
  const json = ruleWith('json');
  it.each<[string, FieldRule, Partial<AcceptInput>, Json | undefined]>([
    ['a text', text, { declared: 'a', actual: 'b' }, 'b'],
    ['a text that was never declared', text, { actual: 'b' }, 'b'],
    [
      'own keys as they are',
      map,
      { declared: { a: '1' }, recorded: { a: '1' }, seen: { a: '1', b: '1' }, actual: { a: '2', b: '1' } },
      { a: '2' },
    ],
    [
      'a key of others that moved',
      map,
      { declared: { a: '1' }, seen: { a: '1', b: '1' }, actual: { a: '1', b: '2' } },
      { a: '1', b: '2' },
    ],
    [
      'a key that is new',
      map,
      { declared: { a: '1' }, seen: { a: '1' }, actual: { a: '1', b: '2' } },
      { a: '1', b: '2' },
    ],
    ['all keys where nothing was seen', map, { declared: { a: '1' }, actual: { a: '1', b: '2' } }, { a: '1', b: '2' }],
    ['an own key that is gone', map, { declared: { a: '1' }, seen: { a: '1' }, actual: {} }, {}],
    ['never a foreign key', map, { declared: { a: '1' }, seen: {}, actual: { a: '1', 'o-a': '2' } }, { a: '1' }],
    ['the whole map where the file has none', map, { actual: { a: '1', 'o-a': '2' } }, { a: '1' }],
    [
      'the whole map where only the record has one',
      map,
      { recorded: { a: '1' }, seen: { a: '1', b: '1' }, actual: { a: '2', b: '1' } },
      { a: '2', b: '1' },
    ],
    [
      'all but what is foreign of a map that was a secret',
      map,
      { declared: { a: '1' }, recorded: sealed({ a: '1' }), seen: {}, actual: { a: '2', b: '2', 'o-a': '3' } },
      { a: '2', b: '2' },
    ],
    [
      'own members of a record, and what moved',
      ruleWith('record'),
      { declared: { a: 1 }, seen: { a: 1, b: 1 }, actual: { a: 2, b: 1, c: 1 } },
      { a: 2, c: 1 },
    ],
    ['what is no map', map, { declared: { a: '1' }, actual: ['x'] }, ['x']],
    [
      'a map that is owned whole',
      ruleWith('map', { ownsAllKeys: true }),
      { declared: { a: '1' }, seen: { b: '1' }, actual: { b: '1' } },
      { b: '1' },
    ],
    [
      'a part left alone is as the file has it',
      json,
      { declared: { a: 1, b: 1 }, ignored: ['field.a'], actual: { a: 2, b: 2 } },
      { a: 1, b: 2 },
    ],
    [
      'a part left alone that the file has not',
      json,
      { declared: { b: 1 }, ignored: ['field.a'], actual: { a: 2, b: 2 } },
      { b: 2 },
    ],
    [
      'a key left alone is as the file has it',
      map,
      { declared: { a: '1', b: '1' }, ignored: ['field.a'], actual: { a: '2', b: '2' } },
      { a: '1', b: '2' },
    ],
    ['a field left alone is as the file has it', text, { declared: 'a', ignored: ['field'], actual: 'b' }, 'a'],
  ])('%s', (_name, rule, more, expected) => {
    const input = { declared: undefined, recorded: undefined, seen: undefined, ignored: [], actual: null, ...more };
    expect(acceptedValue(rule, input)).toEqual(expected);
  });
});
