import { cutAround, type FieldDetail, type FieldView, pathMarks, pathSides } from '../view/field-view.js';
import { cut } from './escape.js';
import { effectWords, specChangeText, specSummary } from '../openapi/rules.js';
import { count } from '../words/value.js';
import type { PathChange } from '../diff/structural-diff.js';
import type { Hunk } from '../diff/text-diff.js';

/**
 * How much of a field is shown: `context` hunks with three lines around, `hunks` the changed lines alone, `counts`
 * only how much changed.
 */
export type Depth = 'context' | 'hunks' | 'counts';

const maxLine = 300;
const limits: Readonly<Record<Exclude<Depth, 'counts'>, { readonly lines: number; readonly paths: number }>> = {
  context: { lines: 20, paths: 60 },
  hunks: { lines: 8, paths: 20 },
};

/** The one line of a field inside a block in the language `diff`: its values, or how much of it changes. */
export function markdownFieldLine(view: FieldView): string {
  const mark = view.mark === '~' ? '!' : view.mark;
  const sides = [view.old, view.new].filter((text) => text !== undefined).join(' → ');
  const counts = view.detail === undefined || sides !== '' ? '' : countsOf(view.detail);
  const line = [view.name, sides, counts].filter((text) => text !== '').join('  ');
  const remarks = view.remarks.map((remark) => `  # ${remark}`).join('');
  return `${mark} ${cut(line, maxLine)}${cut(remarks, maxLine)}`;
}

/** What does not fit on that line, for a block of its own; empty when everything did. */
export function markdownFieldDetail(view: FieldView, depth: Depth): readonly string[] {
  if (depth === 'counts' || view.detail === undefined) return [];
  return withinWidth(detailLines(view.detail, depth));
}

/** Long lines are cut; where one takes the place of another, around what differs, and never before it. */
function withinWidth(lines: readonly string[]): readonly string[] {
  const pairs = new Map<number, string>();
  for (let at = 0; at < lines.length; at += 1) {
    const removed = runLength(lines, at, '-');
    const added = runLength(lines, at + removed, '+');
    for (let row = 0; row < Math.min(removed, added); row += 1) {
      const [old = '', now = ''] = [lines[at + row], lines[at + removed + row]];
      if (Math.max(old.length, now.length) <= maxLine) continue;
      const [before, after] = cutAround(old.slice(1), now.slice(1), maxLine - 1);
      pairs.set(at + row, `-${before}`).set(at + removed + row, `+${after}`);
    }
    at += Math.max(0, removed + added - 1);
  }
  return lines.map((line, at) => pairs.get(at) ?? cut(line, maxLine));
}

function runLength(lines: readonly string[], from: number, mark: string): number {
  let length = 0;
  while (lines[from + length]?.startsWith(mark) === true) length += 1;
  return length;
}

/** `+12/−3 lines`, `4 differences`, what an API description means for callers. */
function countsOf(detail: FieldDetail): string {
  if (detail.kind === 'hunks') return `+${detail.added}/−${detail.removed} lines`;
  if (detail.kind === 'lines') return `+${detail.added.length}/−${detail.removed.length} lines`;
  const { specification } = detail;
  return specification === undefined ? count(detail.changes.length, 'difference') : specSummary(specification);
}

function detailLines(detail: FieldDetail, depth: 'context' | 'hunks'): readonly string[] {
  const limit = limits[depth];
  switch (detail.kind) {
    case 'hunks':
      return (depth === 'context' ? detail.hunks : detail.hunks.flatMap(withoutContext)).flatMap((hunk) => [
        hunk.header,
        ...hunk.lines,
      ]);
    case 'lines':
      return [
        ...capped(detail.removed, limit.lines).map((line) => `- ${line}`),
        ...capped(detail.added, limit.lines).map((line) => `+ ${line}`),
      ];
    case 'paths':
      return [
        ...(detail.specification === undefined ? [] : specLines(detail.specification, limit.paths)),
        ...capped(detail.changes.map(pathLine), limit.paths),
      ];
  }
}

function specLines(
  specification: NonNullable<(FieldDetail & { kind: 'paths' })['specification']>,
  max: number,
): readonly string[] {
  const marks = { breaks: '-', 'may-break': '!', safe: '+' } as const;
  return capped(
    specification.changes.map(
      (change) => `${marks[change.effect]} ${effectWords[change.effect]}: ${specChangeText(change)}`,
    ),
    max,
  );
}

function pathLine(change: PathChange): string {
  const mark = pathMarks[change.kind];
  const { old, new: now } = pathSides(change);
  return `${mark === '~' ? '!' : mark} ${change.path}: ${[old, now].filter((side) => side !== undefined).join(' → ')}`;
}

function capped(lines: readonly string[], limit: number): readonly string[] {
  return lines.length <= limit + 1 ? lines : [...lines.slice(0, limit), `… ${lines.length - limit} more`];
}

/** The changed lines of a hunk alone, each run of them under a header with its own place. */
export function withoutContext(hunk: Hunk): readonly Hunk[] {
  const start = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(hunk.header);
  let oldLine = Number(start?.[1] ?? 1);
  let newLine = Number(start?.[3] ?? 1);
  // A side without lines is numbered by the line before it.
  if (start?.[2] === '0') oldLine += 1;
  if (start?.[4] === '0') newLine += 1;
  const runs: Hunk[] = [];
  let lines: string[] = [];
  const flush = (): void => {
    if (lines.length === 0) return;
    const removed = lines.filter((line) => line.startsWith('-')).length;
    const added = lines.filter((line) => line.startsWith('+')).length;
    runs.push({
      header: `@@ -${range(oldLine - removed, removed)} +${range(newLine - added, added)} @@`,
      lines,
    });
    lines = [];
  };
  for (const line of hunk.lines) {
    if (line.startsWith('\\')) {
      if (lines.length > 0) lines.push(line);
      continue;
    }
    if (line.startsWith('-')) oldLine += 1;
    else if (line.startsWith('+')) newLine += 1;
    else {
      flush();
      oldLine += 1;
      newLine += 1;
      continue;
    }
    lines.push(line);
  }
  flush();
  return runs;
}

function range(start: number, length: number): string {
  return `${length === 0 ? start - 1 : start},${length}`;
}
