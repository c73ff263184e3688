import { describe, expect, it } from 'vitest';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { secret, unknown, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import type { Change } from '@platform-sync/engine/plan/change';
import type { Step } from '@platform-sync/engine/plan/step';
import { Claims, finalKeys } from '@platform-sync/engine/plan/claims';
import { heldKey, isWithoutName, keyText, knownInputs, uniqueKeyOf, wantedKeys } from '@platform-sync/engine/plan/keys';
import { rule, typeOf } from './made-up-types.js';

const shelf = typeOf('Shelf');
const page = typeOf('Page');
const named = (type: string, more: Partial<FieldRule>): ResourceType => ({
  ...typeOf(type),
  fields: { ...typeOf(type).fields, name: { ...rule(type, 'name'), ...more } },
});
const sealed = { $secret: { expression: 'X', fingerprint: 'f' } };

describe('the key by which an object is known', () => {
  it.each<[string, readonly string[], readonly (readonly string[])[], readonly string[] | undefined]>([
    ['is unique', ['a'], [['a']], ['a']],
    ['is unique in another order', ['b', 'a'], [['a', 'b']], ['a', 'b']],
    ['is one of several groups', ['a'], [['b'], ['a']], ['a']],
    ['is a part of a group', ['a'], [['a', 'b']], undefined],
    ['is more than a group', ['a', 'b'], [['a']], undefined],
    ['shares a part with a group', ['a', 'b'], [['a', 'c']], undefined],
    ['is not unique', ['a'], [], undefined],
    ['is none', [], [[]], undefined],
  ])('%s', (_name, naturalKey, unique, expected) => {
    expect(uniqueKeyOf({ naturalKey, unique })).toEqual(expected);
  });
});

describe('the text of a key', () => {
  it.each<[string, JsonObject, string | undefined]>([
    ['all parts', { bookId: 'b', number: 1 }, `${page.token} bookId,number ["b",1]`],
    ['a part that is not there', { number: 1 }, `${page.token} bookId,number [null,1]`],
    ['none', {}, undefined],
    ['a sealed part', { bookId: sealed, number: 1 }, undefined],
  ])('%s', (_name, values, expected) => {
    expect(heldKey(page, {}, values)).toBe(expected);
  });

  it('of a part that is not known, or no field, is none', () => {
    expect(keyText(shelf, ['name'], () => undefined)).toBeUndefined();
    expect(keyText(shelf, ['nonsense'], () => 'a')).toBeUndefined();
    expect(keyText(shelf, ['note'], () => 'a\n')).toBe(keyText(shelf, ['note'], () => 'a'));
  });

  it.each<[string, Readonly<Record<string, Value>>, readonly (readonly Json[])[]]>([
    ['declared', { name: 'A' }, [['A', 'a']]],
    ['the platform chooses the code', { name: 'A', code: null }, [['A', 'a']]],
    ['the file chooses it', { name: 'A', code: 'x' }, [['A', 'x']]],
    ['a secret is a value, too', { name: secret('A', 'X'), code: 'x' }, [['A', 'x']]],
    ['a part is not known', { name: unknown(['x.id']), code: 'x' }, []],
    ['a part that follows from it neither', { name: unknown(['x.id']) }, []],
    ['what nobody can foretell is no key', { note: 'n' }, []],
    ['nor is it beside what is known', { name: 5 }, []],
  ])('that an object made of these inputs has: %s', (_name, declared, expected) => {
    const texts = expected.map(([name, code]) => `${shelf.token} code,name ${JSON.stringify([code, name])}`);
    expect(wantedKeys(shelf, new Map(Object.entries(declared)), ['name', 'code'])).toEqual(texts);
  });

  it('may be one of two, the likeliest first', () => {
    const named = { ...shelf, alsoNamed: ({ name }: JsonObject) => ({ code: `${String(name)}-2` }) };
    const keys = wantedKeys(named, new Map([['name', 'A']]), ['code']);
    expect(keys).toEqual([`${shelf.token} code ["a"]`, `${shelf.token} code ["A-2"]`]);
    expect(wantedKeys(named, new Map([['code', 'x']]), ['code'])).toEqual([`${shelf.token} code ["x"]`]);
  });

  it('has nothing for what is left out and nobody makes up', () => {
    const disc = typeOf('Disc');
    const keys = wantedKeys(disc, new Map([['name', 'A']]));
    expect(keys).toEqual([`${disc.token} edition,name [null,"A"]`, `${disc.token} edition,name ["first","A"]`]);
  });

  it.each<[string, ResourceType, JsonObject, boolean]>([
    ['where it has one', named('Sticker', { required: true }), { name: 'A' }, false],
    ['where it has none', named('Sticker', { required: true }), { of: 'x' }, true],
    ['where the platform gives one to whatever comes without', typeOf('Sticker'), { name: 'A' }, true],
    [
      'where the platform shows none but what was given',
      named('Sticker', { alwaysReturned: false }),
      { name: 'A' },
      false,
    ],
    ['where only its place is known', named('Display', { required: true }), { shelfId: 's' }, true],
    ['where one part of it is there', typeOf('Page'), { bookId: 'b', number: 1 }, true],
  ])('is of an object without a name %s', (_name, type, values, expected) => {
    expect(isWithoutName(type, values)).toBe(expected);
  });

  it('is made of inputs that are known and said', () => {
    const declared = new Map<string, Value>([
      ['a', null],
      ['b', unknown(['x.id'])],
      ['c', secret('1', 'X')],
      ['d', false],
    ]);
    expect(knownInputs(declared)).toEqual({ c: '1', d: false });
  });
});

interface Shape {
  readonly type?: string;
  readonly declared?: Readonly<Record<string, Value>>;
  readonly actual?: JsonObject;
  readonly changes?: JsonObject;
  readonly order?: Step['order'];
}

function step(address: string, action: Step['action'], shape: Shape = {}): Step {
  const { type = 'Shelf', declared = {}, actual, changes = {}, order } = shape;
  const made = Object.entries(changes).map(([field, next]): Change => ({
    rule: rule(type, field),
    shown: { field, rule: 'update', cause: 'config', ...(next === null ? {} : { new: next }) },
    wanted: { by: 'value', value: next },
  }));
  return {
    ...{
      address,
      type: typeOf(type),
      action,
      changes: made,
      operations: [],
      reasons: [],
      undeclared: [],
      recordOnly: false,
    },
    declared: new Map(Object.entries(declared)),
    ...(actual === undefined ? {} : { actual: { identity: { id: `id-${address}`, scope: {} }, values: actual } }),
    ...(order === undefined ? {} : { order }),
  };
}

const renamed = (address: string, from: string, to: string): Step =>
  step(address, 'update', { declared: { name: to }, actual: { name: from }, changes: { name: to } });

describe('the keys a resource has in the end', () => {
  const last = (one: Step): readonly string[] => finalKeys(one).map(({ key }) => key.replace(/^\S+ /, ''));
  it.each<[string, Step, readonly string[]]>([
    ['as declared', step('a', 'create', { declared: { name: 'A' } }), ['name ["A"]']],
    ['not known', step('a', 'create', { declared: { name: unknown(['x.id']) } }), []],
    ['nothing said', step('a', 'create'), []],
    ['as it is, where the file is silent', step('a', 'update', { actual: { name: 'A' } }), ['name ["A"]']],
    ['as it will be', step('a', 'update', { actual: { name: 'A' }, changes: { name: 'B' } }), ['name ["B"]']],
    ['none, where it is cleared', step('a', 'update', { actual: { name: 'A' }, changes: { name: null } }), []],
    [
      'null clears it',
      step('a', 'update', { declared: { name: null }, actual: { name: 'A' }, changes: { name: null } }),
      [],
    ],
    ['a new one has nothing of the old', step('a', 'replace', { actual: { name: 'A' } }), []],
    [
      'one key, in whatever order its fields are named twice',
      step('a', 'create', { type: 'Page', declared: { bookId: 'b', number: 1 } }),
      ['bookId,number ["b",1]'],
    ],
    [
      'no group',
      { ...step('a', 'create', { declared: { name: 'A' } }), type: { ...shelf, naturalKey: [] } },
      ['name ["A"]'],
    ],
  ])('%s', (_name, one, expected) => {
    expect(last(one)).toEqual(expected);
  });
});

describe('waiting for a key', () => {
  const waits = (...steps: readonly Step[]) =>
    new Claims(steps).waits.map(({ later, earlier, parking }) =>
      [later, earlier, ...(parking === undefined ? [] : [parking.field, parking.value])].join(' < '),
    );
  const create = (address: string, name: string): Step => step(address, 'create', { declared: { name } });
  const ends = (address: string, name: string): Step => step(address, 'delete', { actual: { name } });
  it.each<[string, readonly Step[], readonly string[]]>([
    ['a create for a delete', [create('a', 'A'), ends('b', 'A')], ['a create < b delete']],
    ['in any order', [ends('b', 'A'), create('a', 'A')], ['a create < b delete']],
    ['not for another key', [create('a', 'A'), ends('b', 'B')], []],
    ['not for another type', [create('a', 'A'), step('b', 'delete', { type: 'Stamp', actual: { name: 'A' } })], []],
    ['not for one that stays', [create('a', 'A'), step('b', 'none', { actual: { name: 'A' } })], []],
    [
      'for one that is renamed, and could step aside',
      [create('a', 'A'), renamed('b', 'A', 'B')],
      ['a create < b update < name < moving-id-b'],
    ],
    [
      'for one that is taken over under another name, and could step aside',
      [create('a', 'A'), { ...renamed('b', 'A', 'B'), action: 'adopt' }],
      ['a create < b adopt < name < moving-id-b'],
    ],
    [
      'one that is taken over',
      [{ ...renamed('a', 'X', 'A'), action: 'adopt' }, ends('b', 'A')],
      ['a adopt < b delete'],
    ],
    [
      'for one that is replaced under another name, which does not step aside',
      [create('a', 'A'), { ...renamed('b', 'A', 'B'), action: 'replace' }],
      ['a create < b delete'],
    ],
    ['nobody who does nothing', [{ ...renamed('a', 'X', 'A'), action: 'none' }, ends('b', 'A')], []],
    ['a renamed one for a delete', [renamed('a', 'X', 'A'), ends('b', 'A')], ['a update < b delete']],
    ['nobody for itself', [renamed('a', 'A', 'A'), ends('b', 'B')], []],
    [
      'nobody for what it has',
      [step('a', 'update', { declared: { name: 'A' }, actual: { name: 'A' } }), ends('b', 'A')],
      [],
    ],
    [
      'for the first half of a replacement',
      [
        create('a', 'A'),
        step('b', 'replace', { declared: { name: 'B' }, actual: { name: 'A' }, order: 'delete-first' }),
      ],
      ['a create < b delete'],
    ],
    [
      'for its last half',
      [
        create('a', 'A'),
        step('b', 'replace', { declared: { name: 'B' }, actual: { name: 'A' }, order: 'create-first' }),
      ],
      ['a create < b delete-old'],
    ],
    [
      'for what becomes another type',
      [
        create('a', 'A'),
        {
          ...step('b', 'replace', { type: 'Page', actual: { name: 'A' }, order: 'delete-first' }),
          was: typeOf('Shelf'),
        },
      ],
      ['a create < b delete'],
    ],
    [
      'a replacement makes its new object later',
      [step('a', 'replace', { declared: { name: 'A' }, actual: { name: 'X' } }), ends('b', 'A')],
      ['a create < b delete'],
    ],
    [
      'an update by another field cannot step aside',
      [
        create('a', 'A'),
        step('b', 'update', { declared: { name: 'A' }, actual: { name: 'A' }, changes: { note: 'n' } }),
      ],
      ['a create < b update'],
    ],
    [
      'nor one that loses its name',
      [create('a', 'A'), step('b', 'update', { actual: { name: 'A' }, changes: { name: null } })],
      ['a create < b update'],
    ],
    [
      'nor one by an id',
      [
        step('a', 'create', { type: 'Book', declared: { shelfId: 's', title: 'T' } }),
        step('b', 'update', {
          type: 'Book',
          declared: { shelfId: 't', title: 'T' },
          actual: { shelfId: 's', title: 'T' },
          changes: { shelfId: 't' },
        }),
      ],
      ['a create < b update'],
    ],
    [
      'nor one by a number',
      [
        step('a', 'create', { type: 'Page', declared: { bookId: 's', number: 1 } }),
        step('b', 'update', {
          type: 'Page',
          declared: { bookId: 's', number: 2 },
          actual: { bookId: 's', number: 1 },
          changes: { number: 2 },
        }),
      ],
      ['a create < b update', 'a create < b update'],
    ],
    [
      'what is adopted takes nothing',
      [step('a', 'adopt', { declared: { name: 'A' }, actual: { name: 'A' } }), ends('b', 'A')],
      [],
    ],
  ])('%s', (_name, steps, expected) => {
    // The natural key is one of the unique groups: the same wait comes twice.
    expect([...new Set(waits(...steps))]).toEqual([...new Set(expected)]);
  });
});

describe('waiting for a name of a derived type, of which nobody knows whether it is unique', () => {
  const derived = (one: Step): Step => ({
    ...one,
    type: { ...one.type, derived: true, unique: [], naturalKey: ['name'] },
  });
  const create = step('a', 'create', { declared: { name: 'A' } });
  const stays = (action: Step['action']): Step =>
    step('b', action, { declared: { name: 'A' }, actual: { name: 'A' }, changes: { note: 'n' } });
  const waits = (...steps: readonly Step[]): readonly string[] =>
    new Claims(steps.map(derived)).waits.map(({ later, earlier, taker, parking }) =>
      [later, earlier, taker, ...(parking === undefined ? [] : [parking.value])].join(' < '),
    );

  it.each<[string, Step, readonly string[]]>([
    ['for one that goes', step('b', 'delete', { actual: { name: 'A' } }), ['a create < b delete < a']],
    ['for one that is renamed', renamed('b', 'A', 'B'), ['a create < b update < a < moving-id-b']],
    ['not for one that is changed and keeps it', stays('update'), []],
    ['not for one that is adopted and keeps it', stays('adopt'), []],
    [
      'for the old object of a replacement, whatever the new one is called',
      step('b', 'replace', { declared: { name: 'A' }, actual: { name: 'A' }, order: 'delete-first' }),
      ['a create < b delete < a'],
    ],
  ])('%s', (_name, holder, expected) => {
    expect(waits(create, holder)).toEqual(expected);
  });

  it('in a ring for the one that steps aside', () => {
    expect(waits(renamed('a', 'A', 'B'), renamed('b', 'B', 'A'))).toEqual([
      'a update < b update < a < moving-id-b',
      'b update < a update < b < moving-id-a',
    ]);
  });
});
