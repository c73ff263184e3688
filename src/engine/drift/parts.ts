import { isObject } from '../model/value.js';
import type { Json, JsonObject } from '../model/value.js';

/** What a list of paths leaves out of one field: nothing, all of it, or parts. */
export type LeftOut = 'all' | readonly (readonly string[])[];

/** The paths (`labels`, `labels.team`, `*`) that concern a field. */
export function leftOut(field: string, paths: readonly string[]): LeftOut {
  if (paths.includes('*') || paths.includes(field)) return 'all';
  return paths.map((path) => path.split('.')).flatMap(([name, ...rest]) => (name === field ? [rest] : []));
}

/** The recorded value with the left out parts as the platform has them, so that they make no difference. */
export function withActualParts(
  recorded: Json | undefined,
  actual: Json | undefined,
  parts: readonly (readonly string[])[],
): Json | undefined {
  return parts.reduce((value, path) => withPart(value, path, actual), recorded);
}

function withPart(
  value: Json | undefined,
  [key, ...rest]: readonly string[],
  actual: Json | undefined,
): Json | undefined {
  if (key === undefined) return actual;
  const members = new Map(Object.entries(record(value)));
  const part = withPart(members.get(key), rest, record(actual)[key]);
  if (part === undefined) members.delete(key);
  else members.set(key, part);
  return Object.fromEntries(members);
}

/** The members of a map, which may be spelt as JSON text. */
function record(value: Json | undefined): JsonObject {
  const parsed = typeof value === 'string' ? parse(value) : value;
  return isObject(parsed) ? parsed : {};
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
