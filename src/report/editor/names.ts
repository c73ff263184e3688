import type { JsonObject } from '@platform-sync/core/model/value';

/** What a catalogue file may name. */
export interface Named {
  readonly shortToken: string;
  readonly token: string;
}

/** The short and the full one. */
export function names(named: Named): readonly string[] {
  return [named.shortToken, named.token];
}

/** Editors offer what an `enum` lists: the short names. The full ones are right, too. */
export function oneOfNames(all: readonly Named[]): JsonObject {
  const full = { type: 'string', pattern: `^(?:${all.map(({ token }) => token).join('|')})$` };
  return { anyOf: [{ enum: all.map(({ shortToken }) => shortToken) }, full] };
}

/** A pattern: while something is typed, editors take the beginning of a word in an `enum` for the word. */
export function named(...some: readonly Named[]): JsonObject {
  return { type: 'string', pattern: `^(?:${some.flatMap(names).join('|')})$` };
}
