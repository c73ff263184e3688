import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { quickNodes, quickValue } from '@platform-sync/catalogue/read/js-yaml-events';
import { NodeValues } from '@platform-sync/catalogue/read/node-values';
import type { YamlNode } from '@platform-sync/catalogue/read/yaml-events';
import { judged, readAsFile, readAsRecorded, withShortcut } from './judged.js';

const cases: readonly (readonly [string, string])[] = [
  ['maps in maps', 'a:\n  b:\n    c: d\n  e: f\ng: h\n'],
  ['any steady indent', 'a:\n   b: 1\n   c:\n       d: 2\n'],
  ['comments and blank lines', '# top\n\na: 1 # one\n  # odd place\n\nb: # two\n\n  # three\n  c: x#y\n# end\n'],
  ['a document start', '---\na: 1\n'],
  ['several documents', 'a: &x 1\n---\nb: 2\n--- # three\n- c\n'],
  ['no line end at the end', 'a: 1'],
  ['a list on top', '- a\n- - b\n  - c\n'],
  ['Windows line ends', 'a: 1\r\nb: |\r\n  x\r\n  y\r\n\r\nc: "d\r\n  e"\r\n'],
  [
    'numbers, words and what only looks like them',
    'a: 12\nb: -3\nc: 007x\nd: 1.2.3\ne: 2026-11-21\nf: True\ng: NULL\nh: 1_000\n',
  ],
  [
    'rare numbers',
    'a: 1.0\nb: 0x1F\nc: 0o17\nd: 12345678901234567890\ne: -0\nf: 1e3\ng: .5\nh: +1\ni: -.inf\nj: .NaN\n',
  ],
  [
    'words with marks in them',
    'a: it\'s [not] a {list}, "really"\nb: http://x/y?z=1&q#f\nc: -dash\nd: a - b\ne: größer 😀\n',
  ],
  ['trailing spaces', 'a: b   \nc:   \n  d:  e \n'],
  ['no value', 'a:\nb:   # none\nc:\n'],
  ['a value that goes on', 'a: b\n  c\n\n  d\ne: "f\n  g"\n'],
  ['keys of every kind', 'platform:Api: 1\na.b/c-d: 2\nnull: 3\n"q: r": 4\n\'s\': 5\n12: 6\ntwo words: 7\n"e\\n": 8\n'],
  ['a key twice', 'a: 1\na: 2\nb: {c: 1, c: 2}\n'],
  ['quotes and escapes', 'a: "x: y # z"\nb: \'C:\\dir\'\nc: ""\nd: "5"\ne: "f\\n\\u00e9\\x41"\ng: \'h\'\'i\'\n'],
  [
    'brackets',
    'a: [x, "y", 2, [z], {k: v}]\nb: {k: v, l: [1, 2], two words: three words}\nc: []\nd: {}\ne: [ spaced , out, ] # yes\n',
  ],
  ['brackets over lines', 'a: [x, # one\n  y,\n\n  # two\n  ]\nb: {c: "d]",\n  e: f}\ng: {"h":1}\n'],
  ['lists', 'a:\n  - x\n  - 2\nb:\n- y\n- k: v\n  l:\n    - deep\n-   k: wide\n    l: 3\nc: end\n'],
  [
    'texts',
    'a: |\n  # no comment\n  two: three\n\n    deeper\n  - end\n\n\nb: |-\n      far in\nc:\n  - |\n    item\n  - x\n',
  ],
  [
    'folded texts and those that keep their end',
    'a: >\n  b\n  c\n\n    d\ne: |+\n  f\n\n\ng: >-\n  h\ni: |2\n   j\n  k\n',
  ],
  ['comments behind the head of a text', 'a: | # b | # c\n  d\ne: !secret > # f\n  g\n'],
  ['a text without lines', 'a: |\nb: 1\n'],
  ['references', 'a: ${b.c}\nd: "${b.c} and ${e}"\nf: |\n  x ${b.c}\ng: $${no}\nh: [1, "${b.c}"]\ni: ${b\n'],
  [
    'tags',
    'a: !file b.md\nc: !env D\ne: !secret 12\nf: !secret "12"\ng: !json {h: !secret i}\nj: !secret |\n  k\nl: !lookup\n  function: m\n',
  ],
  [
    'a tag that stands alone',
    'a: !unset\nb: {c: !unset, d: !unset }\ne:\n  f: !unset   \n  g: !unset # no\nh: !unset ""\ni: !unset\n',
  ],
  ['tags of lists', 'a: !json\n  - !secret b\n  - [!env C, d]\ne: !secret [f]\n- g'.replace('\n- g', '\n')],
  ['functions', 'a:\n  fn::readFile: b.md\nc: {fn::secret: d}\n'],
  [
    'anchors, aliases and merges',
    'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: &y-1 !secret f\ng: !secret &z h\ni: [*x, *y-1 , *z]\n"<<": j\n',
  ],
  ['an alias that leads nowhere', 'a: *x\nb: &c\n  d: *c\n'],
  ['tabs among words', 'a: b\tc # d\n'],
];

describe('YAML is read by events', () => {
  withShortcut(true);

  test.each(cases)('like by the parser of record: %s', (_, text) => {
    const read = quickNodes(text);
    expect(read).toBeDefined();
    expect(read).toEqual(judged(text));
    expect(readAsFile(text)).toEqual(readAsRecorded(text));
  });

  test.each(['a: {b}\n', '? a\n: b\n', 'a: &x.y b\n'])(
    'what was read before a doubt leaves nothing behind: %s',
    (text) => {
      const before = 'c: ${\nd: !secret e\nf: !lookup {function: g}\nh: !file f\ni: 1\ni: 2\n';
      expect(readAsFile(before + text)).toEqual(readAsRecorded(before + text));
    },
  );

  test.each<[string, string]>([
    ['nothing', ''],
    ['only a comment', '# a\n'],
    ['one word', 'a\n'],
    ['an empty document', 'a: 1\n---\n'],
    ['an end of the document', 'a: 1\n...\n'],
    ['what looks like a document start', ' ---\na: 1\n'],
    ['a directive', '%YAML 1.2\n---\na: 1\n'],
    ['old line ends', 'a: 1\rb: 2\r'],
    ['a tab that may be indentation', 'a:\tb\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
    ['an unknown tag', 'a: !foo b\n'],
    ["YAML's own tags", 'a: !!str 1\n'],
    ['a tag in long', 'a: !<!secret> b\n'],
    ['a tag of another kind of value', 'a: !file [b]\n'],
    ['a tag of nothing', 'a: !secret\nb: 1\n'],
    ['a tag of a key', '!secret a: b\n'],
    ['an anchor of nothing', 'a: &x\nb: 1\n'],
    ['an odd anchor', 'a: &x.y b\n'],
    ['an alias with a colon', 'a: &x b\n*x : c\n'],
    ['an empty item', 'a:\n  -\n  - b\n'],
    ['a key in many lines', '? a\n: b\n'],
    ['a list as a key', '[a]: b\n'],
    ['a key longer than a line should be', `${'a'.repeat(1100)}: b\n`],
    ['a key alone in brackets', 'a: {b}\n'],
    ['a pair in a list', 'a: [b: c]\n'],
    ['a text that starts with a blank line', 'a: |\n\n  b\n'],
    ['a text that ends in spaces', 'a: |\n  b\n     \nc: d\n'],
    ['a text with a line too far left', 'a:\n  b: |\n      c\n    d\n'],
    ['a map in a value', 'a: b: c\n'],
    ['an item in a value', 'a: - b\n'],
    ['steps that do not line up', 'a:\n    b: 1\n  c: 2\n'],
    ['an item among keys', 'a: 1\n- b\n'],
    ['a bracket that is open', 'a: [b\n'],
    ['something behind a bracket', 'a: [b] c\n'],
    ['nesting without end', `${'['.repeat(150)}${']'.repeat(150)}\n`],
  ])('or left to it: %s', (_, text) => {
    expect(quickNodes(text)).toBeUndefined();
  });

  test('in all files we have but the broken ones', () => {
    const left = globSync(['fixtures/**/*.{yaml,yml}', 'docs/**/*.{yaml,yml}']).filter((path) => {
      const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
      const read = quickNodes(text);
      if (read !== undefined) expect(read, path).toEqual(judged(text));
      return read === undefined;
    });
    expect(left.length).toBeLessThan(40);
    expect(left.filter((path) => !path.startsWith('fixtures/bad/'))).toEqual([]);
  });
});

/** What nodes of the parser of record mean; undefined for several documents, and what has no value. */
function recorded(text: string): unknown {
  const nodes = judged(text);
  const values = new NodeValues();
  const [node, ...others] = Array.isArray(nodes) ? (nodes as readonly YamlNode[]) : [];
  const value = node !== undefined && others.length === 0 ? values.valueOf(node) : undefined;
  return values.mistake === undefined ? value : undefined;
}

describe('values without places', () => {
  test('are those of the parser of record', () => {
    const files = globSync(['fixtures/**/*.{yaml,yml}', 'docs/**/*.{yaml,yml}']).map((path) =>
      readFileSync(path, 'utf8'),
    );
    const texts = [...cases.map(([, text]) => text), ...files, "a: {'200': x, 404: y, __proto__: z, 0: v}\n"];
    const read = texts.flatMap((text) => {
      const value = quickValue(text);
      if (value !== undefined) expect({ text, value }).toEqual({ text, value: recorded(text) });
      return value === undefined ? [] : [text];
    });
    expect(read.length).toBeGreaterThan(cases.length / 2);
  });

  test.each([
    ['an alias', 'a: &x 1\nb: *x\n'],
    ['a merged map', 'a: {<<: {b: 1}}\n'],
    ['a key twice', 'a: {b: 1, b: 2}\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['a key alone in brackets', 'a: {b}\n'],
    ['a key longer than a line should be', `${'a'.repeat(1100)}: b\n`],
  ])('are none where it takes a second look: %s', (_, text) => {
    expect(quickValue(text)).toBeUndefined();
  });

  test('make no room for keys that are numbers', () => {
    const answers = quickValue('{"200": a, "404": b}\n');
    expect(Object.entries(answers ?? {})).toEqual([
      ['200', 'a'],
      ['404', 'b'],
    ]);
    // How V8 keeps them: a table of those that there are, and not a list up to the largest.
    setFlagsFromString('--allow-natives-syntax');
    const isTable: unknown = new Script('(object) => %HasDictionaryElements(object)').runInThisContext();
    if (typeof isTable !== 'function') throw new Error('no look into V8');
    const assigned: Record<string, string> = {};
    assigned['404'] = 'b';
    expect([isTable(answers), isTable(assigned)]).toEqual([true, false]);
  });
});
