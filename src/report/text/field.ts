import type { PathChange } from '../diff/structural-diff.js';
import { effectWords, specChangeText, type SpecDiff } from '../openapi/rules.js';
import { forcesReplacement, pathMarks, pathSides, type FieldDetail, type FieldView } from '../view/field-view.js';
import { count } from '../words/value.js';
import type { Style } from './style.js';

// New content is in the reviewed file anyway: a plan shows its beginning.
const newTextLines = 8;
const newValueLines = 40;
const mostForCallers = 20;

/** The lines of one field of a step, without the step's indent; `width`: what the names of its fields are padded to. */
export function fieldLines(view: FieldView, width: number, style: Style): readonly string[] {
  const { name, mark, detail } = view;
  const paint = paints(style)[mark];
  const [first, ...below] = newLines(view, style);
  const sides = [
    ...(view.old === undefined ? [] : [style.red(view.old)]),
    ...(first === undefined ? [] : [mark === '-' ? first : style.green(first)]),
  ].join(' → ');
  const body = sides === '' ? name : `${name.padEnd(width)}  ${sides}`;
  const remarks = view.remarks.map((remark) => `  ${remarkPaint(remark, style)(`# ${remark}`)}`).join('');
  const compared = detail === undefined ? [] : comparedLines(detail, style);
  return [`${paint(mark)} ${body}${remarks}`, ...[...below, ...compared].map((line) => `    ${line}`)];
}

function paints(style: Style): Readonly<Record<FieldView['mark'], (text: string) => string>> {
  return { '+': style.green, '-': style.red, '~': style.yellow, '!': style.yellow };
}

function remarkPaint(remark: string, style: Style): (text: string) => string {
  if (remark === forcesReplacement) return style.red;
  return remark.startsWith('changed ') || remark.startsWith('stays') ? style.yellow : style.dim;
}

/** What comes: on the field's own line, and what there is below it. */
function newLines({ mark, new: now, detail }: FieldView, style: Style): readonly string[] {
  if (now === undefined) return [];
  if (mark !== '+' || detail?.kind !== 'lines' || detail.of === 'structured text' || detail.added.length < 2)
    return [now];
  if (detail.of === 'value') {
    const [first = '', ...rest] = capped(detail.added, newValueLines);
    return [first, ...rest.map((line) => style.green(line))];
  }
  return [now, ...capped(detail.added, newTextLines).map((line) => style.green(`| ${line}`.trimEnd()))];
}

function comparedLines(detail: FieldDetail, style: Style): readonly string[] {
  if (detail.kind === 'hunks')
    return detail.hunks.flatMap(({ header, lines }) => [
      style.cyan(header),
      ...lines.map((line) =>
        line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line,
      ),
    ]);
  if (detail.kind === 'lines') return [];
  const { specification, changes } = detail;
  return [
    ...(specification === undefined ? [] : callerLines(specification, style)),
    ...changes.map((change) => pathLine(change, style)),
  ];
}

/** What a new API description means for its callers, before where in it; what is safe is only counted. */
function callerLines({ changes, more }: SpecDiff, style: Style): readonly string[] {
  const risky = changes.filter(({ effect }) => effect !== 'safe');
  const lines = risky.slice(0, mostForCallers).map((change) => {
    const paint = change.effect === 'breaks' ? style.red : style.yellow;
    return `${paint(`${effectWords[change.effect]}:`)} ${specChangeText(change)}`;
  });
  const hidden = risky.length - lines.length + more;
  const safe = changes.length - risky.length;
  return [
    ...lines,
    ...(hidden > 0 ? [`… ${hidden} more for clients`] : []),
    ...(safe > 0 ? [style.dim(`safe for clients: ${count(safe, 'change')}`)] : []),
  ];
}

function pathLine(change: PathChange, style: Style): string {
  const mark = pathMarks[change.kind];
  const { old, new: now } = pathSides(change);
  const sides = [
    ...(old === undefined ? [] : [style.red(old)]),
    ...(now === undefined ? [] : [change.kind === 'reordered' ? now : style.green(now)]),
  ].join(' → ');
  return `${paints(style)[mark](mark)} ${change.path}: ${sides}`;
}

function capped(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit + 1) return lines;
  return [...lines.slice(0, limit), `… ${lines.length - limit} more lines`];
}
