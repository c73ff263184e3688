import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import type { BuildContext } from '../../../src/engine/catalogue/build-context.js';
import { DataFiles } from '../../../src/engine/catalogue/data-files.js';
import { readPlainYaml } from '../../../src/engine/catalogue/plain-yaml.js';
import { Problems } from '../../../src/engine/catalogue/problems.js';
import { ProjectFiles } from '../../../src/engine/catalogue/read-text.js';
import { SourceFiles } from '../../../src/engine/catalogue/source-files.js';
import { parseDocuments } from '../../../src/engine/catalogue/yaml-documents.js';
import type { Expression } from '../../../src/engine/model/expression.js';
import { lawRuns } from '../../laws/runs.js';

const file = 'a.yaml';

function contextOf(text: string): BuildContext {
  const sources = new SourceFiles();
  sources.add(file, text);
  const data = new DataFiles(new ProjectFiles('/nowhere'));
  return { problems: new Problems(), sources, data, env: {}, broken: new WeakSet(), lookups: [] };
}

function plain(text: string): Expression | undefined {
  const context = contextOf(text);
  const read = readPlainYaml(file, text, context);
  // It never tells a problem, and never leaves anything behind: the full reader may follow.
  expect(context.problems.isEmpty).toBe(true);
  return read;
}

/** What the full parser makes of it; a text with problems is told apart from any without. */
function full(text: string): unknown {
  const context = contextOf(text);
  const documents = parseDocuments(file, text, context);
  return context.problems.isEmpty ? documents : 'problems';
}

describe('plain YAML', () => {
  test.each<[string, string]>([
    ['maps in maps', 'a:\n  b:\n    c: d\n  e: f\ng: h\n'],
    ['any steady indent', 'a:\n   b: 1\n   c:\n       d: 2\n'],
    [
      'comments and blank lines anywhere',
      '# top\n\na: 1 # one\n  # odd place\n\nb: # two\n\n  # three\n  c: x#y\n# end\n',
    ],
    ['a document start', '---\na: 1\n'],
    [
      'numbers, words and what only looks like them',
      'a: 12\nb: -3\nc: 0\nd: 007x\ne: 1.2.3\nf: 2026-11-21\ng: True\nh: NULL\ni: nullable\nj: 1_000\nk: 12:30\n',
    ],
    [
      'words with marks in them',
      'a: it\'s [not] a {list}, "really"\nb: http://x/y?z=1&q#f\nc: -dash\nd: .hidden/file\ne: a - b\nf: (in brackets)\ng: größer\n',
    ],
    ['trailing spaces', 'a: b   \nc:   \n  d:  e \n'],
    ['keys with colons, dots and slashes', 'platform:Api: 1\na.b/c-d: 2\nnull: 3\n'],
    ['quotes', 'a: "x: y # z"\nb: \'C:\\dir\'\nc: ""\nd: "5"\n'],
    [
      'brackets',
      'a: [x, "y", 2, [z], {k: v}]\nb: {k: v, l: [1, 2], two words: three words}\nc: []\nd: {}\ne: [ spaced , out ] # yes\n',
    ],
    ['lists', 'a:\n  - x\n  - 2\nb:\n- y\n- k: v\n  l:\n    - deep\n-   k: wide\n    l: 3\nc: end\n'],
    [
      'texts',
      'a: |\n  # no comment\n  two: three\n\n    deeper\n  - end\n\n\nb: |-\n      far in\nc:\n  - |\n    item\n  - x\n',
    ],
    ['references', 'a: ${b.c}\nd: "${b.c} and ${e}"\nf: |\n  x ${b.c}\ng: $${no}\nh: [1, "${b.c}"]\n'],
  ])('is read like by the full parser: %s', (_, text) => {
    const read = plain(text);
    expect(read).toBeDefined();
    expect([read]).toEqual(full(text));
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['only a comment', '# a\n'],
    ['no line end at the end', 'a: 1'],
    ['a list on top', '- a\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['an end of the document', 'a: 1\n...\n'],
    ['a directive', '%YAML 1.2\n---\na: 1\n'],
    ['Windows line ends', 'a: 1\r\nb: 2\r\n'],
    ['tabs', 'a:\tb\n'],
    ['a byte order mark', '\ufeffa: 1\n'],
    ['a key twice', 'a: 1\nb: 2\na: 3\n'],
    ['a key twice in brackets', 'a: {b: 1, b: 2}\n'],
    ['an anchor', 'a: &x 1\nb: 2\n'],
    ['an alias', 'a: *x\n'],
    ['a merge', '<<: {a: 1}\n'],
    ['a tag', 'a: !file b.md\n'],
    ['a function', 'a:\n  fn::readFile: b.md\n'],
    ['no value', 'a:\nb: 1\n'],
    ['a value that goes on', 'a: b\n  c\n'],
    ['a quoted value that goes on', 'a: "b\n  c"\n'],
    ['a map that goes on in brackets', 'a: {b: 1,\n  c: 2}\n'],
    ['escapes', 'a: "b\\n"\n'],
    ['a doubled quote', "a: 'b''c'\n"],
    ['a quoted key', '"a": 1\n'],
    ['a folded text', 'a: >\n  b\n'],
    ['a text that keeps its end', 'a: |+\n  b\n\n'],
    ['a text with an indent of its own', 'a: |2\n    b\n'],
    ['a text that starts with a blank line', 'a: |\n\n  b\n'],
    ['a text without lines', 'a: |\nb: 1\n'],
    ['a text with a line of spaces', 'a: |\n  b\n     \n  c\n'],
    ['a text with a line too far left', 'a:\n  b: |\n      c\n    d\n'],
    ['a float', 'a: 1.0\n'],
    ['a hexadecimal number', 'a: 0x1F\n'],
    ['a number too long to be exact', 'a: 12345678901234567890\n'],
    ['a map in a value', 'a: b: c\n'],
    ['an item in a value', 'a: - b\n'],
    ['steps that do not line up', 'a:\n    b: 1\n  c: 2\n'],
    ['an item among keys', 'a: 1\n- b\n'],
    ['a key among items', 'a:\n  - b\n  c: 1\n'],
    ['a list in a list', 'a:\n  - - b\n'],
    ['an empty item', 'a:\n  -\n  - b\n'],
    ['a comma at the end', 'a: [b,]\n'],
    ['a bracket that is open', 'a: [b\n'],
    ['something behind a bracket', 'a: [b] c\n'],
    ['a pair in a list', 'a: [b: c]\n'],
    ['a broken reference', 'a: ${b\n'],
    [
      'nesting without end',
      `${Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')}${' '.repeat(60)}b: 1\n`,
    ],
  ])('leaves to the full parser: %s', (_, text) => {
    expect(plain(text)).toBeUndefined();
  });

  test('is most of the catalogue files we have, and all are read alike', () => {
    const files = globSync(['fixtures/**/*.{yaml,yml}', 'docs/**/*.{yaml,yml}']);
    const read = files.filter((path) => {
      const text = readFileSync(path, 'utf8');
      const value = plain(text);
      if (value !== undefined) expect([value], path).toEqual(full(text));
      return value !== undefined;
    });
    expect(read.length).toBeGreaterThan(10);
  });

  test('is never read otherwise than by the full parser', () => {
    fc.assert(
      fc.property(pages, (text) => {
        const read = plain(text);
        if (read !== undefined) expect([read]).toEqual(full(text));
      }),
      { numRuns: lawRuns(3000) },
    );
  });

  test('takes a time that grows with the text alone', () => {
    // Patterns that go back over what they have read would not come to an end here.
    const long = 'x '.repeat(500_000);
    for (const text of [
      `a: ${long}\n`,
      `a: [${long}]\n`,
      `a: "${long}"\n`,
      `${long}: a\n`,
      `a: ${'0'.repeat(500_000)}\n`,
    ])
      plain(text);
  });
});

/** Lines that are valid, nearly valid, or not at all, at indents that mostly fit. */
const oddities = fc.constantFrom(
  ...['x', '1', '1.5', '~', '""', '"a" b', "'b'", '[a, b]', '[a', '{a: 1}', '{a}', '|', '|-', '|+', '>', '&x y', '*x'],
  ...['!file f', '${a.b}', '${', 'a: b', 'a:b', 'a #b', 'a#b', '#c', '', ' ', '- x', '- ', '...', '---', '@x', '? x'],
);
const oddLines = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b', 'c'), oddities).map(([key, value]) => `${key}: ${value}`),
  oddities.map((value) => `- ${value}`),
  fc.constantFrom('a:', 'b:  # x', '- a: 1', '-', '- - a', '<<: {a: 1}', '"q": 1'),
  oddities,
);
const oddPages = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 2, 2, -2, -4, 1), oddLines), { maxLength: 8 })
  .map((found) => {
    let indent = 0;
    return found
      .map(([step, line], at) => {
        indent = at === 0 ? 0 : Math.max(0, indent + step);
        return `${' '.repeat(indent)}${line}\n`;
      })
      .join('');
  });

/** Trees of what is plain, as lines without their indent from above. */
const values = fc.constantFrom(
  ...[
    'x',
    'a b',
    '12',
    '-7',
    'true',
    'Null',
    '""',
    '"a: # b"',
    "'it'",
    '[a, "b", {c: d}]',
    '{a: 1, b: [2]}',
    '[]',
    '{ }',
  ],
  ...[
    'v # note',
    'a#b:c',
    'http://x/?y=z',
    '${a.b}',
    '"${a/b.c}, ${d}"',
    '$${x}',
    '-x',
    '1.2.3',
    '2026-01-02',
    'größe',
  ],
);
const texts = fc
  .tuple(
    fc.constantFrom('|', '|-'),
    fc.constantFrom(1, 2, 4),
    fc.array(fc.constantFrom('t', 'k: v', '# no', '- i', '', '  in')),
  )
  .map(([header, indent, found]) => [
    header,
    ...['first', ...found].map((line) => (line === '' ? '' : ' '.repeat(indent) + line)),
  ]);
const between = fc.constantFrom<readonly string[]>([], [], [], [], [''], ['# note'], ['', '   # far in']);
const { tree } = fc.letrec<{ tree: readonly string[]; map: readonly string[]; list: readonly string[] }>((tie) => ({
  tree: fc.oneof({ weight: 3, arbitrary: tie('map') }, tie('list')),
  map: fc
    .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c:d', 'e.f', 'null'), member(tie('tree')), between), {
      selector: ([key]) => key,
      minLength: 1,
      maxLength: 4,
    })
    .map((all) => all.flatMap(([key, [first = '', ...below], after]) => [`${key}:${first}`, ...below, ...after])),
  list: fc
    .array(
      fc.oneof(
        member(fc.constant([])),
        tie('map').map(([first = '', ...below]) => [` ${first}`, ...below.map(inside)]),
      ),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((all) => all.flatMap(([first = '', ...below]) => [`-${first}`, ...below])),
}));

/** What may stand behind `key:` or `-`: its first line and those below. */
function member(below: fc.Arbitrary<readonly string[]>): fc.Arbitrary<readonly string[]> {
  return fc.oneof(
    { weight: 3, arbitrary: values.map((value) => [` ${value}`]) },
    texts.map(([header = '', ...all]) => [` ${header}`, ...all]),
    below.map((all) => (all.length === 0 ? [' y'] : ['', ...all.map(inside)])),
  );
}

function inside(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

/** A plain page, most often with one character too many, too few or changed. */
const nearlyPlainPages = fc
  .tuple(
    tree,
    fc.nat(),
    fc.constantFrom('', '', ' ', ':', '#', '-', '\n', '"', "'", '[', ']', '{', ',', '|', '$', '&', '0'),
    fc.constantFrom(0, 1),
  )
  .map(([all, place, letter, gone]) => {
    const text = `${all.join('\n')}\n`;
    const at = place % text.length;
    return text.slice(0, at) + letter + text.slice(at + gone);
  });
const pages = fc.oneof(oddPages, { weight: 3, arbitrary: nearlyPlainPages });
