import { describe, expect, it } from 'vitest';
import type { ActionReason } from '@platform-sync/core/model/plan';
import type { Json } from '@platform-sync/core/model/value';
import type { Change } from '@platform-sync/engine/plan/change';
import type { Step } from '@platform-sync/engine/plan/step';
import { fieldReasons } from '@platform-sync/engine/plan/resource';
import { rule, typeOf } from './made-up-types.js';
import { byAddress, step } from './worlds.js';

/** Why a field is written: for its own sake, or for the sake of what is replaced. */

const book = typeOf('Book');

function change(field: string, kind: 'update' | 'replace', next: Json | undefined, resent = false): Change {
  return {
    rule: rule('Book', field),
    shown: { field, rule: kind, cause: 'config', ...(next === undefined ? {} : { new: next }) },
    wanted: { by: 'nobody' },
    ...(resent ? { resent: true } : {}),
  };
}

const later = (...from: readonly string[]): Json => ({ $unknown: from });
const replaced = (address: string, ...reasons: readonly ActionReason[]): Step => ({
  ...step(address, 'replace'),
  reasons,
});
const because = (path: readonly string[]): ActionReason => ({ kind: 'reference-replaced', field: 'x', path });

describe('the reason of a field', () => {
  it.each<[string, Change, readonly Step[], ActionReason]>([
    ['is its own change', change('title', 'update', 'A'), [], { kind: 'field-changed', field: 'title' }],
    ['is that it is sent again', change('title', 'update', 'A', true), [], { kind: 'resend', field: 'title' }],
    [
      'is that it cannot be changed',
      change('shelfId', 'replace', 'x'),
      [],
      { kind: 'field-forces-replacement', field: 'shelfId' },
    ],
    [
      'is so where it is emptied',
      change('shelfId', 'replace', null),
      [],
      { kind: 'field-forces-replacement', field: 'shelfId' },
    ],
    [
      'is the parent that is replaced',
      change('shelfId', 'replace', later('s.id')),
      [replaced('s')],
      { kind: 'parent-replaced', path: ['s'] },
    ],
    [
      'is what it refers to',
      change('title', 'replace', later('s.id')),
      [replaced('s')],
      { kind: 'reference-replaced', field: 'title', path: ['s'] },
    ],
    [
      'is the one that is replaced, not one that is only changed, or a lookup',
      change('title', 'replace', later('lookup x', 'r.id', 's.id')),
      [step('r', 'update'), replaced('s')],
      { kind: 'reference-replaced', field: 'title', path: ['s'] },
    ],
    [
      'is no other resource where what it waits for is only changed',
      change('title', 'replace', later('r.id')),
      [step('r', 'update')],
      { kind: 'field-forces-replacement', field: 'title' },
    ],
    [
      'leads to what forced the parent: its own parent',
      change('shelfId', 'replace', later('s.id')),
      [replaced('s', { kind: 'parent-replaced', path: ['r', 'q'] })],
      { kind: 'parent-replaced', path: ['s', 'r', 'q'] },
    ],
    [
      'leads to what forced the parent: what that refers to',
      change('shelfId', 'replace', later('s.id')),
      [replaced('s', { kind: 'field-changed', field: 'x' }, because(['r']))],
      { kind: 'parent-replaced', path: ['s', 'r'] },
    ],
    [
      'ends at a parent that is replaced for its own sake',
      change('shelfId', 'replace', later('s.id')),
      [replaced('s', { kind: 'field-forces-replacement', field: 'x' })],
      { kind: 'parent-replaced', path: ['s'] },
    ],
    [
      'is its own change where an update waits for what is replaced',
      change('title', 'update', later('s.id')),
      [replaced('s')],
      { kind: 'field-changed', field: 'title' },
    ],
  ])('%s', (_name, one, done, expected) => {
    expect(fieldReasons([one], book, byAddress(done))).toEqual([expected]);
  });
});
