import type { Diagnostic } from '../engine/model/diagnostic.js';
import { didYouMean } from '../engine/model/nearest.js';
import { patternOf } from '../engine/model/pattern.js';
import type { CompiledField } from './body-fields.js';
import { wrongCorrection } from './read-document.js';
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

/** Corrections that fit nothing: typing errors, or the description has moved on. */
export function strayCorrections(
  { corrections }: Rules,
  types: ReadonlyMap<string, readonly CompiledField[]>,
): readonly Diagnostic[] {
  return Object.entries(corrections).flatMap(([pattern, { skip, fields = {} }]): readonly Diagnostic[] => {
    if (skip === true) return [];
    const fitting = [...types].filter(([name]) => isFor(pattern, name));
    if (fitting.length === 0) return [stray('type', pattern, [...types.keys()])];
    const unknown = Object.keys(fields).filter((name) =>
      fitting.every(([, own]) => own.every((each) => each.name !== name)),
    );
    const near = fitting.flatMap(([, own]) => own.map((each) => `${pattern}.${each.name}`));
    return unknown.map((name) => stray('field', `${pattern}.${name}`, near));
  });
}

/** Names for what is made at a path where nothing is made are typing errors, too. */
export function strayNames({ names }: Rules, paths: readonly string[]): readonly Diagnostic[] {
  const made = new Set(paths);
  return Object.keys(names)
    .filter((path) => !made.has(path))
    .map((path) => stray('create call', path, paths));
}

function stray(what: string, name: string, known: readonly string[]): Diagnostic {
  const verb = what === 'create call' ? 'to name' : 'to correct';
  return wrongCorrection(`There is no ${what} ${name} ${verb}.`, didYouMean(name, known));
}

export function reasonsOf({ corrections }: Rules): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(corrections).flatMap(([type, { why, fields = {} }]) => [
      [type, why],
      ...Object.entries(fields).map(([field, rows]) => [`${type}.${field}`, rows.why]),
    ]),
  );
}
