import { defined, type Json, ownMember } from '@platform-sync/core/model/value';
import type { Action, FieldChange, PlanValue } from '@platform-sync/core/model/plan';
import { visible, visibleLine } from '../words/escape.js';
import type { SpecDiff } from '../openapi/rules.js';
import type { PathChange } from '../diff/structural-diff.js';
import type { StructuredReader } from '../diff/structured-text.js';
import type { Hunk } from '../diff/text-diff.js';
import { count, expanded, inline, isPlain, isRecord, unknownFrom } from '../words/value.js';

/** How a field changes, for reports that lay it out themselves. All texts are visible, none is escaped for a format. */
export interface FieldView {
  readonly name: string;
  /** `+` new, `-` cleared or removed, `~` changed, `!` can't be cleared. */
  readonly mark: '+' | '-' | '~' | '!';
  /** Both sides on one line each, shortened where they are long; absent: there is none, or `detail` compares them. */
  readonly old?: string;
  readonly new?: string;
  readonly detail?: FieldDetail;
  /** `forces replacement`, `changed outside` … */
  readonly remarks: readonly string[];
}

export type FieldDetail =
  | { readonly kind: 'hunks'; readonly hunks: readonly Hunk[]; readonly added: number; readonly removed: number }
  /** Lists, objects and texts that hold one, by path; for an API description also what it means for callers. */
  | { readonly kind: 'paths'; readonly changes: readonly PathChange[]; readonly specification?: SpecDiff }
  /** One side only, or two with nothing in common: whole values, line by line. */
  | {
      readonly kind: 'lines';
      readonly of: 'text' | 'structured text' | 'value';
      readonly removed: readonly string[];
      readonly added: readonly string[];
    };

/** The remark that says most about what a change costs. */
export const forcesReplacement = 'forces replacement';

/** What two values of a field differ in, where that is more than two short values side by side. */
export type Comparison = (old: PlanValue, now: PlanValue, read: StructuredReader) => FieldDetail | undefined;

/** How one field of a step changes. Parsing and comparing happen here, once for every use of the view. */
export function fieldView(
  change: FieldChange,
  action: Action,
  read: StructuredReader,
  compare?: Comparison,
): FieldView {
  const base = { name: visible(change.field), remarks: remarks(change, action) };
  const { old, new: now } = change;
  if (change.cannotClear === true) return { ...base, mark: '!', ...whole(old, undefined, read) };
  if (old === undefined) return { ...base, mark: '+', ...whole(undefined, now, read) };
  if (now === undefined) {
    const isGoing = action === 'delete' || action === 'forget';
    return { ...base, mark: '-', ...whole(old, undefined, read), ...(isGoing ? {} : { new: '(platform default)' }) };
  }
  const detail = compare?.(old, now, read);
  return { ...base, mark: '~', ...(detail === undefined ? whole(old, now, read) : { detail }) };
}

function remarks(change: FieldChange, action: Action): readonly string[] {
  const found: string[] = [];
  if (change.cannotClear === true) found.push('stays: the platform has no way to clear it');
  if (action === 'replace' && change.rule === 'replace') found.push(forcesReplacement);
  if ((action === 'update' || action === 'replace') && change.cause !== 'config')
    found.push(change.cause === 'drift' ? 'changed outside' : 'changed in the file and outside');
  const waits = unknownFrom(change.new);
  if (waits !== undefined && waits.length > 0) found.push(`from ${waits.map(visible).join(', ')}`);
  return found;
}

/** Sides that have nothing to be compared by: each on its line, and what is too long for one line by line. */
function whole(
  old: PlanValue | undefined,
  now: PlanValue | undefined,
  read: StructuredReader,
): Pick<FieldView, 'old' | 'new' | 'detail'> {
  const sides =
    old !== undefined && now !== undefined && typeof old !== 'string' && typeof now !== 'string'
      ? shortenedPair(old, now)
      : [brief(old, read), brief(now, read)];
  const texts = defined({ old: sides[0], new: sides[1] });
  return wantsLines(old) || wantsLines(now) ? { ...texts, detail: wholeDetail(old, now, read) } : texts;
}

/** Split when it is read: a terminal shows little of it. */
function wholeDetail(old: PlanValue | undefined, now: PlanValue | undefined, read: StructuredReader): FieldDetail {
  const value = now ?? old;
  const made: { removed?: readonly string[]; added?: readonly string[] } = {};
  return {
    kind: 'lines',
    get of() {
      if (typeof value !== 'string') return 'value';
      return isStructured(value, read) ? 'structured text' : 'text';
    },
    get removed() {
      return (made.removed ??= old === undefined ? [] : wholeLines(old));
    },
    get added() {
      return (made.added ??= now === undefined ? [] : wholeLines(now));
    },
  };
}

/** Whether a value is too much for one line. */
function wantsLines(value: PlanValue | undefined): boolean {
  if (value === undefined) return false;
  return typeof value === 'string' ? isLong(value) : inline(value).length > widestValue;
}

/** The lines of a value; one, where it is not too much for it. */
function wholeLines(value: PlanValue): readonly string[] {
  if (!wantsLines(value)) return [inline(value)];
  return typeof value === 'string' ? value.replace(/\n$/, '').split('\n').map(visibleLine) : expanded(value);
}

/** The sides of one difference by path, each on one line. */
export function pathSides(change: PathChange): Pick<FieldView, 'old' | 'new'> {
  switch (change.kind) {
    case 'added':
      return { new: shortened(change.new) };
    case 'removed':
      return { old: shortened(change.old) };
    case 'reordered':
      return { new: 'the same items in another order' };
    case 'changed': {
      const [old, now] = shortenedPair(change.old, change.new);
      return { old, new: now };
    }
  }
}

/** `+`, `-` or `~`. */
export const pathMarks: Readonly<Record<PathChange['kind'], '+' | '-' | '~'>> = {
  added: '+',
  removed: '-',
  reordered: '~',
  changed: '~',
};

/** A value up to this long stays on its line. */
const widestValue = 100;
// A text up to this long is never a diff.
const shortText = 80;

/** The list or object a value is, or holds as a text. */
export function parsed(value: PlanValue, read: StructuredReader): Json | undefined {
  if (!isPlain(value)) return undefined;
  const found = typeof value === 'string' ? read(value) : value;
  return Array.isArray(found) || isRecord(found) ? found : undefined;
}

/** A text too long for one line. */
export function isLong(text: string): boolean {
  return text.length > shortText || text.includes('\n');
}

/** A value on one line, however long it is. */
function brief(value: PlanValue | undefined, read: StructuredReader): string | undefined {
  if (typeof value === 'string' && isLong(value)) return textSummary(value, read);
  return value === undefined ? undefined : shortened(value);
}

/** The value on one line, its end cut off when it is long. */
export function shortened(value: PlanValue): string {
  const text = inline(value);
  if (text.length <= widestValue) return text;
  return `${[...text].slice(0, widestValue - 20).join('')}… (${text.length} characters)`;
}

// So much of what both sides begin and end with is shown around what differs.
const around = 20;

/** Two values on one line each. Where they are long, both are cut around the first difference: never before it. */
export function shortenedPair(old: PlanValue, now: PlanValue): readonly [string, string] {
  return cutAround(inline(old), inline(now), widestValue);
}

/** Two texts of at most about `width` characters each; what both begin with, and end with, goes first. */
export function cutAround(old: string, now: string, width: number): readonly [string, string] {
  if (old.length <= width && now.length <= width) return [old, now];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  const from = start <= 2 * around ? 0 : wholeCharacter(old, start - around);
  const cut = (text: string): string => {
    const most = width - around;
    if (text.length <= width || (from > 0 && text.length - from <= most))
      return from === 0 ? text : `…${text.slice(from)}`;
    const shown = text.slice(from, wholeCharacter(text, from + most));
    return `${from === 0 ? '' : '…'}${shown}… (${text.length} characters)`;
  };
  return [cut(old), cut(now)];
}

/** The place, or the one before it where it would cut a character in half. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at;
}

/** `(OpenAPI 3.0.3, 41 lines)`, `(text, 12 lines)`, or the text's beginning when it is one long line. */
function textSummary(text: string, read: StructuredReader): string {
  const lines = count(lineCount(text), 'line');
  const description = descriptionStart.exec(text);
  if (description !== null)
    return `(${ownMember(descriptionKinds, description[1] ?? '') ?? ''} ${description[2] ?? ''}, ${lines})`;
  if (read(text) !== undefined) return `(JSON, ${lines})`;
  return text.includes('\n') ? `(text, ${lines})` : shortened(text);
}

/** Lines of a text; a newline at the end does not start another one. */
function lineCount(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** What is read as a whole, and not line by line: an API description, or a text that holds JSON. */
function isStructured(text: string, read: StructuredReader): boolean {
  return descriptionStart.test(text) || read(text) !== undefined;
}

// Naming a description must not cost a parse.
const descriptionStart = /^[{\s]*["']?(openapi|swagger|asyncapi)["']?\s*:\s*["']?([\d.]+)/m;

const descriptionKinds: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  asyncapi: 'AsyncAPI',
};
