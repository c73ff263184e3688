import { structuredPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textHunks } from '@platform-sync/report/diff/text-diff';
import { visibleLine } from '@platform-sync/report/words/escape';
import { lawRuns } from './runs.js';

/** What the library finds by searching, whatever the texts. */
function searched(old: string, now: string, context: number): readonly object[] {
  return structuredPatch('', '', old, now, '', '', { context }).hunks.map((hunk) => ({
    header: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    lines: hunk.lines.map(visibleLine),
  }));
}

const line = fc.constantFrom('', 'a', 'b', 'c\r', '\r', ' ', '-a', '+b', '\\ No newline', '\tx');
const lines = fc.array(line, { maxLength: 8 });
const fresh = fc.array(fc.constantFrom('x', 'y\r', '', 'a'), { maxLength: 5 });
const replaced = fc.array(fc.constantFrom('p', 'q', '', 'b'), { maxLength: 5 });
const joined = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

describe('hunks of texts', () => {
  it('are those that a search finds, where one block of lines differs and elsewhere', () => {
    const numbers = { quick: 0, several: 0 };
    fc.assert(
      fc.property(lines, replaced, fresh, lines, fc.nat({ max: 4 }), (head, old, now, tail, context) => {
        const before = joined([...head, ...old, ...tail]);
        const after = joined([...head, ...now, ...tail]);
        // How a text ends is made alike before.
        if (before === after || ![before, after].every((text) => /[^\r\n]\n$/.test(text))) return;
        const hunks = searched(before, after, context);
        expect(textHunks(before, after, context)).toEqual(hunks);
        numbers[hunks.length === 1 ? 'quick' : 'several'] += 1;
      }),
      { numRuns: lawRuns(3000) },
    );
    // Both kinds come up often enough to mean something, however many cases run.
    expect(numbers.quick).toBeGreaterThan(lawRuns(3000) / 10);
    expect(numbers.several).toBeGreaterThan(lawRuns(3000) / 150);
  });
});
