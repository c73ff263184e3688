import { describe, expect, it } from 'vitest';
import type { Equality } from '@platform-sync/core/model/resource-type';
import { secret, unknown, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { Seals, derivedSecret, isSealed, plainRule, secretExpression } from '@platform-sync/core/value/seal';
import { typeOf } from '../plan/made-up-types.js';

const seals = new Seals((value) => `f(${JSON.stringify(value)})`);
const sealed = (value: Json, expression = 'X'): JsonObject => ({
  $secret: { expression, fingerprint: `f(${JSON.stringify(value)})` },
});
const hushed = secret('a', 'X');

describe('what is sealed', () => {
  it.each<[unknown, boolean]>([
    [sealed('a'), true],
    [{ $other: {} }, false],
    [['$secret'], false],
    [null, false],
    [undefined, false],
    ['$secret', false],
  ])('%j: %s', (value, expected) => {
    expect(isSealed(value as Json)).toBe(expected);
  });
});

describe('sealing', () => {
  const plain = plainRule;
  const hidden = { equality: 'text', secret: true } as const;
  it.each<[string, { readonly equality: Equality; readonly secret: boolean }, Value, Json]>([
    ['plain', plain, { a: [1] }, { a: [1] }],
    ['a secret', plain, hushed, sealed('a')],
    ['a secret part seals the whole', plain, { a: 'b', c: hushed }, sealed({ a: 'b', c: 'a' })],
    [
      'the words of several parts, sorted and once',
      plain,
      [secret('1', 'Z'), { a: hushed }, [hushed]],
      sealed(['1', { a: 'a' }, ['a']], 'X, Z'),
    ],
    ['a field that is secret by its rule', hidden, 'a', sealed('a', '(secret)')],
    ['null hides nothing', hidden, null, null],
    ['but a secret null does', hidden, secret(null, 'X'), sealed(null)],
    ['in normal form, so that equal values have one mark', hidden, 'a\n\n', sealed('a', '(secret)')],
  ])('%s', (_name, rule, value, expected) => {
    expect(seals.seal(rule, value)).toEqual(expected);
  });

  it('of a number that may be a text is that of the text, as older records hold it', () => {
    const port = { type: ['integer', 'string'] };
    const rule = { equality: 'record', schema: { type: 'object', properties: { port, other: {} } } } as const;
    const older = sealed({ port: '6379', other: 5 });
    for (const said of [6379, '6379']) {
      expect(seals.sealPlain(rule, { port: said, other: 5 }, 'X')).toEqual(older);
      expect(seals.same(rule, older, { port: said, other: 5 })).toBe(true);
    }
    expect(seals.same(rule, older, { port: 6380, other: 5 })).toBe(false);
    expect(seals.same(rule, older, { port: 6379, other: '5' })).toBe(false);
  });

  it('of a value that counts as absent is that of null', () => {
    expect(seals.sealPlain({ equality: 'map' }, { a: null }, 'X')).toEqual(sealed(null));
  });
});

describe('what a plan shows', () => {
  it.each<[string, { readonly equality: Equality; readonly secret: boolean }, Value, Json]>([
    ['what is waited for', plainRule, [unknown(['b.id', 'a.id'])], { $unknown: ['a.id', 'b.id'] }],
    ['a secret that is waited for', plainRule, secret(unknown(['a.id']), 'X'), { $unknown: ['a.id'] }],
    ['a secret', plainRule, hushed, sealed('a')],
    ['a secret field', { equality: 'exact', secret: true }, 'a', sealed('a', '(secret)')],
    ['an exact value as it is', plainRule, ['b', 'a'], ['b', 'a']],
    ['a text as it is', { equality: 'text', secret: false }, 'a\n', 'a\n'],
    ['a set in order', { equality: 'set', secret: false }, ['b', 'a', 'b'], ['a', 'b']],
  ])('%s', (_name, rule, value, expected) => {
    expect(seals.planValue(rule, value)).toEqual(expected);
  });
});

describe('equality of what may be sealed', () => {
  it.each<[Json | undefined, Json | undefined, boolean]>([
    ['a', 'a\n', true],
    ['a', 'b', false],
    [sealed('a'), sealed('a', 'other words'), true],
    [sealed('a'), sealed('b'), false],
    [sealed('a'), 'a\n', true],
    [sealed('a'), 'b', false],
    [sealed(null), null, true],
    [sealed(null), undefined, false],
    [undefined, undefined, true],
    [null, undefined, true],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(seals.same({ equality: 'text' }, a, b)).toBe(expected);
    expect(seals.same({ equality: 'text' }, b, a)).toBe(expected);
  });
});

describe('an answer', () => {
  const shelf = typeOf('Shelf');
  it.each<[string, JsonObject, Record<string, Value>, JsonObject]>([
    ['without secrets', { name: 'A', note: 'n' }, { name: 'A' }, { name: 'A', note: 'n' }],
    ['with a secret the file declares', { note: 'n' }, { note: secret('n', 'X') }, { note: sealed('n') }],
    ['with one that is sealed in the record', { note: 'n' }, { note: sealed('m') }, { note: sealed('n') }],
    ['with a secret field', { pin: '1' }, {}, { pin: sealed('1', 'pin') }],
    ['with a value made out of a secret', { code: 'a' }, { name: secret('A', 'X') }, { code: sealed('a') }],
    ['with a declared value beside a secret', { code: 'a' }, { name: secret('A', 'X'), code: 'a' }, { code: 'a' }],
    ['that is sealed already', { note: sealed('n', 'Y') }, { note: secret('n', 'X') }, { note: sealed('n', 'Y') }],
    ['with what is no field', { id: 'i' }, { id: secret('i', 'X') }, { id: 'i' }],
  ])('%s', (_name, values, declared, expected) => {
    expect(seals.sealObject(shelf, values, declared)).toEqual(expected);
  });
});

describe('the secret behind a derived value', () => {
  const shelf = typeOf('Shelf');
  it.each<[string, string, Record<string, Value>, string | undefined]>([
    ['it is made out of a secret', 'code', { name: secret('A', 'X'), note: secret('n', 'Y') }, 'X'],
    ['or of a sealed one', 'code', { name: sealed('A') }, 'X'],
    ['it is made out of another', 'code', { name: 'A', note: secret('n', 'Y') }, undefined],
    ['the field is not derived', 'note', { name: secret('A', 'X') }, undefined],
    ['nothing is secret', 'code', { name: 'A' }, undefined],
    ['what is unknown tells nothing', 'code', { name: secret(unknown(['a.id']), 'X'), note: unknown(['b.id']) }, 'X'],
    ['there is no such field', 'other', { name: secret('A', 'X') }, undefined],
  ])('%s', (_name, field, declared, expected) => {
    expect(derivedSecret(shelf, field, declared)).toBe(expected);
  });
});

describe('the words for a value', () => {
  it.each<[Value, string | undefined]>([
    ['a', undefined],
    [{ a: 'b' }, undefined],
    [null, undefined],
    [hushed, 'X'],
    [['b', hushed], 'X'],
    [{ a: { b: hushed } }, 'X'],
    [sealed('a', 'Y'), 'Y'],
  ])('%j: %s', (value, expected) => {
    expect(secretExpression(value)).toBe(expected);
  });
});

describe('a text that repeats a secret of the run', () => {
  const knows = (isUnderReview: boolean): Seals =>
    new Seals(
      (value) => `f(${JSON.stringify(value)})`,
      isUnderReview,
      (value) => value === 'known',
    );

  it('is hidden in an answer, but where the file says it in clear or said it when it was applied', () => {
    expect(knows(false).repeatsSecret('known')).toBe(true);
    expect(knows(false).repeatsSecret('known', secret('known', 'X'), undefined)).toBe(true);
    expect(knows(true).repeatsSecret('known', 'other', 'known')).toBe(false);
    expect(knows(true).answer({ a: ['known', 'other'] }, '!lookup f')).toEqual({
      a: [secret('known', '!lookup f'), 'other'],
    });
  });

  it('is judged member by member, and is neither the name of one nor what is sealed already', () => {
    const holding = new Seals(
      (value) => `f(${JSON.stringify(value)})`,
      false,
      (value) => JSON.stringify(value).includes('known'),
    );
    const said = { knownKey: 'known', host: 'a known host', port: 1 };
    const shown = { knownKey: sealed('known'), host: 'a known host', port: 2 };
    expect(holding.repeatsSecret(shown, said)).toBe(false);
    expect(holding.repeatsSecret({ ...shown, host: 'known' }, said)).toBe(true);
    expect(holding.repeatsSecret({ ...shown, knownElse: 1 }, said)).toBe(true);
  });

  it("is no right guess of a proposal's output", () => {
    expect(knows(false).output('known')).toEqual(sealed('known', '(secret)'));
    expect(knows(true).output('known')).toBe('known');
  });
});
