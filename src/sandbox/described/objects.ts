import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { invalid, notFound } from '../problem.js';
import type { Answer, Call } from '../route.js';
import type { World } from '../store/world.js';
import { bodyProblems } from './check-body.js';
import type { Description } from './description.js';
import { above, plain, type Place, type Places } from './families.js';
import { fixedNames, untouchedItem } from './fixed-sets.js';
import { mustBeFree, mustFit } from './gateway.js';
import { holdsConstants, shown } from './object.js';
import { describedSiblings, namedSiblings, type Siblings } from './siblings.js';
import type { Step } from '../behaviours/behaviour.js';
import { behavioursOf } from '../behaviours/table.js';
import { mustBeTaken } from './refusals.js';
import { withOwnParts, withoutOwnNulls } from './own-parts.js';

/** Where an object lies: the path of its collection with ids, and its own id; a lone object is its path's only one. */
interface Spot {
  readonly siblings: Siblings;
  readonly place: string;
  readonly own: string;
}

/** What all described calls share: where objects lie, which description of a call is meant, how an object is answered. */
export class Objects {
  readonly world: World;
  readonly places: Places;
  readonly #described: Siblings;
  readonly #named: ReadonlyMap<string, Siblings>;
  readonly #parents = new Map<string, readonly Parent[]>();

  constructor(world: World, places: Places) {
    this.world = world;
    this.places = places;
    this.#described = describedSiblings(world);
    this.#named = namedSiblings(world);
  }

  spotOf({ path }: Place, call: Call): Spot {
    if (!path.endsWith('}')) return { siblings: this.siblingsOf(path), place: filled(path, call), own: 'only' };
    const collection = above(path);
    return {
      siblings: this.siblingsOf(collection),
      place: filled(collection, call),
      own: call.param(lastParameter(path)),
    };
  }

  siblingsOf(collection: string): Siblings {
    return this.#named.get(plain(collection)) ?? this.#described;
  }

  #whole(step: Asked): Step {
    return { ...step, world: this.world, siblingsOf: (path) => this.siblingsOf(path) };
  }

  /** The object as it is kept. Throws what speaks against it. */
  keep(path: string, object: JsonObject, step: Asked): JsonObject {
    const whole = this.#whole(step);
    const { place, own, siblings } = step;
    const at = { path, place, own, world: this.world, siblingsOf: (other: string) => this.siblingsOf(other) };
    mustBeTaken(object, at);
    const behaviours = behavioursOf(plain(path));
    const settled = behaviours.reduce((kept, { settle }) => settle?.(kept, whole) ?? kept, withOwnParts(path, object));
    mustFit(at, settled);
    this.world.together(() => {
      siblings.put(place, own, settled);
      for (const { after } of behaviours) after?.({ ...settled, id: own }, whole);
    });
    return siblings.get(place, own) ?? settled;
  }

  /** Takes an object away, with all that lies in it. Throws what keeps it. */
  end(path: string, object: JsonObject, step: Asked): void {
    const whole = this.#whole(step);
    const { place, own, siblings } = step;
    mustBeFree({ path, place, own, siblingsOf: (other) => this.siblingsOf(other) });
    this.world.together(() => {
      for (const { end } of behavioursOf(plain(path))) end?.(object, whole);
      siblings.delete(place, own);
    });
  }

  /** An object as answers show it; `schema` knows which of its members. */
  answer(path: string, { description }: Place, schema: Json | undefined, object: JsonObject): JsonObject {
    return rendered(description, schema, object, this.#otherwise(path, object));
  }

  /** Members that answers show otherwise than they are kept. */
  #otherwise(path: string, object: JsonObject): readonly JsonObject[] {
    const behaviours = behavioursOf(plain(path));
    if (behaviours.length === 0) return nothing;
    return behaviours.flatMap(({ show }): readonly JsonObject[] =>
      show === undefined ? nothing : [show(object, this.world)],
    );
  }

  /** True where an item of a collection has a GET of its own. */
  isReadAlone(collection: string): boolean {
    return (this.places.get(`${plain(collection)}/{}`)?.calls.get.length ?? 0) > 0;
  }

  /** What the path of an item calls the parameter that it ends with. */
  itemName(collection: string): string {
    return lastParameter(this.places.get(`${plain(collection)}/{}`)?.path ?? '{id}');
  }

  /** Names of the items of a collection that are there before anybody changes one. */
  fixedNames(collection: string): readonly string[] {
    return fixedNames(this.places.get(`${plain(collection)}/{}`), this.places.get(plain(collection))) ?? [];
  }

  /** All of a collection: what is kept, and what of a fixed set nobody has changed. */
  all(collection: string, place: string): readonly JsonObject[] {
    const kept = this.siblingsOf(collection).all(place);
    const item = this.places.get(`${plain(collection)}/{}`);
    const changed = new Set(kept.map(({ name }) => name));
    const names = this.fixedNames(collection).filter((name) => !changed.has(name));
    return item === undefined ? kept : [...kept, ...names.map((name) => untouchedItem(item, name, this.world))];
  }

  /** What is said of the call that makes an item. */
  madeBy(item: string): readonly JsonObject[] {
    return this.places.get(plain(above(item)))?.calls.post ?? [];
  }

  isMadeByPost(collection: string): boolean {
    return (this.places.get(plain(collection))?.calls.post.length ?? 0) > 0;
  }

  /** Nothing lies in what is not there. */
  mustHaveParents({ path }: Place, call: Call): void {
    const known = this.#parents.get(path) ?? this.#parentsIn(path);
    this.#parents.set(path, known);
    for (const { collection, own } of known)
      if (this.siblingsOf(collection).get(filled(collection, call), call.param(own)) === undefined) throw notFound();
  }

  #parentsIn(path: string): readonly Parent[] {
    const parameters = [...path.matchAll(/\{([^}]*)\}/g)];
    return (path.endsWith('}') ? parameters.slice(0, -1) : parameters).flatMap((found): readonly Parent[] => {
      const collection = above(path.slice(0, found.index + found[0].length));
      const isMade = this.#named.has(plain(collection)) || this.isMadeByPost(collection);
      return isMade ? [{ collection, own: found[1] ?? '' }] : [];
    });
  }
}

/** What a call says of a step. */
type Asked = Omit<Step, 'siblingsOf' | 'world'>;

/** Something that others lie in: its collection, and the parameter for its id. */
interface Parent {
  readonly collection: string;
  readonly own: string;
}

function lastParameter(path: string): string {
  return path.slice(path.lastIndexOf('{') + 1, path.lastIndexOf('}'));
}

interface Parts {
  /** What stands around the parameters. */
  readonly texts: readonly string[];
  readonly names: readonly string[];
}

const parts = new Map<string, Parts>();

/** A described path, taken apart once. */
function partsOf(path: string): Parts {
  const known = parts.get(path) ?? {
    texts: path.split(/\{[^}]*\}/),
    names: [...path.matchAll(/\{([^}]*)\}/g)].map((found) => found[1] ?? ''),
  };
  parts.set(path, known);
  return known;
}

/** The ids of a path by the names they have in answers: `service_id` of `{serviceId}`. */
export function idsIn(path: string, call: Call): JsonObject {
  return Object.fromEntries(partsOf(path).names.map((name) => [snakeCase(name), call.param(name)]));
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A path with the ids of a call. */
export function filled(path: string, call: Call): string {
  const { texts, names } = partsOf(path);
  return texts.reduce((whole, text, at) => whole + call.param(names[at - 1] ?? '') + text);
}

/** Of several descriptions of one call the one whose body is meant. Throws what is wrong with the body. */
export function callFor({ description, path }: Place, calls: readonly JsonObject[], given: JsonObject): JsonObject {
  const body = withoutOwnNulls(path, given);
  const told =
    calls.length === 1
      ? calls
      : calls.filter((call) => holdsConstants(description, description.bodyOf(call) ?? {}, body));
  const candidates = told.length > 0 ? told : calls;
  const problems = candidates.map((call) => bodyProblems(description, description.bodyOf(call), body));
  const fitting = candidates[problems.findIndex((each) => each.length === 0)];
  if (fitting === undefined) throw invalid(...(problems[0] ?? []));
  return fitting;
}

/** The body of a call, which may be none where nothing of it must be there. */
export function bodyOf(place: Place, calls: readonly JsonObject[], call: Call): JsonObject {
  const body = (call.body ?? null) as Json;
  const mayBeNone = (described: JsonObject): boolean =>
    bodyProblems(place.description, place.description.bodyOf(described), {}).length === 0;
  if (body === null && calls.some(mayBeNone)) return {};
  if (!isJsonObject(body))
    throw invalid({ field: 'body', rule: 'is_object', reason: 'an object is expected', source: 'body' });
  return body;
}

const nothing: readonly JsonObject[] = [];

/** An object as an answer of a schema shows it, inside of the member that holds it where there is one. */
export function rendered(
  description: Description,
  schema: Json | undefined,
  object: JsonObject,
  otherwise: readonly JsonObject[] = nothing,
): JsonObject {
  const { properties, either } = description.shapeOf(schema);
  const isOwn = holds(properties, object) || either.some((each) => holds(description.shapeOf(each).properties, object));
  if (isOwn) return shown(description, schema, object, otherwise);
  for (const [name, member] of properties) {
    const inner = shown(description, member, object, otherwise);
    if (Object.keys(inner).length > 0) return { [name]: inner };
  }
  return {};
}

function holds(known: ReadonlyMap<string, Json>, object: JsonObject): boolean {
  for (const name of known.keys()) if (Object.hasOwn(object, name)) return true;
  return false;
}

/** The answer for an object that is not there, with or without a body as described. */
export function missing({ description }: Place, call: JsonObject | undefined): Answer {
  if (call !== undefined && description.missingOf(call)?.length === 0) return { status: 404 };
  throw notFound();
}
