import { defined } from '../../engine/model/defined.js';
import type { Action, FieldChange, PlanValue } from '../../engine/model/plan.js';
import { visible, visibleLine } from '../words/escape.js';
import { brief, isLong, parsed, textSummary, widestValue } from './brief.js';
import { openApiDiff } from '../openapi/diff.js';
import type { SpecDiff } from '../openapi/change.js';
import { structuralDiff, type PathChange } from '../diff/structural-diff.js';
import type { StructuredReader } from '../diff/structured-text.js';
import { textHunks, type Hunk } from '../diff/text-diff.js';
import { expanded, inline, unknownFrom } from '../words/value.js';

/** How a field changes, for reports that lay it out themselves. All texts are visible, none is escaped for a format. */
export interface FieldView {
  readonly name: string;
  /** `+` new, `-` cleared or removed, `~` changed, `!` can't be cleared. */
  readonly mark: '+' | '-' | '~' | '!';
  /** Both sides on one line each; absent: there is none, or `detail` says it all. */
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
  /** One side only, or two with nothing in common: whole texts, line by line. */
  | { readonly kind: 'lines'; readonly removed: readonly string[]; readonly added: readonly string[] };

/** How one field of a step changes. Parsing and comparing happen here, once for every use of the view. */
export function fieldView(change: FieldChange, action: Action, read: StructuredReader): FieldView {
  const base = { name: visible(change.field), remarks: remarks(change, action) };
  const { old, new: now } = change;
  if (change.cannotClear === true) return { ...base, mark: '!', ...oneSided('old', old, read) };
  if (old === undefined) return { ...base, mark: '+', ...oneSided('new', now, read) };
  if (now === undefined) return { ...base, mark: '-', ...oneSided('old', old, read) };
  const detail = structureDetail(old, now, read) ?? textDetail(old, now);
  return { ...base, mark: '~', ...(detail === undefined ? bothSides(old, now, read) : { detail }) };
}

function remarks(change: FieldChange, action: Action): readonly string[] {
  const found: string[] = [];
  if (change.cannotClear === true) found.push('stays: the platform has no way to clear it');
  else if (change.new === undefined && change.old !== undefined && action !== 'delete' && action !== 'forget')
    found.push('back to the platform default');
  if (action === 'replace' && change.rule === 'replace') found.push('forces replacement');
  if ((action === 'update' || action === 'replace') && change.cause !== 'config')
    found.push(change.cause === 'drift' ? 'changed outside' : 'changed in the file and outside');
  const waits = unknownFrom(change.new);
  if (waits !== undefined && waits.length > 0) found.push(`from ${waits.map(visible).join(', ')}`);
  return found;
}

function side(
  key: 'old' | 'new',
  value: PlanValue | undefined,
  read: StructuredReader,
): Pick<FieldView, 'old' | 'new'> {
  return value === undefined ? {} : { [key]: brief(value, read) };
}

function oneSided(key: 'old' | 'new', value: PlanValue | undefined, read: StructuredReader): Partial<FieldView> {
  if (value === undefined) return {};
  const lines = wholeLines(value);
  if (lines === undefined) return { [key]: inline(value) };
  const about = typeof value === 'string' ? textSummary(value, read) : undefined;
  const detail = { kind: 'lines', removed: key === 'old' ? lines : [], added: key === 'new' ? lines : [] } as const;
  return { ...(about === undefined || about.startsWith('"') ? {} : { [key]: about }), detail };
}

function bothSides(old: PlanValue, now: PlanValue, read: StructuredReader): Partial<FieldView> {
  const removed = wholeLines(old);
  const added = wholeLines(now);
  if (removed === undefined && added === undefined) return { old: inline(old), new: inline(now) };
  return {
    ...side('old', old, read),
    ...side('new', now, read),
    detail: { kind: 'lines', removed: removed ?? [inline(old)], added: added ?? [inline(now)] },
  };
}

/** The lines of a value that is too much for one; undefined when it is not. */
function wholeLines(value: PlanValue): readonly string[] | undefined {
  if (typeof value === 'string')
    return isLong(value) ? value.replace(/\n$/, '').split('\n').map(visibleLine) : undefined;
  return inline(value).length > widestValue ? expanded(value) : undefined;
}

function structureDetail(old: PlanValue, now: PlanValue, read: StructuredReader): FieldDetail | undefined {
  const before = parsed(old, read);
  const after = parsed(now, read);
  if (before === undefined || after === undefined) return undefined;
  const changes = structuralDiff(before, after);
  // Only layout or comments differ: the text is what changed.
  if (changes.length === 0 || changes.some((found) => found.path === '')) return undefined;
  const specification = openApiDiff(before, after);
  return { kind: 'paths', changes, ...defined({ specification }) };
}

function textDetail(old: PlanValue, now: PlanValue): FieldDetail | undefined {
  if (typeof old !== 'string' || typeof now !== 'string' || !(isLong(old) || isLong(now))) return undefined;
  const hunks = textHunks(old, now);
  if (hunks === undefined) return undefined;
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const starting = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  return { kind: 'hunks', hunks, added: starting('+'), removed: starting('-') };
}
