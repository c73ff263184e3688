import { emptyRecord } from '../../engine/model/empty-record.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { asObject } from '../http/json.js';

/** A member of nested records by its dotted path; undefined when any record on the way is missing or null. */
export function memberAt(value: Json | undefined, path: string): Json | undefined {
  let at = value;
  for (const name of path.split('.')) at = asObject(at)?.[name];
  return at ?? undefined;
}

/** What stands at a dotted path, null too; undefined where any record on the way is missing. */
export function valueAt(record: JsonObject, path: string): Json | undefined {
  const dot = path.lastIndexOf('.');
  if (dot < 0) return Object.hasOwn(record, path) ? record[path] : undefined;
  const above = asObject(memberAt(record, path.slice(0, dot)));
  return above === undefined ? undefined : valueAt(above, path.slice(dot + 1));
}

/** The nested records in which each dotted path holds its value; undefined values are left out. */
export function nestedRecord(members: Iterable<readonly [path: string, value: Json | undefined]>): JsonObject {
  const root = emptyRecord<Json>();
  for (const [path, value] of members) {
    if (value === undefined) continue;
    if (!path.includes('.')) {
      root[path] = value;
      continue;
    }
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) at = (at[name] ??= emptyRecord<Json>()) as Record<string, Json>;
    at[last] = value;
  }
  return root;
}
