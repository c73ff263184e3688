import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { invalid, notFound } from '../problem.js';
import type { Answer, Call } from '../route.js';
import type { World } from '../store/world.js';
import { bodyProblems } from './check-body.js';
import type { Description } from './description.js';
import { above, plain, type Place, type Places } from './families.js';
import { fixedNames, untouchedItem } from './fixed-sets.js';
import { mustFit, type Placement } from './gateway.js';
import { holdsConstants, shown } from './object.js';
import { describedSiblings, sharedSiblings } from './store.js';
import { mustBeTaken } from './refusals.js';
import { withOwnParts, withoutOwnNulls } from './own-parts.js';
import type { Siblings } from './siblings.js';

/** Where an object lies: the path of its collection with ids, and its own id; a lone object is its path's only one. */
interface Spot {
  readonly siblings: Siblings;
  readonly place: string;
  readonly own: string;
}

/** What all described calls share: where objects lie, which description of a call is meant, how an object is answered. */
export class Objects {
  readonly world: World;
  readonly #places: Places;
  readonly #described: Siblings;
  readonly #shared: ReadonlyMap<string, Siblings>;

  constructor(world: World, places: Places) {
    this.world = world;
    this.#places = places;
    this.#described = describedSiblings(world);
    this.#shared = sharedSiblings(world);
  }

  spotOf({ path }: Place, call: Call): Spot {
    if (!path.endsWith('}')) return { siblings: this.#described, place: filled(path, call), own: 'only' };
    const collection = above(path);
    return {
      siblings: this.siblingsOf(collection),
      place: filled(collection, call),
      own: call.param(lastParameter(path)),
    };
  }

  siblingsOf(collection: string): Siblings {
    return this.#shared.get(plain(collection)) ?? this.#described;
  }

  /** The object as it is kept. Throws what speaks against it. */
  keep(
    at: Omit<Placement, 'siblingsOf'>,
    object: JsonObject,
    siblings: Siblings = this.siblingsOf(at.path),
  ): JsonObject {
    mustBeTaken(object, { ...at, world: this.world });
    mustFit({ ...at, siblingsOf: (path) => this.siblingsOf(path) }, object);
    const whole = withOwnParts(at.path, object);
    siblings.put(at.place, at.own, whole);
    return siblings.get(at.place, at.own) ?? whole;
  }

  /** True where an item of a collection has a GET of its own. */
  isReadAlone(collection: string): boolean {
    return (this.#places.get(`${plain(collection)}/{}`)?.calls.get.length ?? 0) > 0;
  }

  /** What the path of an item calls the parameter that it ends with. */
  itemName(collection: string): string {
    return lastParameter(this.#places.get(`${plain(collection)}/{}`)?.path ?? '{id}');
  }

  /** Names of the items of a collection that are there before anybody changes one. */
  fixedNames(collection: string): readonly string[] {
    return fixedNames(this.#places.get(`${plain(collection)}/{}`), this.#places.get(plain(collection))) ?? [];
  }

  /** All of a collection: what is kept, and what of a fixed set nobody has changed. */
  all(collection: string, place: string): readonly JsonObject[] {
    const kept = this.siblingsOf(collection).all(place);
    const item = this.#places.get(`${plain(collection)}/{}`);
    const changed = new Set(kept.map(({ name }) => name));
    const names = this.fixedNames(collection).filter((name) => !changed.has(name));
    return item === undefined ? kept : [...kept, ...names.map((name) => untouchedItem(item, name, this.world))];
  }

  /** What is said of the call that makes an item. */
  madeBy(item: string): readonly JsonObject[] {
    return this.#places.get(plain(above(item)))?.calls.post ?? [];
  }

  isMadeByPost(collection: string): boolean {
    return (this.#places.get(plain(collection))?.calls.post.length ?? 0) > 0;
  }

  /** Nothing lies in what is not there. */
  mustHaveParents({ path }: Place, call: Call): void {
    const parameters = [...path.matchAll(/\{[^}]*\}/g)];
    const inside = path.endsWith('}') ? parameters.slice(0, -1) : parameters;
    for (const found of inside) {
      const prefix = path.slice(0, found.index + found[0].length);
      const collection = above(prefix);
      if (!this.#shared.has(plain(collection)) && !this.isMadeByPost(collection)) continue;
      const own = call.param(found[0].slice(1, -1));
      if (this.siblingsOf(collection).get(filled(collection, call), own) === undefined) throw notFound();
    }
  }
}

function lastParameter(path: string): string {
  return path.slice(path.lastIndexOf('{') + 1, path.lastIndexOf('}'));
}

/** The ids of a path by the names they have in answers: `service_id` of `{serviceId}`. */
export function idsIn(path: string, call: Call): JsonObject {
  const names = [...path.matchAll(/\{([^}]*)\}/g)].map((found) => found[1] ?? '');
  return Object.fromEntries(names.map((name) => [snakeCase(name), call.param(name)]));
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A path with the ids of a call. */
export function filled(path: string, call: Call): string {
  return path.replace(/\{([^}]*)\}/g, (_, name: string) => call.param(name));
}

/** Of several descriptions of one call the one whose body is meant. Throws what is wrong with the body. */
export function callFor({ description, path }: Place, calls: readonly JsonObject[], given: JsonObject): JsonObject {
  const body = withoutOwnNulls(path, given);
  const told = calls.filter((call) => holdsConstants(description, description.bodyOf(call) ?? {}, body));
  const candidates = told.length > 0 ? told : calls;
  const problems = candidates.map((call) => bodyProblems(description, description.bodyOf(call), body));
  const fitting = candidates[problems.findIndex((each) => each.length === 0)];
  if (fitting === undefined) throw invalid(...(problems[0] ?? []));
  return fitting;
}

export function bodyOf(call: Call): JsonObject {
  const body = (call.body ?? {}) as Json;
  if (!isJsonObject(body))
    throw invalid({ field: 'body', rule: 'is_object', reason: 'must be an object', source: 'body' });
  return body;
}

/** An object as an answer of a schema shows it, inside of the member that holds it where there is one. */
export function rendered(description: Description, schema: Json | undefined, object: JsonObject): JsonObject {
  const { properties, either } = description.shapeOf(schema);
  const known = [
    ...properties.keys(),
    ...either.flatMap((branch) => [...description.shapeOf(branch).properties.keys()]),
  ];
  if (known.some((name) => Object.hasOwn(object, name))) return shown(description, schema, object);
  for (const [name, member] of properties) {
    const inner = shown(description, member, object);
    if (Object.keys(inner).length > 0) return { [name]: inner };
  }
  return {};
}

/** The answer for an object that is not there, with or without a body as described. */
export function missing({ description }: Place, call: JsonObject | undefined): Answer {
  if (call !== undefined && description.missingOf(call)?.length === 0) return { status: 404 };
  throw notFound();
}
