import type { Json, JsonObject } from '../../engine/model/value.js';
import { asObject } from '../http/json.js';

/** A member of nested records by its dotted path; undefined when any record on the way is missing or null. */
export function memberAt(value: Json | undefined, path: string): Json | undefined {
  let at = value;
  for (const name of path.split('.')) at = asObject(at)?.[name];
  return at ?? undefined;
}

/** The nested records in which each dotted path holds its value; undefined values are left out. */
export function nestedRecord(members: Iterable<readonly [path: string, value: Json | undefined]>): JsonObject {
  const root: Record<string, Json> = {};
  for (const [path, value] of members) {
    if (value === undefined) continue;
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) at = (at[name] ??= {}) as Record<string, Json>;
    at[last] = value;
  }
  return root;
}
