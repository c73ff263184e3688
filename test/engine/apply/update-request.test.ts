import { describe, expect, it } from 'vitest';
import { hasAll, isSent, sentValue, unreadInputs, updateRequest } from '@platform-sync/engine/apply/update-request';
import type { FieldRule } from '@platform-sync/core/model/resource-type';
import { secret, unknown, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { defaultOptions, type DesiredResource } from '@platform-sync/core/model/desired';
import type { RecordedResource } from '@platform-sync/core/model/state';
import type { Wanted } from '@platform-sync/core/value/field-comparison';
import { rule, typeOf } from '../plan/made-up-types.js';

/** What of a change goes over the wire. */

const shelf = typeOf('Shelf');
const [note, owner] = [rule('Shelf', 'note'), rule('Shelf', 'owner')];
const actual = { identity: { id: 'a', scope: {} }, values: { name: 'A', note: 'old' } };

describe('what is wanted of a field', () => {
  it.each<[string, FieldRule, Wanted, unknown]>([
    ['a value is sent', note, { by: 'value', value: 'x' }, 'x'],
    ['null clears', note, { by: 'null' }, undefined],
    ['a value of null clears', note, { by: 'value', value: null }, undefined],
    ['null is sent where it says something', owner, { by: 'null' }, null],
    ['so is a value of null', owner, { by: 'value', value: null }, null],
    ['back to the default clears', owner, { by: 'default' }, undefined],
  ])('%s', (_what, field, wanted, expected) => {
    expect(isSent({ wanted })).toBe(true);
    expect(sentValue({ rule: field, wanted })).toBe(expected);
  });

  it.each<[string, Wanted]>([
    ['what stays as it is', { by: 'keeping' }],
    ['what nobody asks for', { by: 'nobody' }],
  ])('%s is not sent', (_what, wanted) => {
    expect(isSent({ wanted })).toBe(false);
  });

  it('makes one request, in the clear', () => {
    const changes = [
      { rule: note, wanted: { by: 'value', value: secret('open', '!env X') } },
      { rule: owner, wanted: { by: 'null' } },
      { rule: rule('Shelf', 'mode'), wanted: { by: 'default' } },
    ] as const;
    expect(updateRequest(changes, actual)).toEqual({
      ...{ identity: actual.identity, actual: actual.values, set: { note: 'open', owner: null }, clear: ['mode'] },
    });
  });
});

it('what no read shows goes along as far as it is known', () => {
  const declared = new Map<string, Parameters<typeof secret>[0]>([
    ['name', 'A'],
    ['door', secret('open', '!env X')],
  ]);
  expect(unreadInputs({ type: shelf, declared }, {})).toEqual({ door: 'open' });
  expect(unreadInputs({ type: shelf, declared: new Map([['door', null]]) }, {})).toEqual({});
  expect(unreadInputs({ type: shelf, declared: new Map([['door', unknown(['a.id'])]]) }, {})).toEqual({});
  expect(unreadInputs({ type: shelf, declared: new Map([['nothing', 'x']]) }, {})).toEqual({});
});

describe('an object is as a change wanted it', () => {
  const has = (set: JsonObject, clear: readonly string[], values: Readonly<Record<string, Json>>): boolean =>
    hasAll(shelf, { identity: actual.identity, actual: {}, set, clear }, { identity: actual.identity, values });

  it.each<[string, JsonObject, readonly string[], JsonObject, boolean]>([
    ['where it has all that was set', { name: 'B', note: 'x' }, [], { name: 'B', note: 'x\n' }, true],
    ['not where one differs', { name: 'B', note: 'x' }, [], { name: 'B', note: 'y' }, false],
    ['whatever became of what is no field', { nothing: 1 }, [], {}, true],
    ['where what was cleared is null', {}, ['note'], { note: null }, true],
    ['where what was cleared is not there', {}, ['note'], {}, true],
    ['not where what was cleared has a value', {}, ['note', 'name'], { name: 'A' }, false],
    ['where null says something, and the default may be anything', {}, ['owner'], { owner: 'nobody' }, true],
    ['not where that alone is so', {}, ['owner', 'note'], { owner: 'nobody', note: 'x' }, false],
  ])('%s', (_where, set, clear, values, expected) => {
    expect(has(set, clear, values)).toBe(expected);
  });
});

it('what no read shows and the file leaves alone goes along where it was sent before', () => {
  const [door, box] = [rule('Shelf', 'door'), { ...note, equality: 'record', hiddenMembers: ['pin', 'key'] } as const];
  const type = { ...shelf, fields: { door, note: box } };
  const declared = new Map<string, Json>([
    ['door', 'open'],
    ['note', { shown: 'a', pin: 'b', key: 'c' }],
  ]);
  const desired = { options: { ...defaultOptions, ignoreChanges: ['door', 'note'] } } as unknown as DesiredResource;
  const sentAfter = (inputs: JsonObject): JsonObject =>
    unreadInputs(
      { type, declared, desired, recorded: { inputs } as unknown as RecordedResource },
      { note: { shown: 'now' } },
    );
  expect(sentAfter({ note: { shown: 'a' } })).toEqual({});
  const sealed = { $secret: { expression: '!env X', fingerprint: 'f' } };
  expect(sentAfter({ door: sealed, note: { pin: sealed } })).toEqual({
    door: 'open',
    note: { shown: 'now', pin: 'b' },
  });
  expect(sentAfter({ note: sealed })).toEqual({ note: { shown: 'now', pin: 'b', key: 'c' } });
});
