import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { globSync } from 'tinyglobby';
import { describe, expect, test } from 'vitest';
import { syntaxTrees } from '../../../src/engine/catalogue/read/yaml-documents.js';
import { readEvents } from '../../../src/engine/catalogue/read/yaml-events.js';
import { readTree } from '../../../src/engine/catalogue/read/yaml-tree.js';
import { lawRuns, lawTimeoutMs } from '../../laws/runs.js';

/** What the parser of record makes of a text, or its first complaint. */
function judged(text: string): unknown {
  const documents = [...syntaxTrees(text)];
  const error = documents.flatMap((document) => document.errors)[0];
  return error === undefined ? documents.map(readTree).filter((root) => root !== undefined) : error.message;
}

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
  test.each(cases)('like by the parser of record: %s', (_, text) => {
    const read = readEvents(text);
    expect(read).toBeDefined();
    expect(read).toEqual(judged(text));
  });

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
    expect(readEvents(text)).toBeUndefined();
  });

  test('in all files we have but the broken ones', () => {
    const left = globSync(['fixtures/**/*.{yaml,yml}', 'docs/**/*.{yaml,yml}']).filter((path) => {
      const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
      const read = readEvents(text);
      if (read !== undefined) expect(read, path).toEqual(judged(text));
      return read === undefined;
    });
    expect(left.length).toBeLessThan(30);
    expect(left.filter((path) => !path.startsWith('fixtures/bad/'))).toEqual([]);
  });

  test(
    'never otherwise than by the parser of record',
    () => {
      fc.assert(
        fc.property(pages, (text) => {
          const read = readEvents(text);
          if (read !== undefined) expect(read).toEqual(judged(text));
        }),
        { numRuns: lawRuns(3000) },
      );
    },
    lawTimeoutMs,
  );

  test('in most pages of the law', () => {
    const read = fc
      .sample(nearlyPlainPages, { numRuns: 500, seed: 15 })
      .filter((text) => readEvents(text) !== undefined);
    expect(read.length).toBeGreaterThan(250);
  });

  test('in a time that grows with the text alone', () => {
    // Patterns that go back over what they have read would not come to an end here.
    const long = 'x '.repeat(500_000);
    for (const text of [
      `a: ${long}\n`,
      `a: [${long}]\n`,
      `a: "${long}"\n`,
      `${long}: a\n`,
      `a: ${'0'.repeat(500_000)}\n`,
      `a: |\n  b${'\n'.repeat(500_000)}`,
      `a: | ${'|'.repeat(500_000)}\n  b\n`,
      `a: [${'!secret x, '.repeat(50_000)}]\n`,
      `a: [${'[a]: b, '.repeat(50_000)}]\n`,
      `a: [b${',\n#'.repeat(200_000)}\n]\n`,
      `a: ${'- '.repeat(90)}${'!secret '.repeat(90)}\n`,
      `${'!secret &a\n '.repeat(90)}a: b\n`,
      `${'{a: '.repeat(90)}b${'}'.repeat(90)}: c\n`,
      'a: *x\n'.repeat(50_000),
    ])
      readEvents(text);
  });
});

/** Lines that are valid, nearly valid, or not at all, at indents that mostly fit. */
const oddities = fc.constantFrom(
  ...['x', '1', '1.5', '~', '""', '"a" b', "'b'", '[a, b]', '[a', '{a: 1}', '{a}', '|', '|-', '|+', '>', '&x y', '*x'],
  ...[
    '!file f',
    '!secret [a]',
    '!lookup x',
    '!',
    '!!str 1',
    '&x',
    '! a',
    '${a.b}',
    '${',
    'a: b',
    'a:b',
    'a #b',
    'a#b',
    '#c',
    '',
    ' ',
    '- x',
    '- ',
    '...',
    '---',
    '@x',
    '? x',
  ],
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

/** Trees of what is common, as lines without their indent from above. */
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
  ...['!file f', '!env V', '!secret 12', '!secret "12"', '!json [a, !secret b]', '!secret {a: !env B}'],
  ...['!lookup {function: f}', '&x y', '*x', '*x # note', '&x !secret v', '!secret &y v', '[*x, &y z, *y]', '{<<: *x}'],
  ...['', '"a\\n"', "'it''s'", '1.5', '0x1F', '~', '[a, ]', '[a, # b\n      c]', 'a\n      b', '"a\n\n      b"'],
);
const texts = fc
  .tuple(
    fc.constantFrom('|', '|-', '>', '>-', '|+', '>+', '| # note', '!secret |', '&x >', '!json &x |-'),
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
    .uniqueArray(
      fc.tuple(
        fc.constantFrom('a', 'b', 'c:d', 'e.f', 'null', '"q"', '<<', 'fn::secret'),
        member(tie('tree')),
        between,
      ),
      {
        selector: ([key]) => key,
        minLength: 1,
        maxLength: 4,
      },
    )
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
    fc
      .tuple(below, fc.constantFrom('', '', '', ' # note', ' !secret', ' !json &x', ' &x'))
      .map(([all, before]) => (all.length === 0 ? [' y'] : [before, ...all.map(inside)])),
  );
}

function inside(line: string): string {
  return line === '' ? '' : `  ${line}`;
}

/** One or two documents, with either line end, mostly with one character too many, too few or changed. */
const nearlyPlainPages = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: tree },
      fc
        .tuple(tree, fc.constantFrom('---', '--- # two', '...'), tree)
        .map(([one, between, two]) => [...one, between, ...two]),
    ),
    fc.constantFrom('\n', '\n', '\n', '\r\n'),
    fc.nat(),
    fc.constantFrom(
      ...['', '', '', ' ', ':', '#', '-', '\n', '"', "'", '[', ']', '{', ',', '|', '$', '&', '*', '!', '0', '\t'],
    ),
    fc.constantFrom(0, 1),
  )
  .map(([all, lineEnd, place, letter, gone]) => {
    const text = `${all.join('\n')}\n`;
    const at = place % text.length;
    const changed = letter === '' ? text : text.slice(0, at) + letter + text.slice(at + gone);
    return changed.replaceAll('\n', lineEnd);
  });
const pages = fc.oneof(oddPages, { weight: 3, arbitrary: nearlyPlainPages });
