import { structuredPatch, type StructuredPatchHunk } from 'diff';
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
  const block = onlyBlock(old, now, context);
  const hunks =
    block === undefined
      ? structuredPatch('', '', old, now, '', '', { context, maxEditLength: maxEdits })?.hunks
      : [block];
  return hunks?.map((hunk) => ({
    header: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    lines: hunk.lines.map(visibleLine),
  }));
}

// A larger block is rare, and looking for its lines elsewhere is no longer cheap.
const mostInBlock = 8;

/**
 * The one hunk of texts that differ in one block of lines none of which stands anywhere else: there is one shortest difference
 * then, and no need to search for it. Most edits are such; undefined for all others.
 */
function onlyBlock(old: string, now: string, context: number): StructuredPatchHunk | undefined {
  if (!old.endsWith('\n') || !now.endsWith('\n')) return undefined;
  const before = old.slice(0, -1).split('\n');
  const after = now.slice(0, -1).split('\n');
  const start = sameAtStart(before, after);
  const same = sameAtEnd(before, after, start);
  const [oldEnd, newEnd] = [before.length - same, after.length - same];
  const removed = before.slice(start, oldEnd);
  const added = after.slice(start, newEnd);
  if (removed.length === 0 || added.length === 0 || removed.length + added.length > mostInBlock) return undefined;
  if (removed.some((line) => after.includes(line)) || added.some((line) => before.includes(line))) return undefined;
  const from = Math.max(0, start - context);
  const lines = [
    ...before.slice(from, start).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...before.slice(oldEnd, oldEnd + context).map((line) => ` ${line}`),
  ];
  const around = lines.length - removed.length - added.length;
  const [oldLines, newLines] = [around + removed.length, around + added.length];
  return { oldStart: from + 1, oldLines, newStart: from + 1, newLines, lines };
}

function sameAtStart(before: readonly string[], after: readonly string[]): number {
  let same = 0;
  while (same < before.length && same < after.length && before[same] === after[same]) same += 1;
  return same;
}

function sameAtEnd(before: readonly string[], after: readonly string[], start: number): number {
  const most = Math.min(before.length, after.length) - start;
  let same = 0;
  while (same < most && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return same;
}

/** A file ends with a newline, and what the platform kept of it may not: that is no change of the last line. */
function alikeAtTheEnd(before: string, after: string): readonly [string, string] {
  const ends = [before, after].map((text) => text.replace(/(?:\r?\n)+$/, ''));
  const [old = '', now = ''] = ends;
  return old === now ? [before, after] : [`${old}\n`, `${now}\n`];
}
