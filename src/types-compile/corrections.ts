import { didYouMean } from '../engine/model/nearest.js';
import { patternOf } from '../engine/model/pattern.js';
import type { CompiledField } from './body-fields.js';
import { refused } from './read-document.js';
import type { Correction } from './correction.js';
import type { Rules } from './rules-file.js';

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
    if (fitting.length === 0) throw stray('type', pattern, [...types.keys()]);
    const unknown = Object.keys(fields).find((name) =>
      fitting.every(([, own]) => own.every((each) => each.name !== name)),
    );
    if (unknown === undefined) continue;
    const near = fitting.flatMap(([, own]) => own.map((each) => `${pattern}.${each.name}`));
    throw stray('field', `${pattern}.${unknown}`, near);
  }
}

/** A name for what is made at a path where nothing is made is a typing error, too. */
export function mustBeMade({ names }: Rules, paths: readonly string[]): void {
  const made = new Set(paths);
  const unknown = Object.keys(names).find((path) => !made.has(path));
  if (unknown !== undefined) throw stray('create call', unknown, paths);
}

function stray(what: string, name: string, known: readonly string[]): ReturnType<typeof refused> {
  const verb = what === 'create call' ? 'to name' : 'to correct';
  return refused('wrong-correction', `There is no ${what} ${name} ${verb}.`, didYouMean(name, known));
}

export function reasonsOf({ corrections }: Rules): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(corrections).flatMap(([type, { why, fields = {} }]) => [
      [type, why],
      ...Object.entries(fields).map(([field, rows]) => [`${type}.${field}`, rows.why]),
    ]),
  );
}
