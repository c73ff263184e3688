import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { describe, expect, it } from 'vitest';
import { commandLoaders } from '@platform-sync/cli/command-list';
import { commandOf, hintLines, sentences } from '@platform-sync/report/words/hint';

describe('a hint', () => {
  it.each([
    ['Check the address.', ['Check the address.'], []],
    ["Take it over: sync adopt pets 'a b'", ['Take it over:'], ["sync adopt pets 'a b'"]],
    ['did you mean: sync plan?', ['did you mean:'], ['sync plan']],
    ['If they are gone: --allow maxMissing --reason "…"', ['If they are gone:'], ['--allow maxMissing --reason "…"']],
    ['Say which:\n--parent ID\n--parent api=ID', ['Say which:'], ['--parent ID', '--parent api=ID']],
    ['Write it: sync plan --out p.json\nsync fix p.json', ['Write it:'], ['sync plan --out p.json', 'sync fix p.json']],
    // A name may hold anything.
    ['Look at a\n## b', ['Look at a\n## b'], []],
  ])('%j', (hint, words, typed) => {
    const lines = hintLines(hint);
    expect(lines.filter(({ isTyped }) => !isTyped).map(({ text }) => text)).toEqual(words);
    expect(lines.filter(({ isTyped }) => isTyped).map(({ text }) => text)).toEqual(typed);
  });

  it('ends in what it tells to type, wherever the program says so', () => {
    const names = [...new Set(Object.keys(commandLoaders).map((id) => id.split(':')[0]))].join('|');
    const command = new RegExp(`\\bsync (?:-C |--|(?:${names})\\b)`);
    const hints = globSync('src/**/*.ts', { ignore: ['**/generated/**'] }).flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /\bhint(?:\?)?(?::| =)\s*(?:[^'`;{}]*\?\s*)?(['`])((?:(?!\1)[^\n])*)\1/g,
        ),
      ].map(([, , text = '']) => [file, text.replaceAll('\\n', '\n')] as const),
    );
    expect(hints.length).toBeGreaterThan(250);
    const inside = hints.filter(([, text]) => hintLines(text).some((line) => !line.isTyped && command.test(line.text)));
    expect(inside).toEqual([]);
    const behind = hints.filter(([, text]) =>
      hintLines(text).some((line) => line.isTyped && /[.;] [A-Za-z]/.test(line.text)),
    );
    expect(behind).toEqual([]);
  });

  it('is a sentence behind another one', () => {
    expect(sentences('It does not answer (ECONNREFUSED)', 'Check it.')).toBe(
      'It does not answer (ECONNREFUSED). Check it.',
    );
    expect(sentences('Really?', 'Yes.')).toBe('Really? Yes.');
  });
});

it.each([
  ['sync adopt', 'prod', 'sync --stack prod adopt'],
  ['sync adopt', 'default', 'sync adopt'],
  ['sync state mv a --stack dev --to-stack prod', 'prod', 'sync state mv a --stack dev --to-stack prod'],
  ['sync schema Api', 'prod', 'sync schema Api'],
  ['--allow maxDeletes', 'prod', '--allow maxDeletes'],
])('%s on a page about the stack %s', (line, stack, expected) => expect(commandOf(line, stack)).toBe(expected));
