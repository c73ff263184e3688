import { defined } from '@platform-sync/core/model/value';
import type { PlanValue } from '@platform-sync/core/model/plan';
import { structuralDiff } from '../diff/structural-diff.js';
import type { StructuredReader } from '../diff/structured-text.js';
import { textHunks } from '../diff/text-diff.js';
import { openApiDiff } from '../openapi/diff.js';
import { type Comparison, type FieldDetail, isLong, parsed } from './field-view.js';

/** By structure, where both sides have one; else line by line. Loaded for a plan that changes such a value. */
export const compared: Comparison = (old, now, read) => structureDetail(old, now, read) ?? textDetail(old, now);

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
