import { describe, expect, it } from 'vitest';
import { planOf } from './made-up-plan.js';
import { worldOf } from './text-world.js';

/** The effect of a plan is its digest of what would be done: the same for two worlds, or another. */

const effect = (facts: string): string => {
  const world = worldOf(facts.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])));
  return planOf(world).effectDigest ?? '';
};
const changed = `
  want a Shelf {name: A, note: m}
  have a Shelf {name: A, note: "n"}`;

const same: readonly (readonly [string, string, string])[] = [
  [
    'somebody else changed it',
    changed,
    '  want a Shelf {name: A, note: m}\n  have a Shelf {name: A, note: m}\n  read a as {note: "n"}',
  ],
  ['another resource is as it should be', changed, `${changed}\n  want b Shelf {name: B}\n  have b Shelf {name: B}`],
  ['it goes to a server of its own', changed, `${changed}\n  more with {targets: {elsewhere: "https://a.example"}}`],
  [
    'a guard holds it back',
    '  have a Shelf {name: A}',
    '  have a Shelf {name: A}\n  more with {guards: {maxDeletes: 0, maxDeletePercent: 100, allow: []}}',
  ],
  [
    'a new one leaves out a field by another word',
    '  want a Shelf {name: A}\n  find a gone',
    '  want a Shelf {name: A, note: null}\n  find a gone',
  ],
  ['a field that stays has another value', changed, changed.replaceAll('{name: A', '{code: a, name: A')],
];

const other: readonly (readonly [string, string, string])[] = [
  ['another value is sent', changed, changed.replace('note: m', 'note: o')],
  ['another value is written over', changed, changed.replace('note: "n"', 'note: z')],
  ['another field is sent', changed, changed.replace('note: m', 'mode: m, note: "n"')],
  ['a field is cleared', changed, changed.replace('note: m', 'note: null')],
  ['a field goes back to its default', changed.replace(', note: m', ''), changed.replace('note: m', 'note: ""')],
  ['another object is changed', changed, changed.replace('note: "n"}', 'note: "n"} {id: x}')],
  ['another address is changed', changed, changed.replaceAll(' a Shelf', ' b Shelf')],
  ['it is made anew', changed, `${changed}\n  more with {replace: [a]}`],
  [
    'it is deleted',
    changed,
    changed.replace('  want a Shelf {name: A, note: m}', '  want b Shelf {name: B}\n  have b Shelf {name: B}'),
  ],
  ['it is forgotten', '  have a Shelf {name: A}', '  have a Shelf {name: A} {retainOnDelete: true}'],
  ['it is created', '  want a Shelf {name: A}\n  find a gone', '  want a Shelf {name: B}\n  find a gone'],
  [
    'a list has other items',
    '  want a Shelf {name: A, tags: [x]}\n  have a Shelf {name: A}',
    '  want a Shelf {name: A, tags: [x, z]}\n  have a Shelf {name: A}',
  ],
  [
    'a map has another member',
    '  want a Shelf {name: A, labels: {x: "1"}}\n  have a Shelf {name: A}',
    '  want a Shelf {name: A, labels: {x: "2"}}\n  have a Shelf {name: A}',
  ],
  [
    'a secret is another one',
    '  want a Shelf {name: A, pin: "secret:PIN:1"}\n  have a Shelf {name: A}',
    '  want a Shelf {name: A, pin: "secret:PIN:2"}\n  have a Shelf {name: A}',
  ],
  [
    'a value waits for another resource',
    '  want a Shelf {name: A}\n  find a gone\n  want b Shelf {name: B}\n  find b gone\n  want c Card {name: C, shelf: $a.id}\n  find c gone',
    '  want a Shelf {name: A}\n  find a gone\n  want b Shelf {name: B}\n  find b gone\n  want c Card {name: C, shelf: $b.id}\n  find c gone',
  ],
  [
    'an option is another one',
    '  want a Shelf {name: A} {protect: true}\n  have a Shelf {name: A}',
    '  want a Shelf {name: A} {retainOnDelete: true}\n  have a Shelf {name: A}',
  ],
  [
    'a guard is lifted',
    changed,
    `${changed}\n  have b Shelf {name: B}\n  more with {protects: [b], allow: [{guard: "delete:b", reason: old}]}`,
  ],
  [
    'a guard is lifted that held',
    `${changed}\n  have b Shelf {name: B}\n  more with {protects: [b]}`,
    `${changed}\n  have b Shelf {name: B}\n  more with {protects: [b], allow: [{guard: "delete:b", reason: old}]}`,
  ],
  ['an output is another one', `${changed}\n  outputs with {x: one}`, `${changed}\n  outputs with {x: two}`],
  ['an output has another name', `${changed}\n  outputs with {x: one}`, `${changed}\n  outputs with {y: one}`],
  [
    'it goes to another server',
    `${changed}\n  more with {targets: {library: "https://a.example"}}`,
    `${changed}\n  more with {targets: {library: "https://b.example"}}`,
  ],
  ['it is of another stack', changed, `${changed}\n  state with {lineage: other}`],
  [
    'names are exchanged',
    '  want a Shelf {name: B}\n  have a Shelf {name: A}\n  want b Shelf {name: A}\n  have b Shelf {name: B}',
    '  want a Shelf {name: B}\n  have a Shelf {name: A}\n  want b Shelf {name: C}\n  have b Shelf {name: B}',
  ],
  [
    'a delete is forced',
    '  have c Club {name: C}',
    '  have c Club {name: C}\n  more with {allow: [{guard: "force:c", reason: r}]}',
  ],
];

describe('the effect of a plan', () => {
  it.each(same)('is the same where %s', (_where, one, two) => {
    expect(effect(two)).toBe(effect(one));
  });

  it.each(other)('is another one where %s', (_where, one, two) => {
    expect(effect(two)).not.toBe(effect(one));
  });
});
