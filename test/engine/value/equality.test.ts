import { describe, expect, it } from 'vitest';
import type { Equality } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { sameValue, shownForm } from '@platform-sync/core/value/equality';

const table: readonly [Equality, Json | undefined, Json | undefined, boolean][] = [
  ['exact', 'a', 'a', true],
  ['exact', 'a', 'a ', false],
  ['exact', null, undefined, true],
  ['exact', '', undefined, false],
  ['exact', { b: 1, a: [1, 2] }, { a: [1, 2], b: 1 }, true],
  ['exact', [1, 2], [2, 1], false],
  ['text', 'a\n', 'a', true],
  ['text', 'a \n\n', 'a', true],
  ['text', ' a', 'a', false],
  ['text', 'a\n\nb', 'a\nb', false],
  ['text', '{"a": 1}', 'a: 1', false],
  ['text', 1, 2, false],
  ['document', { a: 1 }, { a: 2 }, false],
  ['document', '{"b": [1, 2], "a": null}', 'a: null\nb:\n  - 1\n  - 2\n', true],
  ['document', '{"b": [1, 2]}', '{"b": [2, 1]}', false],
  ['document', '# a comment\na: 1\n', 'a: 1', true],
  ['document', 'a: "1"', 'a: 1', false],
  ['document', 'responses: {200: x}', '{"responses": {"200": "x"}}', true],
  ['document', 'a: &x [1]\nb: *x', '{"a": [1], "b": [1]}', true],
  ['document', 'a: null', 'b: null', false],
  ['document', 'a: null', '{}', false],
  ['document', 'a: .inf', 'a: .nan', false],
  ['document', 'a: 9007199254740993', 'a: 9007199254740992', false],
  ['document', 'a: !x 1', 'a: !y 1', false],
  ['document', 'a: 1\n---\nb: 1', 'a: 1\n---\nb: 2', false],
  ['document', '{"a": ', '{"b": ', false],
  ['document', 'just text\n', 'just text', true],
  ['document', 'just text', 'another text', false],
  ['document', `${'['.repeat(5000)}`, `${'['.repeat(5001)}`, false],
  ['document', `${'a: {'.repeat(5000)}`, `${'a: {'.repeat(5001)}`, false],
  ['set', ['b', 'a', 'a'], ['a', 'b'], true],
  ['set', ['a'], ['a', 'b'], false],
  ['set', [], undefined, false],
  ['map', { a: '1' }, { a: '1', b: null }, true],
  ['map', {}, undefined, true],
  ['map', { a: '1' }, { a: '2' }, false],
  ['multisets', { a: ['x', 'y'] }, { a: ['y', 'x'] }, true],
  ['multisets', { a: ['x', 'x'] }, { a: ['x'] }, false],
  ['multisets', { a: 'x' }, { a: ['x'] }, true],
  ['multisets', '{"a":["x"],"b":null}', { a: ['x'] }, true],
  ['multisets', { a: [{ x: 1 }] }, { a: [{ x: 2 }] }, false],
  ['multisets', { a: [1] }, { a: ['1'] }, true],
  ['multisets', { a: [] }, undefined, true],
  ['multisets', '{}', undefined, true],
  ['multisets', 'not json', { a: ['x'] }, false],
  ['json', '{"b":1, "a":{"c":[1]}}', { a: { c: [1] }, b: 1 }, true],
  ['json', { a: null }, undefined, true],
  ['json', { a: [1, 2] }, { a: [2, 1] }, false],
  ['json', 'null', ' null', true],
  [
    'json',
    { bindings: [{ role: 'r', members: ['a', 'b'] }] },
    { bindings: [{ role: 'r', members: ['b', 'a'] }] },
    false,
  ],
  ['record', { a: null, b: [{ c: null }] }, { b: [{}] }, true],
  ['record', { a: {} }, {}, false],
];

describe('field equality', () => {
  it.each(table)('%s: %j and %j → %s', (equality, a, b, expected) => {
    expect(sameValue({ equality }, a, b)).toBe(expected);
    expect(sameValue({ equality }, b, a)).toBe(expected);
  });
});

describe('a value as plans show it', () => {
  it.each<[Equality, Json, Json]>([
    ['exact', [2, 1], [2, 1]],
    ['text', 'a\n', 'a\n'],
    ['document', '{"a": 1}\n', '{"a": 1}\n'],
    ['record', { b: null, a: 1 }, { b: null, a: 1 }],
    ['set', ['b', 'a'], ['a', 'b']],
    ['map', { a: '1', b: null }, { a: '1' }],
    ['map', {}, {}],
  ])('%s: %j as %j', (equality, value, expected) => {
    expect(shownForm({ equality }, value)).toEqual(expected);
  });
});

describe('a number that may be a text', () => {
  const schema = { type: ['number', 'string'] };
  const inside = { type: 'object', properties: { a: schema }, additionalProperties: { type: 'array', items: schema } };
  it.each<[JsonObject, Json, Json, boolean]>([
    [schema, 80, '80', true],
    [schema, 0.5, '0.5', true],
    [schema, 80, '080', false],
    [schema, 80, '80 ', false],
    [schema, 80, '{vault://env/port}', false],
    [schema, '9007199254740993', 9007199254740992, false],
    [{ type: 'string' }, 80, '80', false],
    [{ type: ['string', 'null'] }, 80, '80', false],
    [inside, { a: 80, b: ['1', 2] }, { a: '80', b: [1, '2'] }, true],
    [inside, { a: 80, b: ['1', 2] }, { a: '80', b: [1, '3'] }, false],
  ])('of %j: %j and %j are one: %j', (of, a, b, same) => {
    expect([
      sameValue({ equality: 'exact', schema: of }, a, b),
      sameValue({ equality: 'exact', schema: of }, b, a),
    ]).toEqual([same, same]);
  });

  it('is shown as it is', () => {
    expect(shownForm({ equality: 'json' }, { a: 80, b: ['1', 2] })).toEqual({ a: 80, b: ['1', 2] });
  });
});
