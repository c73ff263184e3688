import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnmoved, needsChange } from '@platform-sync/engine/plan/change';
import { secret, unknown, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { compareField, type ObjectFacts, recordedInput } from '@platform-sync/core/value/field-comparison';
import { Seals } from '@platform-sync/core/value/seal';
import { lawRuns, toTheLast } from './runs.js';
import { ruleWith, types } from '../engine/plan/made-up-types.js';

/** What is left out of a comparison as unmoved is what the comparison would find nothing about. */

const seals = new Seals((value) => `f(${JSON.stringify(value)})`);
const absent = Symbol('absent');

const rules = [
  ...[...types.values()].flatMap((type) => Object.values(type.fields).map((rule) => ({ type, rule }))),
  ...(['exact', 'text', 'document', 'set', 'record', 'map', 'multisets', 'json', 'policy'] as const).flatMap((kind) =>
    [{}, { ownsAllKeys: true }, { nullIsValue: true }].map((more) => {
      const [type] = types.values();
      const rule = ruleWith(kind, more);
      return { type: { ...type, fields: { [rule.name]: rule } } as NonNullable<typeof type>, rule };
    }),
  ),
];

// Few, so that they often meet; each spelt anew, so that none is equal by being the same object.
const jsons: readonly (() => Json)[] = [
  ...[null, '', 'a', 'a\n', '{"a":["1"]}', 0, true].map((value) => () => value),
  ...[() => [], () => ['a'], () => ['a', 'b'], () => ({}), () => ({ a: '1' }), () => ({ a: null })],
  ...[() => ({ a: '1', 'ops-x': 'y' }), () => ({ 'ops-x': 'y', a: '1' }), () => ({ a: ['1'], b: [{ c: 2 }] })],
  () => ({ $secret: { expression: '!env X', fingerprint: 'f("a")' } }),
];
const json = fc.constantFrom(...jsons).map((make) => make());
const lively = fc.constantFrom<Value>(unknown(['x.id']), secret('a', '!env X'), { a: secret('1', '!env X') });
const orAbsent = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | typeof absent> =>
  fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(absent) });
const each = fc.record({
  which: fc.nat(rules.length - 1),
  declared: orAbsent(fc.oneof({ weight: 6, arbitrary: json }, { weight: 1, arbitrary: lively })),
  isAsRecorded: fc.boolean(),
  input: orAbsent(json),
  output: orAbsent(json),
  isAsSeen: fc.boolean(),
  actual: orAbsent(json),
  ignored: fc.subarray(['*', 'value', 'labels', 'labels.a', 'topics.a']),
});

const put = (name: string, value: Json | typeof absent): JsonObject => (value === absent ? {} : { [name]: value });
const again = (value: Json | typeof absent): Json | typeof absent =>
  value === absent ? absent : (structuredClone(value) as Json);

describe('a field that has not moved', () => {
  it('is one about which a comparison finds nothing', () => {
    let unmoved = 0;
    fc.assert(
      fc.property(each, ({ which, declared, isAsRecorded, input, output, isAsSeen, actual, ignored }) => {
        const chosen = rules[which];
        if (chosen === undefined) return;
        const { rule, type } = chosen;
        // No schema of such a field knows a text, which would be a map to one half of the comparison and none to the other.
        if (rule.equality === 'map' && [declared, input, output, actual].some((value) => typeof value === 'string'))
          return;
        const said = isAsRecorded ? again(input) : declared;
        const facts: ObjectFacts = {
          ...{ type, ignored, seals },
          declared: new Map(said === absent ? [] : [[rule.name, said]]),
          recorded: { inputs: put(rule.name, input), outputs: put(rule.name, output) },
          actual: put(rule.name, isAsSeen ? again(output) : actual),
        };
        if (!isUnmoved(rule, facts)) return;
        const field = compareField(rule, facts);
        if (field.own.extent === 'none') return;
        unmoved++;
        expect(needsChange(field)).toBe(false);
        expect(field.strayed).toBe(false);
        const next = recordedInput(rule, facts.declared.get(rule.name), ignored, facts.recorded?.inputs, seals);
        expect(
          next === undefined || field.recorded === undefined
            ? next === field.recorded
            : seals.same(rule, next, field.recorded),
        ).toBe(true);
      }),
      { numRuns: lawRuns(20_000), ...toTheLast },
    );
    expect(unmoved).toBeGreaterThan(100);
  });

  it.each<[string, Value | undefined, Json | undefined]>([
    ['what is not known yet', unknown(['x.id']), null],
    ['a secret', secret('a', '!env X'), 'a'],
    ['a secret in a map', { a: secret('1', '!env X') }, { a: '1' }],
    ['a map with one key more', { a: '1', b: '2' }, { a: '1' }],
    ['a map with one key less', { a: '1' }, { a: '1', b: '2' }],
    ['a key that every object has', { toString: '1' }, { a: '1' }],
    ['a list for a map', ['a'], { 0: 'a' }],
    ['another order of a list', ['a', 'b'], ['b', 'a']],
    ['null where nothing was said', null, undefined],
  ])('%s is compared', (_name, said, input) => {
    const rule = ruleWith('exact');
    const facts: ObjectFacts = {
      ...{ type: { fields: { [rule.name]: rule } } as unknown as ObjectFacts['type'], ignored: [], seals, actual: {} },
      declared: new Map(said === undefined ? [] : [[rule.name, said]]),
      recorded: { inputs: input === undefined ? {} : { [rule.name]: input }, outputs: { [rule.name]: null } },
    };
    expect(isUnmoved(rule, { ...facts, actual: { [rule.name]: null } })).toBe(false);
  });
});
