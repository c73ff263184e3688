import { patternOf } from '../engine/model/pattern.js';
import type { CompiledField } from './fields.js';
import { refused } from './read-document.js';
import type { Correction, Rules } from './rules-file.js';

/** What is corrected about a type: by patterns (`Gateway*`) first, by its own name last. */
export function correctionOf({ corrections }: Rules, name: string): Correction | undefined {
  const fitting = Object.entries(corrections).filter(([pattern]) => isFor(pattern, name));
  if (fitting.length === 0) return undefined;
  const ordered = [...fitting].sort(([a], [b]) => Number(a === name) - Number(b === name));
  return ordered.reduce<Correction>(
    (whole, [, next]) => ({
      ...whole,
      ...next,
      fields: { ...whole.fields, ...next.fields },
      accepted: [...(whole.accepted ?? []), ...(next.accepted ?? [])],
    }),
    { why: '' },
  );
}

function isFor(pattern: string, name: string): boolean {
  return pattern === name || (pattern.includes('*') && patternOf(pattern).test(name));
}

/** The fields with what is corrected about them, and those that only corrections know. */
export function correctedFields(
  fields: readonly CompiledField[],
  correction: Correction | undefined,
): readonly CompiledField[] {
  return fields.map((each) => {
    const rows = correction?.fields?.[each.name];
    if (rows === undefined) return each;
    const { why: _, ...own } = rows;
    return { ...each, field: { ...each.field, ...own }, rule: 'correction' };
  });
}

/** A correction that fits nothing is a typing error, or the description has moved on. */
export function mustFit({ corrections }: Rules, types: ReadonlyMap<string, readonly CompiledField[]>): void {
  for (const [pattern, { skip, fields = {} }] of Object.entries(corrections)) {
    if (skip === true) continue;
    const fitting = [...types].filter(([name]) => isFor(pattern, name));
    if (fitting.length === 0) throw refused('wrong-correction', `There is no type ${pattern} to correct.`);
    const stray = Object.keys(fields).find((name) =>
      fitting.every(([, own]) => own.every((each) => each.name !== name)),
    );
    if (stray !== undefined) throw refused('wrong-correction', `There is no field ${pattern}.${stray} to correct.`);
  }
}

export function reasonsOf({ corrections }: Rules): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(corrections).flatMap(([type, { why, fields = {} }]) => [
      [type, why],
      ...Object.entries(fields).map(([field, rows]) => [`${type}.${field}`, rows.why]),
    ]),
  );
}
