import { structuredPatch } from 'diff';
import { visibleLine } from '../words/escape.js';

/** A hunk of a unified diff. Lines start with a blank, `+` or `-`. */
export interface Hunk {
  readonly header: string;
  readonly lines: readonly string[];
}

// Two texts with little in common cost a diff more than it tells.
const maxEdits = 2000;

/** Unified hunks between two texts; undefined when they have too little in common to be worth showing. */
export function textHunks(before: string, after: string, context = 3): readonly Hunk[] | undefined {
  const [old, now] = alikeAtTheEnd(before, after);
  const patch = structuredPatch('', '', old, now, '', '', { context, maxEditLength: maxEdits });
  if (patch === undefined) return undefined;
  return patch.hunks.map((hunk) => ({
    header: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    lines: hunk.lines.map(visibleLine),
  }));
}

/** A file ends with a newline, and what the platform kept of it may not: that is no change of the last line. */
function alikeAtTheEnd(before: string, after: string): readonly [string, string] {
  const ends = [before, after].map((text) => text.replace(/(?:\r?\n)+$/, ''));
  const [old = '', now = ''] = ends;
  return old === now ? [before, after] : [`${old}\n`, `${now}\n`];
}

/** Lines of a text; a newline at the end does not start another one. */
export function lineCount(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
