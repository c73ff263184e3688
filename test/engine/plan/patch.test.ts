import { describe, expect, it } from 'vitest';
import type { PlanStep } from '@platform-sync/core/model/plan';
import { isInOneFile } from '@platform-sync/core/model/resource-type';
import { managedDigest } from '@platform-sync/engine/plan/plan-steps';
import { planOf, planned, remoteObject, seals } from './made-up-plan.js';
import { worldOf } from './text-world.js';

/** A step's changes as a patch (RFC 6902), and where they stand in the files. */

const stepOf = (...facts: readonly string[]): PlanStep => {
  const [step] = planOf(worldOf(facts)).steps;
  if (step === undefined) throw new Error('nothing is planned');
  return step;
};

describe('the patch of a step', () => {
  it.each<[string, readonly string[], readonly object[]]>([
    [
      'adds each field of what is new, in the order of their names, keys in order',
      ['want a Shelf {note: "n", name: A, labels: {b: "2", a: "1"}}', 'find a gone'],
      [
        { op: 'add', path: '/labels', value: { a: '1', b: '2' } },
        { op: 'add', path: '/name', value: 'A' },
        { op: 'add', path: '/note', value: 'n' },
      ],
    ],
    [
      'replaces a value, and adds one where there was none',
      ['want a Shelf {name: B, note: "n"}', 'have a Shelf {name: A}'],
      [
        { op: 'replace', path: '/name', value: 'B' },
        { op: 'add', path: '/note', value: 'n' },
      ],
    ],
    [
      'goes into maps',
      ['want a Shelf {name: A, labels: {x: "2"}}', 'have a Shelf {name: A, labels: {x: "1", y: "1"}}'],
      [
        { op: 'remove', path: '/labels/y' },
        { op: 'replace', path: '/labels/x', value: '2' },
      ],
    ],
    [
      'takes away what is cleared',
      ['want a Shelf {name: A}', 'have a Shelf {name: A, note: "n"}'],
      [{ op: 'remove', path: '/note' }],
    ],
    [
      'takes away all that is deleted',
      ['have a Card {name: A, text: t}'],
      [
        { op: 'remove', path: '/text' },
        { op: 'remove', path: '/name' },
      ],
    ],
  ])('%s', (_what, facts, patch) => {
    expect(stepOf(...facts).patch).toEqual(patch);
  });

  it('takes away numbers and truths, and nothing that holds nothing', () => {
    const { fields } = stepOf('have p Page {shelfId: s, bookId: b, number: 3}');
    expect(fields).toEqual([
      { field: 'shelfId', rule: 'update', cause: 'config', old: 's' },
      { field: 'number', rule: 'update', cause: 'config', old: 3 },
    ]);
    const empty = stepOf('have a Shelf {name: A, note: "", labels: {}, tags: []}');
    expect(empty.fields.map(({ field }) => field)).toEqual(['name']);
  });

  it('writes the slash of a name', () => {
    const { patch } = stepOf('want a Shelf {name: A, labels: {x/z: "1"}}', 'have a Shelf {name: A, labels: {}}');
    expect(patch).toEqual([{ op: 'add', path: '/labels/x~1z', value: '1' }]);
  });

  it('is nothing for what cannot be cleared', () => {
    const { fields, patch } = stepOf('want a Shelf {name: A}', 'have a Shelf {name: A, blueprint: b}');
    expect(fields.map(({ field, cannotClear }) => [field, cannotClear])).toEqual([['blueprint', true]]);
    expect(patch).toEqual([]);
  });
});

describe('where a plan stands in the files', () => {
  const { meta } = planOf(
    worldOf(['want a Shelf {name: B, note: "n"}', 'have a Shelf {name: A}', 'have b Shelf {name: B2}']),
  );

  it('is the place of each resource and of each field that changes; what has left the catalogue has none', () => {
    expect(meta.sources).toEqual({ a: 'catalogue/all.yaml:1:1' });
    expect(meta.fieldSources).toEqual({ a: { name: 'catalogue/all.yaml:2:1', note: 'catalogue/all.yaml:2:1' } });
  });

  it.each([
    ['in one file', '{name: B, note: m}', '{}', true],
    ['in one file, but for what stays', '{name: B, note: "n"}', '{elsewhere: [note]}', true],
    ['in two files', '{name: B, note: m}', '{elsewhere: [note]}', false],
    ['in another file alone', '{name: A, note: m}', '{elsewhere: [note]}', false],
  ])('is known to be %s', (_where, wanted, elsewhere, expected) => {
    const facts = [`want a Shelf ${wanted} {} ${elsewhere}`, 'have a Shelf {name: A, note: "n"}'];
    expect(isInOneFile(planOf(worldOf(facts)).meta, 'a')).toBe(expected);
  });

  it('is the entry that lets go of it for what has left by name', () => {
    const gone = planOf(worldOf(['have b/c Shelf {name: B}', 'more with {removed: [b]}']));
    expect(gone.meta.sources).toEqual({ 'b/c': 'catalogue/all.yaml:1:1' });
  });
});

describe('what must still hold when a step is carried out', () => {
  const digestOf = (...facts: readonly string[]): unknown => {
    const { precondition } = stepOf(...facts);
    return precondition !== undefined && 'digest' in precondition ? precondition.digest : precondition;
  };
  const wanted = 'want a Shelf {name: B, note: "n", labels: {x: "1"}, door: d}';
  const have = (more: string): string => `have a Shelf {name: A, note: "n", labels: {x: "1"}, door: d} {${more}}`;

  it('is that nothing is there, for what is new', () => {
    expect(digestOf('want a Shelf {name: A}', 'find a gone')).toEqual({ exists: false });
  });

  it('is what the file or the record answers for, as it was read', () => {
    const before = digestOf(wanted, have('protect: false'));
    const read = (values: string): unknown => digestOf(wanted, have('protect: false'), `read a as {${values}}`);
    expect(read('note: other')).not.toBe(before);
    expect(read('labels: {x: "1", y: "2"}')).toBe(before);
    expect(read('code: other')).toBe(before);
    expect(read('door: other')).toBe(before);
  });

  it('is nothing of a secret', () => {
    const secret = 'want a Shelf {name: B, pin: "secret:PIN:1"}';
    const other = digestOf(secret, 'have a Shelf {name: A, pin: one}');
    expect(digestOf(secret, 'have a Shelf {name: A, pin: two}')).toBe(other);
    expect(digestOf(secret, 'have a Shelf {name: C, pin: two}')).not.toBe(other);
  });

  it('counts secrets all the same where it leaves the program nowhere', () => {
    const [step] = [
      ...planned(worldOf(['want a Shelf {name: B, pin: one}', 'have a Shelf {name: A, pin: one}'])).steps.values(),
    ];
    if (step === undefined) throw new Error('nothing is planned');
    const digest = (pin: string, of?: 'all' | 'open'): string =>
      managedDigest(step, remoteObject('x', { name: 'A', pin }), seals, of);
    expect(digest('one')).not.toBe(digest('two'));
    expect(digest('one', 'all')).toBe(digest('one'));
    expect(digest('one', 'open')).toBe(digest('two', 'open'));
  });

  it.each([
    ['the file says one', 'want a Shelf {name: B, note: "secret:PIN:1"}', 'have a Shelf {name: A, note: "n"}'],
    [
      'one is recorded',
      'want a Shelf {name: B}',
      'have a Shelf {name: A, note: {$secret: {expression: "!env PIN", fingerprint: x}}} {outputs: {name: A, note: "n"}}',
    ],
  ])('is nothing of an open field where %s', (_where, ...facts) => {
    const read = (note: string): unknown => digestOf(...facts, `read a as {note: ${note}}`);
    expect(read('one')).toBe(read('two'));
  });
});
