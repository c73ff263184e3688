import { describe, expect, it } from 'vitest';
import type { ActionReason } from '../../../src/engine/model/plan.js';
import type { Json } from '../../../src/engine/model/value.js';
import type { FieldDecision } from '../../../src/engine/plan/diff.js';
import type { Proposal } from '../../../src/engine/plan/proposal.js';
import { fieldReasons } from '../../../src/engine/plan/reasons.js';
import { rule, typeOf } from './made-up-types.js';
import { byAddress, proposal } from './worlds.js';

/** Why a field is written: for its own sake, or for the sake of what is replaced. */

const book = typeOf('Book');

function decision(field: string, kind: 'update' | 'replace', next: Json | undefined, resent = false): FieldDecision {
  return {
    rule: rule('Book', field),
    change: { field, rule: kind, cause: 'config', ...(next === undefined ? {} : { new: next }) },
    wanted: { by: 'nobody' },
    ...(resent ? { resent: true } : {}),
  };
}

const later = (...from: readonly string[]): Json => ({ $unknown: from });
const replaced = (address: string, ...reasons: readonly ActionReason[]): Proposal => ({
  ...proposal(address, 'replace'),
  reasons,
});
const because = (path: readonly string[]): ActionReason => ({ kind: 'reference-replaced', field: 'x', path });

describe('the reason of a field', () => {
  it.each<[string, FieldDecision, readonly Proposal[], ActionReason]>([
    ['is its own change', decision('title', 'update', 'A'), [], { kind: 'field-changed', field: 'title' }],
    ['is that it is sent again', decision('title', 'update', 'A', true), [], { kind: 'resend', field: 'title' }],
    [
      'is that it can not be changed',
      decision('shelfId', 'replace', 'x'),
      [],
      { kind: 'field-forces-replacement', field: 'shelfId' },
    ],
    [
      'is so where it is emptied',
      decision('shelfId', 'replace', null),
      [],
      { kind: 'field-forces-replacement', field: 'shelfId' },
    ],
    [
      'is the parent that is replaced',
      decision('shelfId', 'replace', later('s.id')),
      [replaced('s')],
      { kind: 'parent-replaced', path: ['s'] },
    ],
    [
      'is what it refers to',
      decision('title', 'replace', later('s.id')),
      [replaced('s')],
      { kind: 'reference-replaced', field: 'title', path: ['s'] },
    ],
    [
      'is the one that is replaced, not one that is only changed, or a lookup',
      decision('title', 'replace', later('lookup x', 'r.id', 's.id')),
      [proposal('r', 'update'), replaced('s')],
      { kind: 'reference-replaced', field: 'title', path: ['s'] },
    ],
    [
      'is no other resource where what it waits for is only changed',
      decision('title', 'replace', later('r.id')),
      [proposal('r', 'update')],
      { kind: 'field-forces-replacement', field: 'title' },
    ],
    [
      'leads to what forced the parent: its own parent',
      decision('shelfId', 'replace', later('s.id')),
      [replaced('s', { kind: 'parent-replaced', path: ['r', 'q'] })],
      { kind: 'parent-replaced', path: ['s', 'r', 'q'] },
    ],
    [
      'leads to what forced the parent: what that refers to',
      decision('shelfId', 'replace', later('s.id')),
      [replaced('s', { kind: 'field-changed', field: 'x' }, because(['r']))],
      { kind: 'parent-replaced', path: ['s', 'r'] },
    ],
    [
      'ends at a parent that is replaced for its own sake',
      decision('shelfId', 'replace', later('s.id')),
      [replaced('s', { kind: 'field-forces-replacement', field: 'x' })],
      { kind: 'parent-replaced', path: ['s'] },
    ],
    [
      'is its own change where an update waits for what is replaced',
      decision('title', 'update', later('s.id')),
      [replaced('s')],
      { kind: 'field-changed', field: 'title' },
    ],
  ])('%s', (_name, one, done, expected) => {
    expect(fieldReasons([one], book, byAddress(done))).toEqual([expected]);
  });
});
