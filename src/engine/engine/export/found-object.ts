import { compareText } from '@platform-sync/core/model/address';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { FieldRule, Nesting, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** An object of the platform, with all that could be read of it. */
export interface FoundObject {
  readonly type: ResourceType;
  readonly identity: Identity;
  /** Catalogue names; the ids of the object's place count as fields. */
  readonly values: JsonObject;
}

export function keyOf({ type, identity }: FoundObject): string {
  return identityKey(type.token, identity);
}

/** The object that a nesting rule puts this one under. */
export function keyAbove(
  { values }: Pick<FoundObject, 'values'>,
  { under, field, inherits }: Nesting,
): string | undefined {
  const id = values[field];
  const scope = Object.fromEntries(inherits.map((name) => [name, String(values[name] ?? '')]));
  return typeof id === 'string' ? identityKey(under, { id, scope }) : undefined;
}

/** The object whose id a field holds, among those of `known` keys: it stands alone, or in what this one stands in, too. */
export function referencedIn<T>(
  known: ReadonlyMap<string, T>,
  object: FoundObject,
  { name, references }: FieldRule,
): T | undefined {
  if (references === undefined) return undefined;
  const places = Object.keys(object.identity.scope);
  const shared = Array.from({ length: places.length + 1 }, (_, count) => places.slice(0, count));
  const nested = object.type.nesting.filter(({ field, under }) => field === name && under === references);
  const keys = [...nested.map(({ inherits }) => inherits), ...shared].map((inherits) =>
    keyAbove(object, { under: references, field: name, inherits }),
  );
  return keys.map((key) => known.get(key ?? '')).find((found) => found !== undefined);
}

/** The objects this one lives in: the one above it on the platform, and those it is nested under. */
export function containersOf(object: FoundObject): readonly string[] {
  const parent = parentIdentity(object.type, object.identity);
  const above = parent === undefined ? undefined : identityKey(object.type.parent?.type ?? '', parent);
  const nested = object.type.nesting.map((nesting) => keyAbove(object, nesting));
  return [above, ...nested].filter((key) => key !== undefined);
}

/** Natural-key fields that are the object's own, not its place. */
export function ownKeyFields(type: ResourceType): readonly string[] {
  const nested = type.nesting.flatMap(({ field, inherits }) => [field, ...inherits]);
  const places = new Set([type.parent?.field, ...type.collection.scope, ...nested]);
  return type.naturalKey.filter((field) => !places.has(field));
}

/** A key may be a text of many lines: a certificate. */
function onOneLine(text: string): string {
  const [line = '', ...others] = text.split('\n');
  return others.length === 0 && line.length <= 100 ? line : `${line.slice(0, 100)} …`;
}

/** What people call it, for messages. */
export function describeObject(object: FoundObject): string {
  const name = ownKeyFields(object.type)
    .map((field) => object.values[field])
    .filter((value) => typeof value === 'string' && value !== '')
    .join(' ');
  return `${object.type.name} ${name === '' ? '' : `"${onOneLine(name)}" `}(id ${object.identity.id})`;
}

/** By type in schema order, then natural key, then id: the same whatever the order of the platform's answers. */
export function sortObjects(
  objects: readonly FoundObject[],
  types: ReadonlyMap<string, ResourceType>,
): readonly FoundObject[] {
  const rank = new Map([...types.keys()].map((token, at) => [token, at]));
  return objects
    .map((object) => ({
      object,
      rank: rank.get(object.type.token) ?? 0,
      text: sortText(ownKeyFields(object.type).map((field) => object.values[field] ?? null)),
    }))
    .sort(
      (a, b) =>
        a.rank - b.rank || compareText(a.text, b.text) || compareText(a.object.identity.id, b.object.identity.id),
    )
    .map(({ object }) => object);
}

function sortText(values: readonly Json[]): string {
  return values
    .map((value) => (typeof value === 'string' ? value : value === null ? '' : canonicalJson(value)))
    .join('\u0000');
}

/** Takes objects out, with everything that lives in them. `dropped` holds keys. */
export function withoutLiving(objects: readonly FoundObject[], dropped: ReadonlySet<string>): readonly FoundObject[] {
  if (dropped.size === 0) return objects;
  const below = new Map<string, string[]>();
  for (const object of objects) {
    for (const container of containersOf(object)) {
      const list = below.get(container) ?? [];
      list.push(keyOf(object));
      below.set(container, list);
    }
  }
  const gone = new Set(dropped);
  const open = [...dropped];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    for (const inside of below.get(key) ?? []) {
      if (gone.has(inside)) continue;
      gone.add(inside);
      open.push(inside);
    }
  }
  return objects.filter((object) => !gone.has(keyOf(object)));
}
