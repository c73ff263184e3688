import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
  [
    'what cannot be cleared stays, whatever it is',
    '  want a Shelf {name: A, note: m}\n  have a Shelf {name: A, note: "n", blueprint: x}',
    '  want a Shelf {name: A, note: m}\n  have a Shelf {name: A, note: "n", blueprint: z}',
  ],
  [
    'what is never shown stays as it is, of a type that takes single fields',
    '  want a Shelf {name: A, note: m, door: x}\n  have a Shelf {name: A, note: "n", door: x}',
    '  want a Shelf {name: A, note: m, door: z}\n  have a Shelf {name: A, note: "n", door: z}',
  ],
  [
    'what is written whole is as it should be, whatever its key',
    `${changed}\n  want t Ticket {name: T, key: x}\n  have t Ticket {name: T, key: x}`,
    `${changed}\n  want t Ticket {name: T, key: z}\n  have t Ticket {name: T, key: z}`,
  ],
  [
    'what is written whole is adopted as it is, whatever its key',
    '  want t Ticket {name: T, key: x}\n  find t x {name: T}',
    '  want t Ticket {name: T, key: z}\n  find t x {name: T}',
  ],
  [
    'it is gone and made again, whichever it was',
    '  want a Shelf {name: A}\n  have a Shelf {name: A} {id: x}\n  read a gone',
    '  want a Shelf {name: A}\n  have a Shelf {name: A} {id: z}\n  read a gone',
  ],
  [
    'a stranger is adopted as it is, whatever else it holds',
    '  want a Shelf {name: A}\n  find a x {name: A, note: "n"}',
    '  want a Shelf {name: A}\n  find a x {name: A, note: z}',
  ],
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
    'names are exchanged by way of another one',
    '  want a Shelf {name: B}\n  have a Shelf {name: A}\n  want b Shelf {name: A}\n  have b Shelf {name: B}',
    '  want a Shelf {name: B, note: "n"}\n  have a Shelf {name: A}\n  want b Shelf {name: A}\n  have b Shelf {name: B}',
  ],
  [
    'another object is forgotten',
    '  have a Shelf {name: A} {id: x}\n  read a gone',
    '  have a Shelf {name: A} {id: z}\n  read a gone',
  ],
  [
    'a null that is a value is sent',
    '  want a Shelf {name: A}\n  find a gone',
    '  want a Shelf {name: A, owner: null}\n  find a gone',
  ],
  [
    'an update writes a null that is a value',
    '  want a Shelf {name: A, owner: me}\n  have a Shelf {name: A, owner: you}',
    '  want a Shelf {name: A, owner: null}\n  have a Shelf {name: A, owner: you}',
  ],
  [
    'what takes its place is another one',
    '  want a Shelf {name: A, material: oak, note: m}\n  have a Shelf {name: A, material: pine, note: m}',
    '  want a Shelf {name: A, material: oak, note: o}\n  have a Shelf {name: A, material: pine, note: o}',
  ],
  [
    'another value is written into a stranger that is adopted',
    '  want a Shelf {name: A, note: m}\n  find a x {name: A, note: "n"}',
    '  want a Shelf {name: A, note: o}\n  find a x {name: A, note: "n"}',
  ],
  [
    'what is written whole repeats another key',
    '  want t Ticket {name: T, text: m, key: x}\n  have t Ticket {name: T, text: "n", key: x}',
    '  want t Ticket {name: T, text: m, key: z}\n  have t Ticket {name: T, text: "n", key: z}',
  ],
  [
    'a secret in a map is another one',
    '  want a Shelf {name: A, labels: {x: "secret:PIN:1"}}\n  have a Shelf {name: A}',
    '  want a Shelf {name: A, labels: {x: "secret:PIN:2"}}\n  have a Shelf {name: A}',
  ],
  [
    'a map holds what waits for another resource',
    '  want a Shelf {name: A}\n  find a gone\n  want b Shelf {name: B}\n  find b gone\n  want c Shelf {name: C, labels: {x: $a.id}}\n  find c gone',
    '  want a Shelf {name: A}\n  find a gone\n  want b Shelf {name: B}\n  find b gone\n  want c Shelf {name: C, labels: {x: $b.id}}\n  find c gone',
  ],
  [
    'a secret waits for another resource',
    '  want a Shelf {name: A}\n  find a gone\n  want b Shelf {name: B}\n  find b gone\n  want c Shelf {name: C, labels: {x: "secret:PIN:${a.id}"}}\n  find c gone',
    '  want a Shelf {name: A}\n  find a gone\n  want b Shelf {name: B}\n  find b gone\n  want c Shelf {name: C, labels: {x: "secret:PIN:${b.id}"}}\n  find c gone',
  ],
  [
    'what is done first comes later by its name',
    '  want z Shelf {name: Z}\n  find z gone\n  want c Card {name: C, shelf: $z.id}\n  find c gone',
    '  want z Shelf {name: Z, note: "n"}\n  find z gone\n  want c Card {name: C, shelf: $z.id}\n  find c gone',
  ],
  [
    'two guards are lifted',
    `${changed}\n  have b Shelf {name: B}\n  more with {protects: [b], allow: [{guard: "delete:b", reason: old}]}`,
    `${changed}\n  have d Club {name: D}\n  have b Shelf {name: B}\n  more with {protects: [b, d], allow: [{guard: "force:d", reason: old}, {guard: "delete:b", reason: old}, {guard: "delete:d", reason: old}]}`,
  ],
  [
    'more ends along',
    '  have a Shelf {name: A}\n  list Note {objects: [{id: x, shelfId: id-a, text: t}]}',
    '  have a Shelf {name: A}\n  list Note {objects: [{id: x, shelfId: id-a, text: t}, {id: y, shelfId: id-a, text: t}]}',
  ],
  [
    'an output is another secret',
    `${changed}\n  outputs with {x: "secret:PIN:1"}`,
    `${changed}\n  outputs with {x: "secret:PIN:2"}`,
  ],
  [
    'an output has another member',
    `${changed}\n  outputs with {x: {a: ["one"]}}`,
    `${changed}\n  outputs with {x: {a: ["two"]}}`,
  ],
  [
    'a delete is forced',
    '  have c Club {name: C}',
    '  have c Club {name: C}\n  more with {allow: [{guard: "force:c", reason: r}]}',
  ],
];

/** An approval names an effect: `UPDATE_WORLDS=1` records them anew, and none that was given holds any longer. */
const record = fileURLToPath(new URL('effects.txt', import.meta.url));

describe('the effect of a plan', () => {
  it('is the one of earlier versions', () => {
    const lines = [...same, ...other].map(
      (row) =>
        `${row[0]}: ${row
          .slice(1)
          .map((facts) => effect(facts).slice(0, 12))
          .join(' ')}\n`,
    );
    if (process.env['UPDATE_WORLDS'] === '1') writeFileSync(record, lines.join(''));
    expect(lines.join('')).toBe(readFileSync(record, 'utf8'));
  });

  it.each(same)('is the same where %s', (_where, one, two) => {
    expect(effect(two)).toBe(effect(one));
  });

  it.each(other)('is another one where %s', (_where, one, two) => {
    expect(effect(two)).not.toBe(effect(one));
  });
});
