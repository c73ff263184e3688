import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quickNodes } from '@platform-sync/catalogue/read/js-yaml-events';
import { judged, readAsFile, readAsRecorded, withShortcut } from '../engine/catalogue/judged.js';
import { lawRuns, lawTimeoutMs } from './runs.js';

describe('any page of YAML is read by events', () => {
  withShortcut(true);

  test(
    'never otherwise than by the parser of record',
    () => {
      fc.assert(
        fc.property(pages, (text) => {
          const read = quickNodes(text);
          if (read !== undefined) expect(read).toEqual(judged(text));
        }),
        { numRuns: lawRuns(3000) },
      );
    },
    lawTimeoutMs,
  );

  test(
    'to the same expressions and problems, and leaves nothing else behind',
    () => {
      fc.assert(
        fc.property(pages, (text) => {
          expect(readAsFile(text)).toEqual(readAsRecorded(text));
        }),
        { numRuns: lawRuns(3000) },
      );
    },
    lawTimeoutMs,
  );

  test('in most pages of the law', () => {
    const read = fc
      .sample(nearlyPlainPages, { numRuns: 500, seed: 15 })
      .filter((text) => quickNodes(text) !== undefined);
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
      quickNodes(text);
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
