import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { limits } from '../words/limits.js';
import { isRecord } from '../words/value.js';

/** Members that hold more members, at most: deeper ones are told by their kind alone. */
const deepest = 6;

/** What records and lists of records hold: a row for each member, below the one that it is in. `secrets` are paths of members. */
export function memberRows(
  schema: JsonObject,
  secrets: readonly string[] = [],
  depth = 1,
): readonly (readonly string[])[] {
  if (depth > deepest) return [];
  const items = isRecord(schema['items']) ? memberRows(schema['items'], secrets, depth) : [];
  const required = new Set(branches(schema).flatMap((each) => (isList(each['required']) ? each['required'] : [])));
  const inside = [...membersOf(schema)].flatMap(([name, member]): readonly (readonly string[])[] => {
    const notes = [
      ...limits(member),
      ...(required.has(name) ? ['required'] : kindsRequiring(schema, name)),
      ...(secrets.includes(name) ? ['secret'] : []),
      ...defaultOf(member),
    ];
    const below = secrets.flatMap((path) => (path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : []));
    return [
      [`${'  '.repeat(depth + 1)}${name}`, kindOf(member), notes.join('; ')],
      ...memberRows(member, below, depth + 1),
    ];
  });
  return [...items, ...inside];
}

/** The kinds of a record that must have a member which others need not have. */
function kindsRequiring({ allOf }: JsonObject, name: string): readonly string[] {
  const kinds = (isList(allOf) ? allOf : []).filter(isRecord).flatMap(({ if: condition, then }) => {
    const required = isRecord(then) ? then['required'] : undefined;
    return isRecord(condition) && isList(required) && required.includes(name) ? constantsIn(condition) : [];
  });
  return kinds.length === 0 ? [] : [`required where it is ${kinds.join(', ')}`];
}

function constantsIn({ properties }: JsonObject): readonly string[] {
  const kinds = Object.values(isRecord(properties) ? properties : {});
  return kinds.filter(isRecord).map((kind) => String(kind['const']));
}

/** `integer`, `number`, or `any` where a schema says nothing. */
export function kindOf({ type }: JsonObject): string {
  const kinds = [type ?? 'any'].flat().filter((kind) => kind !== 'null');
  return kinds.map(String).join(' or ');
}

function defaultOf({ default: value }: JsonObject): readonly string[] {
  return value === undefined || value === null ? [] : [`${JSON.stringify(value)} when left out`];
}

/** Of a union, those of all its branches. */
export function membersOf(schema: JsonObject): ReadonlyMap<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const { properties } of branches(schema))
    for (const [name, member] of Object.entries(isRecord(properties) ? properties : {}))
      if (isRecord(member)) found.set(name, together(found.get(name) ?? {}, member));
  return found;
}

/** What two branches say of one member, and of what is in it. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const inside = membersOf({ allOf: [one, other].map(({ properties = {} }) => ({ properties })) });
  return { ...one, ...other, ...(inside.size > 0 && { properties: Object.fromEntries(inside) }) };
}

function branches(schema: JsonObject): readonly JsonObject[] {
  const inner = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((key): readonly Json[] => {
    const each = schema[key];
    return isList(each) ? each : [];
  });
  return [schema, ...inner.filter(isRecord)];
}
