import { describe, expect, it } from 'vitest';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { ActionReason, FieldChange, Risk, PlanStep } from '@platform-sync/core/model/plan';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import {
  costlyReplacementNotices,
  derivedNotices,
  removedNotices,
  sameNameNotices,
  shownOnceNotices,
} from '@platform-sync/engine/plan/notices';
import type { Step } from '@platform-sync/engine/plan/step';
import { foundObject, listed, planInput, planOf, recordOf, remoteObject, type World } from './made-up-plan.js';
import { rule, typeOf, types } from './made-up-types.js';
import { byAddress, step } from './worlds.js';

/** What a plan says beside its steps. */

const shelf = typeOf('Shelf');
const card = typeOf('Card');
const of = (type: ResourceType, address: string, action: Step['action'], declared = {}): Step => ({
  ...step(address, action, { declared }),
  type,
});

describe('an entry of removed', () => {
  const records = ['a', 'b/c/d'].map((address) => recordOf(address, 'Shelf', { name: address }));
  const told = (removed: readonly string[]): readonly (readonly unknown[])[] =>
    removedNotices(planInput({ records, removed })).map(({ code, severity, summary, hint, address }) => [
      ...[code, severity, address, summary, hint],
    ]);

  it('that something recorded falls under, its own or one below, says nothing', () => {
    expect(told(['a', 'b', 'b/c', 'b/c/d'])).toEqual([]);
    expect(removedNotices(planInput({ records }))).toEqual([]);
  });

  it.each([
    ['nowhere', 'info', 'Once every stack was applied, the entry can go.'],
    ['c/d', 'info', 'Once every stack was applied, the entry can go.'],
    ['b/c/e', 'warning', 'Did you mean b/c/d?'],
  ])('%s, under which nothing falls, is told', (address, severity, hint) => {
    const summary = `removed: nothing is recorded at ${address}, so there is nothing to let go of.`;
    expect(told([address])).toEqual([['removed-nothing', severity, address, summary, hint]]);
  });
});

describe('a replacement for what an object of its own would hold', () => {
  const kept: ResourceType = {
    ...shelf,
    fields: { ...shelf.fields, material: { ...rule('Shelf', 'material'), keptAs: 'library:Card' } },
  };
  const changed = (field: string, kind: FieldChange['rule'] = 'replace'): FieldChange => ({
    ...{ field, rule: kind, cause: 'config', new: 'x' },
  });
  const shown = (address: string, action: PlanStep['action'], more: Partial<PlanStep> = {}): PlanStep => ({
    ...{ address, action, type: shelf.token, fields: [], patch: [], reasons: [], risks: [], dependsOn: [] },
    ...more,
  });
  const noticesOf = (...steps: readonly PlanStep[]) =>
    costlyReplacementNotices(steps, byAddress([of(kept, 'a', 'replace'), of(card, 'c', 'replace')]));
  const why = (path: readonly string[]): ActionReason => ({ kind: 'parent-replaced', path });
  const cascade: Risk = { kind: 'cascades', what: 'its notes' } as Risk;
  const other = { kind: 'replacement' } as unknown as Risk;

  it('is told with what it costs, and the way out', () => {
    const fields = [changed('note', 'update'), changed('name'), changed('material')];
    expect(noticesOf(shown('a', 'replace', { fields }))).toEqual([
      {
        severity: 'warning',
        code: 'costly-replacement',
        summary: 'a is deleted and made again for its material, which also ends: its id and its address on portals.',
        hint: 'To edit it in place, describe it as Card below a, which adopts the one that is there:\nsync plan --out plan.json\nsync fix plan.json',
        address: 'a',
        field: 'material',
      },
    ]);
  });

  it('costs the steps that it forces, and what ends with it', () => {
    const forcing = shown('a', 'replace', { fields: [changed('material')], risks: [other, cascade] });
    const notices = noticesOf(
      forcing,
      shown('b', 'replace', { reasons: [{ kind: 'field-changed', field: 'x' }, why(['a'])] }),
      shown('d', 'replace', { reasons: [why(['e'])] }),
      shown('f', 'update'),
    );
    expect(notices.map(({ summary }) => summary)).toEqual([
      'a is deleted and made again for its material, which also ends: b, its notes.',
    ]);
  });

  it.each<[string, PlanStep]>([
    ['an update', shown('a', 'update', { fields: [changed('material', 'update')] })],
    ['another step that could have been one', shown('a', 'create', { fields: [changed('material')] })],
    [
      'a field that may be changed',
      shown('a', 'replace', { fields: [changed('material', 'update'), changed('name')] }),
    ],
    ['a field that is kept nowhere else', shown('a', 'replace', { fields: [changed('name')] })],
    ['a field that no type has', shown('a', 'replace', { fields: [changed('nonsense')] })],
    ['a step that no other stands for', shown('nobody', 'replace', { fields: [changed('material')] })],
  ])('is not told of %s', (_name, one) => {
    expect(noticesOf(one)).toEqual([]);
  });
});

describe('a new object beside one of the same name', () => {
  const disc: ResourceType = { ...typeOf('Disc'), unique: [] };
  const noticesOf = (steps: readonly Step[], ofType: ResourceType, ...objects: readonly JsonObject[]) => {
    const seen = objects.map((values, at) => remoteObject(`id-${at}`, values));
    const snapshot = { listed: [listed(ofType.name, seen), { ...listed('Card', seen), type: 'nobody' }] };
    const input = { ...planInput({ snapshot }), types: new Map([...types, [ofType.token, ofType]]) };
    return sameNameNotices(input, byAddress(steps));
  };

  it('is told by every name the platform may give it', () => {
    const made = of(disc, 'd', 'create', { name: 'A' });
    expect(noticesOf([made], disc, { name: 'B' }, { name: 'A', edition: 'first' })).toEqual([
      {
        severity: 'warning',
        code: 'same-name',
        summary:
          'd is created beside the object id-1, which nobody manages: both have the same name and edition, and the platform allows that.',
        hint: 'If it is the one that is meant, take it over: sync adopt d id-1',
        address: 'd',
      },
    ]);
  });

  it('is told where it is made again, too: somebody may have put the other in its place', () => {
    const made = { ...of(card, 'c', 'create', { name: 'A' }), recorded: recordOf('c', 'Card', {}) };
    expect(noticesOf([made], card, { name: 'A' }).map(({ code, address }) => [code, address])).toEqual([
      ['same-name', 'c'],
    ]);
  });

  it.each<[string, readonly Step[], ResourceType]>([
    ['taken over', [of(card, 'c', 'adopt', { name: 'A' })], card],
    [
      'of a name that is unique: it waits for the other to end',
      [
        of(shelf, 's', 'create', { name: 'A' }),
        {
          ...of(shelf, 't', 'delete'),
          desired: undefined,
          actual: { identity: { id: 't', scope: {} }, values: { name: 'A' } },
        } as unknown as Step,
      ],
      card,
    ],
  ])('is not told where it is %s', (_name, steps, ofType) => {
    expect(noticesOf(steps, ofType, { name: 'A' })).toEqual([]);
  });
});

describe('the first use of a type that rules made', () => {
  const derived = (name: string): ResourceType => ({ ...typeOf(name), derived: true });
  const noticesOf = (steps: readonly Step[], used: readonly string[] = []) =>
    derivedNotices(
      planInput({ records: used.map((name) => recordOf(name.toLowerCase(), name, {})) }),
      byAddress(steps),
    );

  it('is told once', () => {
    expect(noticesOf([of(derived('Card'), 'a', 'create'), of(derived('Card'), 'b', 'create')])).toEqual([
      {
        severity: 'info',
        code: 'derived-type',
        summary: "This type is derived from the platform's description and not proven: library:Card.",
        hint: 'Look at the first plans and applies with care. What is known of a type: sync schema TYPE',
      },
    ]);
  });

  it('is told of all types at once', () => {
    const [{ summary } = { summary: '' }] = noticesOf([
      of(derived('Tape'), 't', 'create'),
      of(derived('Card'), 'c', 'adopt'),
    ]);
    expect(summary).toBe(
      "These types are derived from the platform's description and not proven: library:Card, library:Tape.",
    );
  });

  it.each<[string, readonly Step[], readonly string[]]>([
    ['of a type that somebody wrote', [of(card, 'c', 'create')], []],
    ['of one that is proven', [of({ ...derived('Card'), proven: true }, 'c', 'create')], []],
    ['where nothing is done', [of(derived('Card'), 'c', 'none')], []],
    ['of a type that the stack has already', [of(derived('Card'), 'c', 'create')], ['Card']],
  ])('is not told %s', (_name, steps, used) => {
    expect(noticesOf(steps, used)).toEqual([]);
  });
});

describe('a secret that the platform shows once', () => {
  const once: ResourceType = { ...shelf, shownOnce: ['door', 'token'] };
  const told = (action: PlanStep['action'], declared: Readonly<Record<string, string>> = {}) =>
    shownOnceNotices(
      { desired: { resources: new Map(), outputs: new Map() } as unknown as DesiredState, types: new Map() },
      [
        {
          ...{ address: 'a', action, type: shelf.token, fields: [], patch: [], reasons: [], risks: [], dependsOn: [] },
        },
      ],
      byAddress([of(once, 'a', 'create', declared)]),
    ).map(({ code, severity, summary, hint }) => [code, severity, /its (\w+)/.exec(summary)?.[1], hint]);
  const token = [
    ...['shown-once', 'warning', 'token'],
    'To have it sent somewhere, name it, outputs: {secret: ${a.token}}, and say where it goes: --output secret=file:/path',
  ];

  it.each(['create', 'replace'] as const)('is told of by a %s, with what one can do', (action) => {
    const door = [
      'shown-once',
      'warning',
      'door',
      'To know it, choose it: door: !env NAME. Or name it, outputs: {secret: ${a.door}}, and say where it goes: --output secret=file:/path',
    ];
    expect(told(action)).toEqual([door, token]);
    expect(told(action, { door: 'oak' })).toEqual([token]);
  });

  it.each(['update', 'delete', 'adopt', 'forget'] as const)('is nothing to %s', (action) => {
    expect(told(action)).toEqual([]);
  });
});

describe('a plan without a record', () => {
  const wanted = { a: { properties: { name: 'A' } }, b: { properties: { name: 'B' } } };
  const found = { a: { kind: 'gone' }, b: { kind: 'gone' } } as const;
  const told = (world: World): readonly (readonly unknown[])[] =>
    planOf({ wanted, found, ...world })
      .notices.filter(({ code }) => code === 'no-record')
      .map(({ severity, summary, hint }) => [severity, summary, hint]);
  const all = 'Nothing is recorded for this stack, so all 2 resources of the catalogue would be new to it';

  it('says that all would be new to it', () => {
    const hint = 'This is normal before a first apply. If the objects exist already, take them over first: sync adopt';
    expect(told({})).toEqual([['info', `${all}.`, hint]]);
  });

  it.each<[string, NonNullable<World['found']>, string]>([
    ['one exists', { ...found, a: foundObject('x', { name: 'A' }) }, 'although the object of 1 exists'],
    [
      'two exist',
      { a: foundObject('x', { name: 'A' }), b: foundObject('y', { name: 'B' }) },
      'although objects of 2 exist',
    ],
  ])('says that %s', (_name, there, although) => {
    const hint = 'Record what exists first: sync adopt';
    expect(told({ found: there })).toEqual([['warning', `${all}, ${although}.`, hint]]);
  });

  it('is of no word where objects are only recorded', () => {
    expect(told({ mode: 'adopt', found: { ...found, a: foundObject('x', { name: 'A' }) } })).toEqual([]);
  });
});
