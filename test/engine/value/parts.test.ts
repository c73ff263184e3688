import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Equality, FieldRule } from '@platform-sync/core/model/resource-type';
import { secret, unknown, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { isKeyed, leavingOut, ownParts, withoutForeign } from '@platform-sync/core/value/parts';
import { ruleWith } from '../plan/made-up-types.js';

const sealed = { $secret: { expression: '!env X', fingerprint: 'f' } };

interface Case {
  readonly equality?: Equality;
  readonly rule?: Partial<FieldRule>;
  readonly declared?: Value;
  readonly recorded?: Json;
  readonly ignored?: readonly string[];
}

const partsOf = ({ equality = 'map', rule = {}, declared, recorded, ignored = [] }: Case) =>
  ownParts({ rule: ruleWith(equality, rule), declared, recorded, ignored });

describe('whose parts', () => {
  it.each<[string, Case, 'all' | 'some' | 'none']>([
    ['a text is owned whole', { equality: 'text', declared: 'a' }, 'all'],
    ['a list is owned whole', { equality: 'set', declared: ['a'] }, 'all'],
    ['other JSON is owned whole', { equality: 'json', declared: { a: 1 } }, 'all'],
    ['a map is owned by its keys', { declared: { a: '1' } }, 'some'],
    ['a map of lists, too', { equality: 'multisets', declared: { a: ['1'] } }, 'some'],
    ['a map that is left alone', { declared: { a: '1' }, ignored: ['field'] }, 'none'],
    ['all is left alone', { equality: 'text', declared: 'a', ignored: ['*'] }, 'none'],
    ['another field is left alone', { equality: 'text', declared: 'a', ignored: ['other', 'other.field'] }, 'all'],
    ['a part is left alone', { equality: 'json', declared: { a: 1 }, ignored: ['field.a'] }, 'some'],
    ['the rule says that all keys are ours', { rule: { ownsAllKeys: true }, declared: { a: '1' } }, 'all'],
    ['but those of others', { rule: { ownsAllKeys: true, foreignKeys: ['x'] }, declared: { a: '1' } }, 'some'],
    ['null is said of the whole map', { declared: null }, 'all'],
    ['null, and some belong to others', { rule: { foreignKeys: ['x'] }, declared: null }, 'some'],
    ['the keys of a secret are not known', { declared: secret({ a: '1' }, 'X') }, 'all'],
    ['one secret member is enough', { declared: { a: secret('1', 'X') } }, 'all'],
    ['so it is with a recorded one', { declared: { a: '1' }, recorded: sealed }, 'all'],
    ['a record is owned by its members', { equality: 'record', declared: { a: 1 } }, 'some'],
    ['those of the last file, too', { equality: 'record', recorded: { a: 1 } }, 'some'],
    ['a list of records, too', { equality: 'record', declared: [{ a: 1 }] }, 'some'],
    ['a record of which all is ours', { equality: 'record', rule: { ownsAllKeys: true }, declared: { a: 1 } }, 'all'],
    ['a record of which nothing is said', { equality: 'record', declared: null }, 'all'],
    ['a record of which a secret is said', { equality: 'record', recorded: sealed }, 'all'],
    ['a part of that is left alone', { equality: 'record', declared: null, ignored: ['field.a'] }, 'some'],
  ])('%s', (_name, given, extent) => {
    expect(partsOf(given).extent).toBe(extent);
  });

  it.each<[string, Case, Value | undefined, Json | undefined, Value | undefined]>([
    ['owned whole', { equality: 'text', declared: 'a' }, 'a', 'b', 'a'],
    ['left alone', { declared: { a: '1' }, ignored: ['*'] }, { a: '1' }, { b: '2' }, { b: '2' }],
    ['ours and theirs', { declared: { a: '1' } }, { a: '1' }, { a: '0', b: '2' }, { a: '1', b: '2' }],
    ['ours in the record', { declared: {}, recorded: { a: '1' } }, {}, { a: '0', b: '2' }, { b: '2' }],
    ['ours and gone', { declared: { a: '1' } }, undefined, { a: '0', b: '2' }, { b: '2' }],
    ['all ours keeps its spelling', { declared: '{"a": "1"}' }, '{"a": "1"}', { a: '0' }, '{"a": "1"}'],
    ['spelt as text, with theirs', { declared: '{"a":"1"}' }, '{"a":"1"}', { b: '2' }, { a: '1', b: '2' }],
    ['theirs spelt as text', { declared: { a: '1' } }, { a: '1' }, '{"b":"2"}', { a: '1', b: '2' }],
    ['a foreign key is theirs', { rule: { foreignKeys: ['o-'] }, declared: { 'o-a': '1' } }, { 'o-a': '1' }, {}, {}],
    [
      'a foreign key is as it is',
      { rule: { foreignKeys: ['p-', 'o-'] }, declared: { 'o-a': '1', 'a-o-': '1' } },
      { 'o-a': '1', 'a-o-': '1' },
      { 'o-a': '2', 'p-': '3' },
      { 'a-o-': '1', 'o-a': '2', 'p-': '3' },
    ],
    [
      'every key but the foreign ones',
      { rule: { foreignKeys: ['o-'], ownsAllKeys: true }, declared: { a: '1' } },
      { a: '1' },
      { b: '2', 'o-a': '3' },
      { a: '1', 'o-a': '3' },
    ],
    [
      'null over foreign keys',
      { rule: { foreignKeys: ['o-'] }, declared: null },
      null,
      { b: '2', 'o-': '3' },
      { 'o-': '3' },
    ],
    ['a list in place of a map', { declared: { a: '1' } }, ['x'], { b: '2' }, ['x']],
    ['a text that is no map', { declared: { a: '1' } }, 'x', { b: '2' }, 'x'],
    ['a text that is no map in JSON', { declared: { a: '1' } }, '[1]', { b: '2' }, '[1]'],
    ['a sealed value', { declared: { a: '1' } }, sealed, { b: '2' }, sealed],
    ['not known yet', { declared: { a: '1' } }, unknown(['x']), { b: '2' }, unknown(['x'])],
    ['theirs is no map', { declared: { a: '1' } }, { a: '1' }, ['x'], { a: '1' }],
    ['theirs is sealed', { declared: { a: '1' } }, { a: '1' }, sealed, { a: '1' }],
    ['a part left alone', { equality: 'json', ignored: ['field.a'] }, { a: 1, b: 2 }, { a: 3, c: 4 }, { a: 3, b: 2 }],
    ['a part that is not there', { equality: 'json', ignored: ['field.a'] }, { a: 1, b: 2 }, {}, { b: 2 }],
    ['a part of nothing', { equality: 'json', ignored: ['field.a'] }, undefined, { a: 3 }, { a: 3 }],
    [
      'a deep part',
      { equality: 'json', ignored: ['field.a.b'] },
      { a: { b: 1, c: 2 } },
      { a: { b: 3 } },
      { a: { b: 3, c: 2 } },
    ],
    [
      'two parts, and one of another field',
      { equality: 'json', ignored: ['field.a', 'other.c', 'field.b'] },
      { a: 1, b: 1, c: 1 },
      { a: 2, b: 2, c: 2 },
      { a: 2, b: 2, c: 1 },
    ],
    ['members of a record', { equality: 'record', declared: { a: 0 } }, { a: 1, b: 1 }, { a: 2, b: 2 }, { a: 1, b: 2 }],
    [
      'members of a record that only the last file had',
      { equality: 'record', declared: 'text', recorded: { a: 0 } },
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { a: 1, b: 2 },
    ],
    ['a sealed record', { equality: 'record', declared: { $secret: 0 } }, sealed, { $secret: 1, b: 2 }, sealed],
    ['theirs is a sealed record', { equality: 'record', declared: { a: 0 } }, { a: 1, b: 1 }, sealed, { a: 1 }],
    [
      'a part of a record that is left alone',
      { equality: 'record', declared: { a: 0, b: 0 }, ignored: ['field.a'] },
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { a: 2, b: 1 },
    ],
    ['a record, all of it', { equality: 'record' }, { a: 1 }, { a: 2, b: 2 }, { a: 1 }],
    [
      'a record, all of it but a part left alone',
      { equality: 'record', ignored: ['field.a'] },
      { a: 1, b: 1 },
      { a: 2, b: 2 },
      { a: 2, b: 1 },
    ],
    ['a text in place of such a record', { equality: 'record', ignored: ['field.a'] }, 'text', { a: 2 }, 'text'],
    [
      'a part and the keys of others',
      { declared: { a: '1', b: '1' }, ignored: ['field.a'] },
      { a: '1', b: '1' },
      { a: '2', c: '3' },
      { a: '2', b: '1', c: '3' },
    ],
  ])('%s', (_name, given, value, rest, expected) => {
    expect(partsOf(given).over(value, rest)).toEqual(expected);
  });

  it('whatever stands there: own keys are as wanted, all others as they were, and twice is as once', () => {
    const members = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'o-x', 'o-y'), fc.constantFrom('1', '2'));
    fc.assert(
      fc.property(members, members, members, fc.boolean(), (declared, recorded, rest, exact) => {
        const { over } = partsOf({ declared, recorded, rule: { foreignKeys: ['o-'], ownsAllKeys: exact } });
        const result = over(declared, rest) as JsonObject;
        for (const key of new Set([...Object.keys(declared), ...Object.keys(recorded), ...Object.keys(rest)])) {
          const isOurs = !key.startsWith('o-') && (exact || key in declared || key in recorded);
          expect(result[key]).toBe(isOurs ? declared[key] : rest[key]);
        }
        expect(over(result, rest)).toEqual(result);
      }),
    );
  });
});

describe('leaving parts out', () => {
  it.each<[readonly string[], Value | undefined, Json | undefined, Value | undefined]>([
    [[], { a: 1 }, { a: 2 }, { a: 1 }],
    [['f'], { a: 1 }, { a: 2 }, { a: 2 }],
    [['*'], { a: 1 }, undefined, undefined],
    [['f.a'], { a: 1, b: 1 }, { a: 2 }, { a: 2, b: 1 }],
    [['f.a'], 'text', { a: 2 }, 'text'],
    [['g.a'], { a: 1 }, { a: 2 }, { a: 1 }],
  ])('%j of %j, with %j, is %j', (ignored, value, rest, expected) => {
    expect(leavingOut('f', ignored, value, rest)).toEqual(expected);
  });
});

describe('keys of others', () => {
  it.each<[readonly string[] | undefined, Json, Json]>([
    [undefined, { 'o-a': '1' }, { 'o-a': '1' }],
    [[], { 'o-a': '1' }, { 'o-a': '1' }],
    [['o-'], { 'o-a': '1', a: '2', 'a-o-': '3' }, { a: '2', 'a-o-': '3' }],
    [['o-', 'p-'], { 'o-a': '1', 'p-a': '2' }, {}],
    [['o-'], ['o-a'], ['o-a']],
    [['o-'], null, null],
    [['o-'], 'o-a', 'o-a'],
  ])('%j in %j: %j is left', (foreignKeys, value, expected) => {
    const rule = ruleWith('map', foreignKeys === undefined ? {} : { foreignKeys });
    expect(withoutForeign(rule, value)).toEqual(expected);
  });

  it('only maps have any', () => {
    const kinds: readonly Equality[] = ['exact', 'text', 'set', 'map', 'multisets', 'json'];
    expect(kinds.filter((equality) => isKeyed({ equality }))).toEqual(['map', 'multisets']);
  });
});
