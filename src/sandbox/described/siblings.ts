import type { JsonObject } from '../json.js';
import type { Row } from '../store/collection.js';
import { kinds, type Kind } from '../store/kinds.js';
import type { World } from '../store/world.js';

/** Objects of one collection: `place` is its path with the ids of what it lies in. */
export interface Siblings {
  all(place: string): readonly JsonObject[];
  get(place: string, own: string): JsonObject | undefined;
  /** Those of every place. */
  everywhere(): readonly JsonObject[];
  /** Those of the place, or of every place, whose member is a text. */
  find(place: string | undefined, member: string, text: string): readonly JsonObject[];
  put(place: string, own: string, object: JsonObject): void;
  /** What lies in it ends with it. */
  delete(place: string, own: string): void;
}

/** Everything that descriptions tell of and that has no kind of its own. */
export function describedSiblings(world: World): Siblings {
  const rows = world.rows('described');
  const objectOf = (row: Row): JsonObject => row['object'] as JsonObject;
  const all = (place: string): readonly JsonObject[] => rows.find('place', place).map(objectOf);
  return {
    all,
    get: (place, own) => {
      const row = rows.get(`${place}/${own}`);
      return row === undefined ? undefined : objectOf(row);
    },
    everywhere: () => rows.all().map(objectOf),
    find: (place = '', member, text) => all(place).filter((object) => object[member] === text),
    put: (place, own, object) => {
      const id = `${place}/${own}`;
      const now = world.now();
      rows.put({ id, place, object, created_at: rows.get(id)?.['created_at'] ?? now, updated_at: now });
    },
    delete: (place, own) => {
      rows.delete(`${place}/${own}`);
      endInside(world, `${place}/${own}`);
    },
  };
}

/** Collections that have a name of their own, by their paths. */
export function namedSiblings(world: World): ReadonlyMap<string, Siblings> {
  return new Map(kinds.map((kind) => [kind.path, siblingsOf(world, kind)]));
}

function siblingsOf(world: World, kind: Kind): Siblings {
  const { parent, own: ownMember } = kind;
  const rows = world.rows(kind.name);
  const idOf = (place: string, own: string): string => {
    if (ownMember === undefined) return idAbove(kind, place);
    return ownMember === 'id' ? own : `${idAbove(kind, place)}/${own}`;
  };
  const inside = once(() =>
    (kindsIn.get(`${kind.path}/{}`) ?? []).map((inner) => ({ kind: inner, siblings: siblingsOf(world, inner) })),
  );
  const isThere = (place: string, row: Row): boolean =>
    parent === undefined || parent === 'id' || row[parent] === idAbove(kind, place);
  return {
    all: (place) => (parent === undefined ? rows.all() : rows.find(parent, idAbove(kind, place))),
    get: (place, own) => {
      const row = rows.get(idOf(place, own));
      return row !== undefined && isThere(place, row) ? row : undefined;
    },
    everywhere: () => rows.all(),
    find: (place, member, text) => rows.find(member, text).filter((row) => place === undefined || isThere(place, row)),
    put: (place, own, object) => {
      rows.put({ ...object, ...membersAbove(kind, place, own), id: idOf(place, own) });
    },
    delete: (place, own) => {
      rows.delete(idOf(place, own));
      if (ownMember === undefined) return;
      const item = `${place}/${own}`;
      endInside(world, item);
      for (const inner of inside()) {
        const inPlace = item + inner.kind.path.slice(kind.path.length + 3);
        for (const row of inner.siblings.all(inPlace))
          inner.siblings.delete(inPlace, inner.kind.own === undefined ? 'only' : String(row[inner.kind.own]));
      }
    },
  };
}

/** The id of what a place lies in. */
function idAbove({ depth }: Kind, place: string): string {
  return place.split('/')[depth] ?? '';
}

function membersAbove(kind: Kind, place: string, own: string): JsonObject {
  const { parent, own: member } = kind;
  return {
    ...(parent === undefined || parent === 'id' ? {} : { [parent]: idAbove(kind, place) }),
    ...(member === undefined || member === 'id' ? {} : { [member]: own }),
  };
}

/** What of no kind of its own lies in an object ends with it. */
export function endInside(world: World, item: string): void {
  const others = world.rows('described');
  for (const row of others.all()) {
    const place = String(row['place']);
    if (place === item || place.startsWith(`${item}/`)) others.delete(row.id);
  }
}

/** Kinds by the path of what their objects lie in. */
const kindsIn = new Map<string, readonly Kind[]>();
for (const kind of kinds) {
  const above = kind.path.slice(0, kind.path.lastIndexOf('{}') + 2);
  kindsIn.set(above, [...(kindsIn.get(above) ?? []), kind]);
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
