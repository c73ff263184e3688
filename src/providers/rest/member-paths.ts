import { emptyRecord, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { asList, asObject } from './http/json.js';

/** A member of nested records by its dotted path; undefined when any record on the way is missing or null. */
export function memberAt(value: Json | undefined, path: string): Json | undefined {
  let at = value;
  for (const name of path.split('.')) at = ownMember(asObject(at) ?? {}, name);
  return at ?? undefined;
}

/** What stands at a dotted path, null too; of a list, that of each item. Undefined where any record on the way is missing. */
export function valueAt(record: JsonObject, path: string): Json | undefined {
  const dot = path.indexOf('.');
  if (dot < 0) return Object.hasOwn(record, path) ? record[path] : undefined;
  const head = path.slice(0, dot);
  return inside(Object.hasOwn(record, head) ? record[head] : undefined, path.slice(dot + 1));
}

function inside(value: Json | undefined, path: string): Json | undefined {
  if (value === undefined || value === null) return value;
  const items = asList(value);
  if (items === undefined) {
    const record = asObject(value);
    return record === undefined ? undefined : valueAt(record, path);
  }
  return items.map((item) => inside(item, path) ?? null);
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
