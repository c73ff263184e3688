import { describe, expect, it } from 'vitest';
import { secret, unknown, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import {
  compareField,
  compareObject,
  type FieldComparison,
  type ObjectFacts,
} from '@platform-sync/core/value/field-comparison';
import { Seals } from '@platform-sync/core/value/seal';
import { rule, ruleWith, typeOf } from '../plan/made-up-types.js';

const seals = new Seals((value) => `f(${JSON.stringify(value)})`);
const sealed = (value: Json, expression = 'X'): JsonObject => ({
  $secret: { expression, fingerprint: `f(${JSON.stringify(value)})` },
});

interface Case {
  readonly declared?: Readonly<Record<string, Value>>;
  /** Recorded inputs; absent: the object is new to us. */
  readonly inputs?: JsonObject;
  /** The last answer; like `inputs` where nothing is said. */
  readonly outputs?: JsonObject;
  readonly actual?: JsonObject;
  readonly ignored?: readonly string[];
}

const factsOf = ({ declared = {}, inputs, outputs, actual = {}, ignored = [] }: Case): ObjectFacts => ({
  ...{ type: typeOf('Shelf'), declared: new Map(Object.entries(declared)), actual, ignored, seals },
  ...(inputs === undefined ? {} : { recorded: { inputs, outputs: outputs ?? inputs } }),
});

const compare = (field: string, given: Case): FieldComparison => compareField(rule('Shelf', field), factsOf(given));

/** `configured drifted strayed same`, those that hold. */
const verdict = ({ configured, drifted, strayed, same }: FieldComparison): string =>
  [configured && 'configured', drifted && 'drifted', strayed && 'strayed', same && 'same'].filter(Boolean).join(' ');

describe('one field of one object', () => {
  it.each<[string, string, Case, string]>([
    ['nothing anywhere', 'note', { inputs: {} }, 'same'],
    ['as applied', 'note', { declared: { note: 'a' }, inputs: { note: 'a' }, actual: { note: 'a' } }, 'same'],
    ['the file moved', 'note', { declared: { note: 'b' }, inputs: { note: 'a' }, actual: { note: 'a' } }, 'configured'],
    ['the object moved', 'note', { declared: { note: 'a' }, inputs: { note: 'a' }, actual: { note: 'b' } }, 'drifted'],
    ['both', 'note', { declared: { note: 'c' }, inputs: { note: 'a' }, actual: { note: 'b' } }, 'configured drifted'],
    [
      'both, to the same',
      'note',
      { declared: { note: 'b' }, inputs: { note: 'a' }, actual: { note: 'b' } },
      'configured drifted same',
    ],
    [
      'another spelling is none',
      'note',
      { declared: { note: 'a\n' }, inputs: { note: 'a' }, actual: { note: 'a ' } },
      'same',
    ],
    [
      'the platform has its own form',
      'note',
      { declared: { note: 'a' }, inputs: { note: 'a' }, outputs: { note: 'A' }, actual: { note: 'A' } },
      '',
    ],
    [
      'and then somebody changes it',
      'note',
      { declared: { note: 'a' }, inputs: { note: 'a' }, outputs: { note: 'A' }, actual: { note: 'B' } },
      'drifted',
    ],
    [
      'and then back to the file',
      'note',
      { declared: { note: 'a' }, inputs: { note: 'a' }, outputs: { note: 'A' }, actual: { note: 'a' } },
      'drifted same',
    ],
    [
      'nobody declares it, somebody sets it',
      'note',
      { inputs: {}, outputs: { note: null }, actual: { note: 'b' } },
      'strayed same',
    ],
    ['nobody declares it, nobody ever saw it', 'note', { inputs: {}, outputs: {}, actual: { note: 'b' } }, 'same'],
    ['the line leaves the file', 'note', { inputs: { note: 'a' }, actual: { note: 'a' } }, 'configured'],
    [
      'the line leaves the file, and the value is gone',
      'note',
      { inputs: { note: 'a' }, actual: {} },
      'configured drifted same',
    ],
    ['null leaves the file', 'note', { inputs: { note: null }, actual: { note: null } }, 'same'],
    [
      'null leaves the file, and somebody set a value',
      'note',
      { inputs: { note: null }, actual: { note: 'b' } },
      'drifted same',
    ],
    [
      'null comes in',
      'note',
      { declared: { note: null }, inputs: {}, outputs: { note: 'b' }, actual: { note: 'b' } },
      'configured',
    ],
    [
      'null comes in over what was never seen',
      'note',
      { declared: { note: null }, inputs: {}, actual: { note: 'b' } },
      'configured drifted',
    ],
    [
      'null comes in over a value',
      'note',
      { declared: { note: null }, inputs: { note: 'a' }, actual: { note: 'a' } },
      'configured',
    ],
    ['null stays', 'note', { declared: { note: null }, inputs: { note: null }, actual: { note: null } }, 'same'],
    [
      'null stays, and somebody set a value',
      'note',
      { declared: { note: null }, inputs: { note: null }, actual: { note: 'b' } },
      'drifted',
    ],
    [
      'a value after null',
      'note',
      { declared: { note: 'a' }, inputs: { note: null }, actual: { note: null } },
      'configured',
    ],
    [
      'not known yet',
      'note',
      { declared: { note: unknown(['x.id']) }, inputs: { note: 'a' }, actual: { note: 'a' } },
      'configured',
    ],
    [
      'a part is not known yet',
      'tags',
      { declared: { tags: ['a', unknown(['x.id'])] }, inputs: { tags: ['a'] }, actual: { tags: ['a'] } },
      'configured',
    ],
    ['new to us, and as the file says', 'note', { declared: { note: 'a' }, actual: { note: 'a' } }, 'configured same'],
    ['new to us, and nothing there', 'note', { declared: { note: 'a' }, actual: {} }, 'configured'],
    [
      'new to us, and left alone',
      'note',
      { declared: { note: 'c' }, actual: { note: 'b' }, ignored: ['note'] },
      'same',
    ],
    ['new to us, and different', 'note', { declared: { note: 'a' }, actual: { note: 'b' } }, 'configured'],
    ['new to us, and the file is silent', 'note', { actual: { note: 'b' } }, 'same'],
    [
      'left alone',
      'note',
      { declared: { note: 'c' }, inputs: { note: 'a' }, actual: { note: 'b' }, ignored: ['note'] },
      'same',
    ],
    [
      'a label of others comes',
      'labels',
      { declared: { labels: { a: '1' } }, inputs: { labels: { a: '1' } }, actual: { labels: { a: '1', b: '2' } } },
      'strayed same',
    ],
    [
      'a label of others came when nobody looked',
      'labels',
      {
        declared: { labels: { a: '1' } },
        inputs: { labels: { a: '1' } },
        outputs: {},
        actual: { labels: { a: '1', b: '2' } },
      },
      'same',
    ],
    [
      'a foreign label comes',
      'labels',
      {
        declared: { labels: { a: '1' } },
        inputs: { labels: { a: '1' } },
        actual: { labels: { a: '1', 'ops-b': '2' } },
      },
      'same',
    ],
    [
      'a label of ours moves',
      'labels',
      { declared: { labels: { a: '1' } }, inputs: { labels: { a: '1' } }, actual: { labels: { a: '2', b: '2' } } },
      'drifted',
    ],
    [
      'a label of ours leaves the file',
      'labels',
      { declared: { labels: {} }, inputs: { labels: { a: '1' } }, actual: { labels: { a: '1' } } },
      'configured',
    ],
    [
      'what is not read is as it was sent',
      'door',
      { declared: { door: 'a' }, inputs: { door: 'a' }, actual: {} },
      'same',
    ],
    [
      'what is not read, changed in the file',
      'door',
      { declared: { door: 'b' }, inputs: { door: 'a' }, actual: {} },
      'configured',
    ],
    ['what is not read of what is new to us', 'door', { declared: { door: 'a' }, actual: {} }, 'configured same'],
    [
      'what could be read of what is new to us',
      'door',
      { declared: { door: 'a' }, actual: { door: 'b' } },
      'configured',
    ],
    [
      'a secret as applied',
      'note',
      { declared: { note: secret('a', 'X') }, inputs: { note: sealed('a') }, actual: { note: 'a' } },
      'same',
    ],
    [
      'another secret',
      'note',
      { declared: { note: secret('b', 'X') }, inputs: { note: sealed('a') }, actual: { note: 'a' } },
      'configured',
    ],
    ['no secret any more', 'note', { inputs: { note: sealed('a') }, actual: { note: sealed('a') } }, 'configured'],
    [
      'the same in the open',
      'note',
      { declared: { note: 'a' }, inputs: { note: sealed('a') }, actual: { note: 'a' } },
      'same',
    ],
  ])('%s', (_name, field, given, expected) => {
    expect(verdict(compare(field, given))).toBe(expected);
  });
});

describe('what is wanted', () => {
  it.each<[string, string, Case, FieldComparison['wanted']]>([
    ['nobody asks', 'note', { inputs: {} }, { by: 'nobody' }],
    ['nobody asks where null was', 'note', { inputs: { note: null } }, { by: 'nobody' }],
    ['nobody asks where null was, and silence has a default', 'owner', { inputs: { owner: null } }, { by: 'nobody' }],
    ['what is left alone', 'note', { declared: { note: 'a' }, ignored: ['*'] }, { by: 'nobody' }],
    ['a value', 'note', { declared: { note: 'a' }, inputs: {} }, { by: 'value', value: 'a' }],
    ['the null of the platform', 'note', { inputs: { note: 'a' } }, { by: 'null' }],
    ['a default', 'mode', { inputs: { mode: 'open' } }, { by: 'value', value: 'hidden' }],
    [
      'a default by null',
      'mode',
      { declared: { mode: null }, inputs: { mode: 'open' } },
      { by: 'value', value: 'hidden' },
    ],
    [
      'a null with a meaning of its own',
      'owner',
      { declared: { owner: null }, inputs: { owner: 'a' } },
      { by: 'null' },
    ],
    ['not so when the line is gone', 'owner', { inputs: { owner: 'a' } }, { by: 'value', value: 'nobody' }],
    [
      'what follows from others',
      'code',
      { declared: { name: 'AB' }, inputs: { code: 'x' } },
      { by: 'value', value: 'ab' },
    ],
    [
      'what follows from a secret',
      'code',
      { declared: { name: secret('AB', 'X') }, inputs: { code: 'x' } },
      { by: 'value', value: 'ab' },
    ],
    [
      'what follows from what is not known',
      'code',
      { declared: { name: unknown(['x.id']) }, inputs: { code: 'x' } },
      { by: 'keeping' },
    ],
    ['what follows from nothing', 'code', { declared: { name: null }, inputs: { code: 'x' } }, { by: 'keeping' }],
    ['what cannot be asked for', 'blueprint', { inputs: { blueprint: 'x' } }, { by: 'keeping' }],
    [
      'the map without ours',
      'labels',
      { inputs: { labels: { a: '1' } }, actual: { labels: { a: '1', b: '2' } } },
      { by: 'value', value: { b: '2' } },
    ],
    [
      'the map, where all was ours',
      'labels',
      { inputs: { labels: { a: '1' } }, actual: { labels: { a: '1' } } },
      { by: 'null' },
    ],
    ['the map, where there is none', 'labels', { inputs: { labels: { a: '1' } }, actual: {} }, { by: 'null' }],
    [
      'the map, all of it',
      'labels',
      { declared: { labels: null }, actual: { labels: { a: '1', b: '2' } } },
      { by: 'null' },
    ],
    [
      'the map, all but what is foreign',
      'labels',
      { declared: { labels: null }, actual: { labels: { a: '1', 'ops-b': '2' } } },
      { by: 'value', value: { 'ops-b': '2' } },
    ],
    [
      'the map with theirs',
      'labels',
      { declared: { labels: { a: '1' } }, actual: { labels: { b: '2' } } },
      { by: 'value', value: { a: '1', b: '2' } },
    ],
    [
      'a list that is emptied by a part left alone',
      'tags',
      { inputs: { tags: ['a'] }, ignored: ['tags.x'] },
      { by: 'null' },
    ],
  ])('%s', (_name, field, given, expected) => {
    expect(compare(field, given).wanted).toEqual(expected);
  });
});

describe('a null with a meaning of its own, where silence is another', () => {
  const own = ruleWith('text', { nullIsValue: true });
  it.each<[string, Case, FieldComparison['wanted'], string]>([
    ['is given back once the file is silent', { inputs: { field: null } }, { by: 'default' }, 'configured'],
    ['so is a value', { inputs: { field: 'a' }, actual: { field: 'a' } }, { by: 'default' }, 'configured'],
    [
      'is not given back where the file says it',
      { declared: { field: null }, inputs: {} },
      { by: 'null' },
      'configured same',
    ],
    ['nobody asks where it was never said', { inputs: {} }, { by: 'nobody' }, 'same'],
  ])('%s', (_name, given, wanted, expected) => {
    const compared = compareField(own, factsOf(given));
    expect(compared.wanted).toEqual(wanted);
    expect(verdict(compared)).toBe(expected);
  });
});

describe('what an object does not show, and another place may', () => {
  const elsewhere = ruleWith('text', { writeOnly: true, movesWith: 'version' });
  const sent = { declared: { field: 'a' }, inputs: { field: 'a' } };
  it.each<[string, Case, string]>([
    ['is as it was sent, where nobody looked', { ...sent, actual: {} }, 'same'],
    ['is as it was found', { ...sent, actual: { field: 'a' } }, 'same'],
    ['may be found changed', { ...sent, actual: { field: 'b' } }, 'drifted'],
  ])('%s', (_name, given, expected) => {
    expect(verdict(compareField(elsewhere, factsOf(given)))).toBe(expected);
  });
});

describe('a mark', () => {
  const mark = ruleWith('exact', { isMark: true });
  it('that somebody took off or changed is put back, and no drift', () => {
    const given = { declared: { field: 'm' }, inputs: { field: 'm' } };
    for (const actual of [{}, { field: 'n' }])
      expect(verdict(compareField(mark, factsOf({ ...given, actual })))).toBe('configured');
  });
});

describe('every verdict', () => {
  const no = { configured: false, drifted: false, strayed: false, same: false };
  it('is yes or no', () => {
    const applied = { declared: { note: 'a' }, inputs: { note: 'a' }, actual: { note: 'a' } };
    expect(compare('note', applied)).toMatchObject({ ...no, same: true, lastSeen: 'a' });
    expect(compare('blueprint', { inputs: { blueprint: 'a' }, actual: { blueprint: 'a' } })).toMatchObject({
      ...{ ...no, configured: true },
      wanted: { by: 'keeping' },
    });
  });
});

describe('what is shown', () => {
  it.each<[string, string, Case, Json | undefined, Json | undefined]>([
    ['a value', 'note', {}, 'a', 'a'],
    ['in the order of reports', 'tags', {}, ['b', 'a'], ['a', 'b']],
    ['nothing', 'note', {}, undefined, undefined],
    ['null is nothing', 'note', {}, null, undefined],
    ['a secret field', 'pin', {}, '1', sealed('1', 'pin')],
    ['what the file holds as a secret', 'note', { declared: { note: secret('a', 'X') } }, 'b', sealed('b')],
    [
      'what the record holds as one',
      'note',
      { inputs: { note: sealed('a', 'Y') }, outputs: {} },
      'b',
      sealed('b', 'Y'),
    ],
    ['what was answered as one', 'note', { inputs: {}, outputs: { note: sealed('a', 'Z') } }, 'b', sealed('b', 'Z')],
    ['what is sealed already', 'note', {}, sealed('a', 'Q'), sealed('a', 'Q')],
  ])('%s', (_name, field, given, value, expected) => {
    expect(compare(field, given).shown(value)).toEqual(expected);
  });
});

describe('what was seen last', () => {
  it.each<[string, string, Case, Json | undefined]>([
    ['the answer', 'note', { inputs: { note: 'a' }, outputs: { note: 'A' }, actual: { note: 'b' } }, 'A'],
    [
      'the input where nothing was answered',
      'note',
      { inputs: { note: 'a' }, outputs: {}, actual: { note: 'b' } },
      'a',
    ],
    [
      'null, where that was answered',
      'note',
      { inputs: { note: 'a' }, outputs: { note: null }, actual: { note: 'b' } },
      null,
    ],
    ['what is there, of what is new to us', 'note', { actual: { note: 'b' } }, 'b'],
    [
      'the record of what is not read',
      'door',
      { inputs: { door: 'a' }, outputs: { door: 'z' }, actual: { door: 'b' } },
      'a',
    ],
    [
      'what is there, of what is left alone',
      'note',
      { inputs: { note: 'a' }, actual: { note: 'b' }, ignored: ['*'] },
      'b',
    ],
    [
      'foreign keys as they are now',
      'labels',
      { inputs: {}, outputs: { labels: { a: '1', 'ops-x': '1' } }, actual: { labels: { a: '2', 'ops-x': '2' } } },
      { a: '1', 'ops-x': '2' },
    ],
  ])('%s', (_name, field, given, expected) => {
    expect(compare(field, given).lastSeen).toEqual(expected);
  });
});

describe('an object', () => {
  it('has every field that may stand in a file, in the order of the type', () => {
    const fields = compareObject(factsOf({ declared: { note: 'a' }, actual: { note: 'b' }, inputs: { note: 'c' } }));
    const inputs = Object.values(typeOf('Shelf').fields).filter(({ input }) => input);
    expect(fields.map((one) => one.rule)).toEqual(inputs);
    expect(fields.find((one) => one.rule.name === 'note')).toMatchObject({ actual: 'b', recorded: 'c' });
    expect(fields.map((one) => one.own.extent)).toEqual(
      inputs.map(({ equality }) => (equality === 'map' || equality === 'multisets' ? 'some' : 'all')),
    );
  });
});

describe('a record that is secret, of which the file says a part', () => {
  const config = ruleWith('record', { type: 'object', secret: true });
  const file: Json = { minute: 60 };
  const asMade: Json = { minute: 60, policy: 'local' };
  const facts = (
    declared: Value | undefined,
    actual: Json,
    { said, seen }: Record<'said' | 'seen', Json>,
  ): ObjectFacts =>
    factsOf({
      declared: declared === undefined ? {} : { field: declared },
      inputs: { field: sealed(said) },
      outputs: { field: sealed(seen) },
      actual: { field: actual },
    });
  const verdictOf = (...given: Parameters<typeof facts>): string => verdict(compareField(config, facts(...given)));

  it.each<[string, Json, Json, string]>([
    ['as applied', file, asMade, 'same'],
    ['others changed our part', file, { minute: 9, policy: 'local' }, 'drifted'],
    ['others changed what is theirs', file, { minute: 60, policy: 'redis' }, 'drifted same'],
    ['the file moved', { minute: 30 }, asMade, 'configured'],
    ['both', { minute: 30 }, { minute: 9, policy: 'local' }, 'configured drifted'],
  ])('%s', (_name, declared, actual, expected) => {
    expect(verdictOf(declared, actual, { said: file, seen: asMade })).toBe(expected);
  });

  it.each<[string, Json, Json, string]>([
    ['as answered', file, file, 'same'],
    ['the platform completes it later', file, asMade, 'same'],
    ['others changed our part', file, { minute: 9 }, 'drifted'],
    ['others took our part away', file, { policy: 'local' }, 'drifted'],
    ['completed, and the file moved', { minute: 30 }, asMade, 'configured drifted'],
  ])('of which an answer showed what was sent: %s', (_name, declared, actual, expected) => {
    expect(verdictOf(declared, actual, { said: file, seen: file })).toBe(expected);
  });

  it('gives up a member that the file does: nobody knows which it was, so the file has the word for all of it', () => {
    const both = { minute: 60, policy: 'redis' };
    const field = compareField(config, facts(file as Value, both, { said: both, seen: both }));
    expect([verdict(field), field.wanted]).toEqual(['configured', { by: 'value', value: file }]);
  });

  it('is not opened by a file that says less or nothing', () => {
    for (const declared of [undefined, unknown(['x.id']), secret('no', 'Y')])
      expect(verdictOf(declared, asMade, { said: file, seen: file })).toContain('drifted');
  });
});
