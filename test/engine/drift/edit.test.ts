import { describe, expect, it } from 'vitest';
import { withIgnoreRules } from '@platform-sync/catalogue/edit/rules';
import { edited, type Change } from './edited.js';

/** A resource whose property `x` is written like this. */
const file = (lines: string): string =>
  `# head\nresources:\n  pets:\n    properties:\n      a: 1 # first\n${lines}      z: end\n# foot\n`;

describe('one value of a catalogue file', () => {
  it.each<readonly [string, string, Change, string]>([
    ['plain text', '      x: old # why\n', { from: 'old', to: 'new' }, '      x: new # why\n'],
    ['in double quotes', '      x: "old"   # why\n', { from: 'old', to: 'n"w' }, '      x: "n\\"w"   # why\n'],
    ['in single quotes', "      x: 'old'\n", { from: 'old', to: "it's" }, "      x: 'it''s'\n"],
    ['text that looks like a number', '      x: old\n', { from: 'old', to: '1.0' }, '      x: "1.0"\n'],
    ['text with a colon', '      x: old\n', { from: 'old', to: 'a: b' }, '      x: "a: b"\n'],
    ['text with a comment sign', '      x: old\n', { from: 'old', to: 'a #b' }, '      x: "a #b"\n'],
    [
      'text that looks like a reference',
      '      x: old\n',
      { from: 'old', to: '${pets.id}' },
      '      x: "$${pets.id}"\n',
    ],
    ['a number', '      x: 3\n', { from: 3, to: 4 }, '      x: 4\n'],
    ['true', '      x: true # on\n', { from: true, to: false }, '      x: false # on\n'],
    [
      'a block text',
      '      x: | # why\n        one\n\n        two\n\n',
      { from: 'one\n\ntwo\n', to: 'one\n\nthree\n' },
      '      x: | # why\n        one\n\n        three\n\n',
    ],
    [
      'a block text of another indent',
      '      x: |-\n          one\n          two\n',
      { from: 'one\ntwo', to: 'one\n  deeper\ntwo' },
      '      x: |-\n          one\n            deeper\n          two\n',
    ],
    [
      'plain text that becomes long',
      '      x: old # why\n',
      { from: 'old', to: 'one\ntwo\n' },
      '      x: | # why\n        one\n        two\n',
    ],
    [
      'a list below its key, in another order, with what is written above and beside its items',
      '      x: # why\n        - b # about b\n        # above c\n        - c\n        - "d"\n',
      { from: ['b', 'c', 'd'], to: ['d', 'c', 'e', 'b'] },
      '      x: # why\n        - "d"\n        # above c\n        - c\n        - e\n        - b # about b\n',
    ],
    [
      'all of a list below its key',
      '      x: # why\n      - b\n      - c\n',
      { from: ['b', 'c'], to: ['d'] },
      '      x: # why\n      - d\n',
    ],
    ['nothing of a list below its key', '      x:\n        - b\n', { from: ['b'], to: [] }, '      x: []\n'],
    [
      'text in place of a list below its key',
      '      x: # why\n        - b # b\n',
      { from: ['b'], to: 'one\ntwo\n' },
      '      x: | # why\n        one\n        two\n',
    ],
    [
      'an item that is a map below its dash',
      '      x:\n        - b: 1 # one\n          c: 2\n        - b: 3\n',
      {
        from: [{ b: 1, c: 2 }, { b: 3 }],
        to: [
          { b: 1, c: 2 },
          { b: 4, d: ['e'] },
        ],
      },
      '      x:\n        - b: 1 # one\n          c: 2\n        - b: 4\n          d: [e]\n',
    ],
    [
      'a new list in a file that has its lists below their keys',
      '      y:\n        - b\n      x:\n',
      { from: null, to: ['c', 'd'] },
      '      y:\n        - b\n      x:\n        - c\n        - d\n',
    ],
    [
      'a new list in a file that has its lists on one line',
      '      y: [b]\n      x:\n',
      { from: null, to: ['c', 'd'] },
      '      y: [b]\n      x: [c, d]\n',
    ],
    ['nothing', '      x:\n', { from: null, to: 'new' }, '      x: new\n'],
    ['nothing, with a comment', '      x: # why\n', { from: null, to: 'new' }, '      x: new # why\n'],
    [
      'an entry of a map',
      '      x:\n        # about b\n        b: 1\n        c: 2 # two\n',
      { from: { b: 1, c: 2 }, to: { b: 1, c: 3 } },
      '      x:\n        # about b\n        b: 1\n        c: 3 # two\n',
    ],
    [
      'entries that come and go',
      '      x:\n        b: 1 # b\n        c: 2\n        # end of x\n',
      { from: { b: 1, c: 2 }, to: { b: 1, d: 'new' } },
      '      x:\n        b: 1 # b\n        d: new\n        # end of x\n',
    ],
    [
      'a map in braces',
      '      x: { b: 1, c: two } # why\n',
      { from: { b: 1, c: 'two' }, to: { b: 1, c: 'x' } },
      '      x: { b: 1, c: x } # why\n',
    ],
    ['the first in braces', '      x: {b: 1, c: 2}\n', { from: { b: 1, c: 2 }, to: { c: 2 } }, '      x: {c: 2}\n'],
    ['the last in braces', '      x: {b: 1, c: 2}\n', { from: { b: 1, c: 2 }, to: { b: 1 } }, '      x: {b: 1}\n'],
    [
      'all in braces',
      '      x: {b: 1, c: 2}\n',
      { from: { b: 1, c: 2 }, to: { d: 3, e: 4 } },
      '      x: {d: 3, e: 4}\n',
    ],
    [
      'one out, one in',
      '      x: {b: 1, c: 2}\n',
      { from: { b: 1, c: 2 }, to: { b: 1, d: 3 } },
      '      x: {b: 1, d: 3}\n',
    ],
    [
      'braces over several lines',
      '      x: {\n        b: 1,\n        c: 2, # two\n      }\n',
      { from: { b: 1, c: 2 }, to: { b: 1, c: 2, d: 3 } },
      '      x: {\n        b: 1,\n        c: 2,\n        d: 3, # two\n      }\n',
    ],
    [
      'items of a list',
      '      x:\n        - b # about b\n        - c\n',
      { from: ['b', 'c'], to: ['b', 'd'] },
      '      x:\n        - b # about b\n        - d\n',
    ],
    ['items in brackets', '      x: [b, c] # why\n', { from: ['b', 'c'], to: ['c', 'd'] }, '      x: [c, d] # why\n'],
    ['an order that counts', '      x: [b, c]\n', { from: ['b', 'c'], to: ['c', 'b'] }, '      x: [c, b]\n'],
    [
      'an order that does not',
      '      x: [b, c]\n',
      { from: ['b', 'c'], to: ['d', 'b'], ordered: false },
      '      x: [b, d]\n',
    ],
    ['a value that goes', '      x: old # why\n', { from: 'old' }, ''],
    ['a block that goes', '      x: |\n        one\n\n        two\n', { from: 'one\n\ntwo\n' }, ''],
    ['JSON as text', `      x: '{"b":["c"]}'\n`, { from: '{"b":["c"]}', to: { b: ['d'] } }, `      x: '{"b":["d"]}'\n`],
  ])('is replaced in place: %s', (_name, before, change, after) => {
    expect(edited(file(before), change)).toBe(file(after));
  });

  it('that was not there stands at the end', () => {
    expect(edited(file(''), { to: 'new' })).toBe(file('').replace('z: end\n', 'z: end\n      x: new\n'));
  });

  it.each([
    [
      'without properties',
      'resources:\n  pets:\n    type: t\n',
      'resources:\n  pets:\n    type: t\n    properties:\n      x: new\n',
    ],
    [
      'with empty properties',
      'resources:\n  pets:\n    properties: {}\n    type: t\n',
      'resources:\n  pets:\n    properties: {x: new}\n    type: t\n',
    ],
    [
      'with nothing under properties',
      'resources:\n  pets:\n    properties: # none\n    type: t\n',
      'resources:\n  pets:\n    properties: # none\n      x: new\n    type: t\n',
    ],
    [
      'in JSON',
      '{"resources":{"pets":{"type":"t"}}}',
      '{"resources":{"pets":{"type":"t", "properties": {"x": "new"}}}}',
    ],
    [
      'at the end of a file without a line end',
      'resources:\n  pets:\n    type: t',
      'resources:\n  pets:\n    type: t\n    properties:\n      x: new',
    ],
  ])('is added to a resource %s', (_name, before, after) => {
    expect(edited(before, { to: 'new' })).toBe(after);
  });

  it('of a child is found below its parents', () => {
    const text = (value: string): string =>
      `resources:\n  pets:\n    children:\n      guide:\n        children:\n          deep: {properties: {x: ${value}}}\n`;
    expect(edited(text('1'), { address: 'pets/guide/deep', from: 1, to: 2 })).toBe(text('2'));
  });

  it('keeps the line ends of the file', () => {
    const text = file('      x: old\n').replaceAll('\n', '\r\n');
    expect(edited(text, { from: 'old', to: 'one\ntwo\n' })).toBe(
      file('      x: |\n        one\n        two\n').replaceAll('\n', '\r\n'),
    );
  });

  it.each([
    ['!env NAME', 'is a secret'],
    ['{fn::env: NAME}', 'is a secret'],
    ['!secret old', 'is a secret'],
    ['${cats.id}', 'is a reference'],
    ['"about ${cats.name}"', 'is a reference'],
    ['!lookup {function: f}', 'is a lookup'],
    ['!json {a: 1}', 'is computed'],
    ['{fn::join: [",", [a]]}', 'is computed'],
    ['!file data.yaml#/title', 'is a part of a data file'],
  ])('is left where it is computed: %s', (written, why) => {
    expect(edited(file(`      x: ${written}\n`), { from: 'old', to: 'new' })).toBe(`fixed: ${why}`);
  });

  it.each(['!file docs/a.md', '{fn::readFile: docs/a.md}'])('leads to the file it is read from: %s', (written) => {
    expect(edited(file(`      x: ${written}\n`), { from: 'old', to: 'new' })).toBe('file docs/a.md');
  });

  it('is left where a part of it that would change is a reference, and only then', () => {
    const text = (tier: string): string => file(`      x: {team: "\${cats.name}", tier: ${tier}}\n`);
    const from = { team: 'a', tier: 'b' };
    expect(edited(text('b'), { from, to: { team: 'a', tier: 'c' } })).toBe(text('c'));
    expect(edited(text('b'), { from, to: { team: 'x', tier: 'b' } })).toBe('fixed: is a reference at team');
  });

  it('is left in a block that is shared', () => {
    const text = 'base: &base {properties: {x: 1}}\nresources:\n  pets: *base\n';
    expect(edited(text, { from: 1, to: 2 })).toBe('fixed: stands in a block that is shared or merged');
  });
});

describe('rules of sync.yaml', () => {
  const rule = { address: 'pets/guide', field: 'labels.team', reason: 'ticket 42: agreed', until: '2030-01-31' };
  const written = '{address: pets/guide, field: labels.team, reason: "ticket 42: agreed", until: "2030-01-31"}';

  it.each([
    ['no drift block', 'project: a # name\n', `project: a # name\ndrift:\n  ignore:\n    - ${written}\n`],
    [
      'an empty drift block',
      'drift: # later\nproject: a\n',
      `drift: # later\n  ignore:\n    - ${written}\nproject: a\n`,
    ],
    [
      'other settings',
      'drift:\n  format: slack # so\nproject: a\n',
      `drift:\n  format: slack # so\n  ignore:\n    - ${written}\nproject: a\n`,
    ],
    ['an empty list', 'drift:\n  ignore: []\nproject: a\n', `drift:\n  ignore: [${written}]\nproject: a\n`],
    [
      'rules',
      'drift:\n  ignore:\n    - {address: x, reason: y} # why\nproject: a\n',
      `drift:\n  ignore:\n    - {address: x, reason: y} # why\n    - ${written}\nproject: a\n`,
    ],
    [
      'the same rule, run out',
      'drift:\n  ignore:\n    - address: pets/guide # the guide\n      field: labels.team\n      reason: old\n      until: "2020-01-31"\nproject: a\n',
      'drift:\n  ignore:\n    - address: pets/guide # the guide\n      field: labels.team\n      reason: "ticket 42: agreed"\n      until: "2030-01-31"\nproject: a\n',
    ],
    [
      'a list of the stack',
      'project: a\nstacks:\n  prod: {drift: {ignore: [{address: x, reason: y}]}}\n',
      `project: a\nstacks:\n  prod: {drift: {ignore: [{address: x, reason: y}, ${written}]}}\n`,
    ],
  ])('are added where there is %s', (_name, before, after) => {
    expect(withIgnoreRules(before, 'prod', [rule])).toBe(after);
  });

  it('are not added to a list that is shared', () => {
    expect(withIgnoreRules('a: &a [{address: x, reason: y}]\ndrift: {ignore: *a}\n', 'prod', [rule])).toBeUndefined();
  });
});
