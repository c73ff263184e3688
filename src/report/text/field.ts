import type { Action, FieldChange, PlanValue } from '../../engine/model/plan.js';
import type { Json } from '../../engine/model/value.js';
import { brief, isDescription, isLong, parsed, shortened, textSummary, widestValue } from '../view/brief.js';
import { visible } from '../words/escape.js';
import { count } from '../words/plural.js';
import { openApiDiff } from '../openapi/diff.js';
import { effectWords, specChangeText } from '../openapi/words.js';
import { structuralDiff, type PathChange } from '../diff/structural-diff.js';
import type { StructuredReader } from '../diff/structured-text.js';
import type { Style } from './style.js';
import { lineCount, textHunks } from '../diff/text-diff.js';
import { expanded, inline, unknownFrom } from '../words/value.js';

interface FieldContext {
  readonly style: Style;
  readonly read: StructuredReader;
  readonly action: Action;
  /** Width the names of the step's fields are padded to. */
  readonly width: number;
  /** Where a field is given, if not where its resource is: `overlays/prod.yaml:7`. */
  readonly origin?: (field: string) => string | undefined;
}

// New content is in the reviewed file anyway: a plan shows its beginning.
const newTextLines = 8;
const newValueLines = 40;
const mostForCallers = 20;

/** The lines of one field of a step, without the step's indent. */
export function fieldLines(change: FieldChange, context: FieldContext): readonly string[] {
  if (change.cannotClear === true) return stays(change, context);
  if (change.old === undefined) return change.new === undefined ? [] : added(change.new, change, context);
  if (change.new === undefined) return cleared(change.old, change, context);
  return changed(change.old, change.new, change, context);
}

function added(value: PlanValue, change: FieldChange, context: FieldContext): readonly string[] {
  const paint = context.style.green;
  const [first = '', ...rest] = newValue(value, context);
  return [line(change, context, paint('+'), paint(first)), ...rest.map((text) => `    ${paint(text)}`)];
}

function cleared(value: PlanValue, change: FieldChange, context: FieldContext): readonly string[] {
  const paint = context.style.red;
  const gone = context.action === 'delete' || context.action === 'forget' ? '' : ' → (platform default)';
  return [line(change, context, paint('-'), `${paint(brief(value, context.read))}${gone}`)];
}

function stays(change: FieldChange, context: FieldContext): readonly string[] {
  const old = change.old === undefined ? '' : `${brief(change.old, context.read)} `;
  return [line(change, context, context.style.yellow('!'), `${old}stays: the platform has no way to clear it`)];
}

function changed(old: PlanValue, now: PlanValue, change: FieldChange, context: FieldContext): readonly string[] {
  const { style } = context;
  const mark = style.yellow('~');
  const details = structure(old, now, context) ?? longText(old, now, style);
  if (details !== undefined) return [line(change, context, mark, ''), ...details.map((text) => `    ${text}`)];
  return [
    line(change, context, mark, `${style.red(brief(old, context.read))} → ${style.green(brief(now, context.read))}`),
  ];
}

function line(change: FieldChange, context: FieldContext, mark: string, text: string): string {
  const name = visible(change.field);
  const body = text === '' ? name : `${name.padEnd(context.width)}  ${text}`;
  const found = remarks(change, context);
  return found.length === 0 ? `${mark} ${body}` : `${mark} ${body}  ${found.join('  ')}`;
}

function remarks(change: FieldChange, context: FieldContext): readonly string[] {
  const { style, action } = context;
  const found: string[] = [];
  if (action === 'replace' && change.rule === 'replace') found.push(style.red('# forces replacement'));
  if ((action === 'update' || action === 'replace') && change.cause !== 'config') {
    found.push(style.yellow(change.cause === 'drift' ? '# changed outside' : '# changed in the file and outside'));
  }
  const origin = context.origin?.(change.field);
  if (origin !== undefined) found.push(style.dim(`# by ${origin}`));
  const waits = unknownFrom(change.new);
  if (waits !== undefined && waits.length > 0) found.push(style.dim(`# from ${waits.map(visible).join(', ')}`));
  return found;
}

/** Differences by path when both sides are lists, objects, or texts that hold one; undefined when that says nothing. */
function structure(old: PlanValue, now: PlanValue, context: FieldContext): readonly string[] | undefined {
  const before = parsed(old, context.read);
  const after = parsed(now, context.read);
  if (before === undefined || after === undefined) return undefined;
  const changes = structuralDiff(before, after);
  // Both are JSON but differ only in layout or comments: the text is what changed.
  if (changes.length === 0 || changes.some((found) => found.path === '')) return undefined;
  return [...callerLines(before, after, context.style), ...changes.map((found) => pathLine(found, context.style))];
}

/** What a new API description means for its callers, before where in it; what is safe is only counted. */
function callerLines(before: Json, after: Json, style: Style): readonly string[] {
  const { changes, more } = openApiDiff(before, after) ?? { changes: [], more: 0 };
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
  const path = change.path;
  if (change.kind === 'added') return `${style.green('+')} ${path}: ${style.green(shortened(change.new))}`;
  if (change.kind === 'removed') return `${style.red('-')} ${path}: ${style.red(shortened(change.old))}`;
  if (change.kind === 'reordered') return `${style.yellow('~')} ${path}: the same items in another order`;
  return `${style.yellow('~')} ${path}: ${style.red(shortened(change.old))} → ${style.green(shortened(change.new))}`;
}

function longText(old: PlanValue, now: PlanValue, style: Style): readonly string[] | undefined {
  if (typeof old !== 'string' || typeof now !== 'string') return undefined;
  if (!isLong(old) && !isLong(now)) return undefined;
  const hunks = textHunks(old, now);
  if (hunks === undefined) return [`rewritten: ${count(lineCount(old), 'line')} → ${count(lineCount(now), 'line')}`];
  return hunks.flatMap((hunk) => [style.cyan(hunk.header), ...hunk.lines.map((text) => painted(text, style))]);
}

function painted(text: string, style: Style): string {
  if (text.startsWith('+')) return style.green(text);
  return text.startsWith('-') ? style.red(text) : text;
}

function newValue(value: PlanValue, context: FieldContext): readonly string[] {
  if (typeof value === 'string' && isLong(value)) return newText(value, context);
  const short = inline(value);
  if (short.length <= widestValue) return [short];
  return capped(expanded(value), newValueLines);
}

function newText(text: string, context: FieldContext): readonly string[] {
  const about = textSummary(text, context.read);
  if (isDescription(text) || context.read(text) !== undefined || !text.includes('\n')) return [about];
  return [
    about,
    ...capped(text.replace(/\n$/, '').split('\n').map(visible), newTextLines).map((part) => `| ${part}`.trimEnd()),
  ];
}

function capped(lines: readonly string[], limit: number): readonly string[] {
  if (lines.length <= limit + 1) return lines;
  return [...lines.slice(0, limit), `… ${lines.length - limit} more lines`];
}
