import { type Json, type JsonObject, isJsonObject, mergePatch } from '../json.js';
import { type Answer, type Call, noContent } from '../route.js';
import { behavioursOf } from '../behaviours/table.js';
import { moveTo } from '../behaviours/tree.js';
import { conflict } from '../problem.js';
import { isNullable } from './check-body.js';
import { above, plain, type Place } from './families.js';
import { untouchedItem } from './fixed-sets.js';
import { holdsConstants, outputs, touched, withDefaults } from './object.js';
import { bodyOf, callFor, idsIn, missing, type Objects } from './objects.js';
import { mustBeOfTakenKind } from './taken-kinds.js';

/** GET of one object. A lone one that nobody makes is always there, and so is one of a fixed set. */
export function readItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, calls } = place;
  const collection = collectionOf(place);
  const schemas = calls.get.map((each) => description.answerOf(each).schema);
  const seen = behavioursOf(plain(collection)).flatMap((each) => each.seen ?? []);
  const lookedAt = (object: JsonObject): JsonObject => seen.reduce((now, look) => look(now), object);
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const kept = siblings.get(spot, own);
    const object = kept === undefined ? alwaysThere(objects, place, own) : lookedAt(kept);
    if (object === undefined) return missing(place, calls.get[0]);
    if (kept !== undefined && object !== kept) siblings.put(spot, own, object);
    const schema =
      schemas.length === 1
        ? schemas[0]
        : (schemas.find((each) => each !== undefined && holdsConstants(description, each, object)) ??
          schemas.find((each) => each !== undefined && knows(place, each, object)) ??
          schemas[0]);
    return { status: 200, body: objects.answer(collection, place, schema, object) };
  };
}

/** Path of the collection of an item; a lone object is its own. */
function collectionOf({ path }: Place): string {
  return path.endsWith('}') ? above(path) : path;
}

/** True where a schema has a member for everything in an object. */
function knows({ description }: Place, schema: Json, object: JsonObject): boolean {
  const { properties } = description.shapeOf(schema);
  return Object.entries(object).every(([name, value]) => value === null || properties.has(name));
}

function alwaysThere(objects: Objects, place: Place, own: string): JsonObject | undefined {
  const { description, path, calls } = place;
  if (path.endsWith('}'))
    return objects.fixedNames(above(path)).includes(own) ? untouchedItem(place, own, objects.world) : undefined;
  const first = behavioursOf(plain(path)).find((each) => each.first !== undefined)?.first;
  if (first !== undefined) return first;
  if (calls.post.length > 0) return undefined;
  const [change] = [...calls.put, ...calls.patch];
  if (change === undefined || calls.delete.length > 0) return undefined;
  const usual = withDefaults(description, description.bodyOf(change), {});
  return outputs(description, answerSchema(description, calls.get[0]), usual, {
    id: 'only',
    now: objects.world.now(),
  });
}

function answerSchema(description: Place['description'], call: JsonObject | undefined): Json | undefined {
  return call === undefined ? undefined : description.answerOf(call).schema;
}

/** PUT of an item, or POST and PUT of a lone object: it is made, or all that people declare of it is put in its place. */
export function putItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, path, calls } = place;
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const old = siblings.get(spot, own);
    if (old === undefined && path.endsWith('}') && objects.isMadeByPost(above(path)))
      return missing(place, calls.get[0]);
    const candidates = calls.put.length > 0 ? calls.put : calls.post;
    const given = bodyOf(place, candidates, call);
    const described = callFor(place, candidates, given);
    if (old !== undefined && calls.put.length === 0) throw conflict('There is one already');
    const schema = description.bodyOf(described);
    const body = withDefaults(description, schema, given);
    const { properties } = description.shapeOf(schema);
    const kept = Object.entries(old ?? {}).filter(
      ([name]) => name === 'id' || name === 'created_at' || !properties.has(name),
    );
    const object = { ...Object.fromEntries(kept), ...body, ...idOf(kept) };
    return stored(objects, place, call, { described, object, given, before: old });
  };
}

function idOf(kept: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(kept.filter(([name]) => name === 'id' || name === 'created_at'));
}

/** PATCH: members that are given, records merged into what is there; null stays null. */
export function changeItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, calls } = place;
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const isLone = !place.path.endsWith('}') && calls.post.length === 0;
    const old = siblings.get(spot, own) ?? alwaysThere(objects, place, own) ?? (isLone ? {} : undefined);
    if (old === undefined) return missing(place, calls.get[0]);
    const body = bodyOf(place, calls.patch, call);
    const described = callFor(place, calls.patch, body);
    const answered = description.shapeOf(answerSchema(description, calls.get[0] ?? described)).properties;
    const mayBeNull = (name: string): boolean => {
      const member = answered.get(name);
      return member === undefined || isNullable(description, member);
    };
    mustBeOfTakenKind(description, { made: objects.madeBy(place.path), changed: described }, body, old);
    const merged = Object.entries(body).map(([name, value]): [string, Json] => {
      const before = old[name];
      // Where answers know no null, it takes off what a map holds, and else says nothing.
      if (value === null && before !== undefined && !mayBeNull(name)) return [name, isJsonObject(before) ? {} : before];
      return [name, isJsonObject(value) && isJsonObject(before) ? mergePatch(before, value) : value];
    });
    const object = { ...old, ...Object.fromEntries(merged) };
    return stored(objects, place, call, { described, object, given: body, before: old });
  };
}

interface Written {
  /** What is said of the call. */
  readonly described: JsonObject;
  readonly object: JsonObject;
  readonly given: JsonObject;
  readonly before: JsonObject | undefined;
}

function stored(objects: Objects, place: Place, call: Call, { described, object, given, before }: Written): Answer {
  const { description, calls } = place;
  const collection = collectionOf(place);
  const { siblings, place: spot, own } = objects.spotOf(place, call);
  const { status, schema } = description.answerOf(described);
  const shape = answerSchema(description, calls.get[0]) ?? schema;
  const now = objects.world.now();
  const whole: JsonObject = {
    ...outputs(description, shape, object, { id: own, now, above: idsIn(place.path, call) }),
    ...touched(description, shape, object, now),
  };
  const step = { siblings, place: spot, own, given, before, query: call.query };
  const kept = objects.keep(collection, whole, step);
  return schema === undefined ? { status } : { status, body: objects.answer(collection, place, schema, kept) };
}

export function deleteItem(objects: Objects, place: Place): (call: Call) => Answer {
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const isPutBack = alwaysThere(objects, place, own) !== undefined;
    const object = siblings.get(spot, own);
    if (object === undefined) return isPutBack ? noContent : missing(place, place.calls.get[0]);
    objects.end(collectionOf(place), object, {
      siblings,
      place: spot,
      own,
      given: {},
      before: object,
      query: call.query,
    });
    return noContent;
  };
}

/** Puts an item among others of a tree. */
export function moveItem(objects: Objects, place: Place): (call: Call) => Answer {
  const item: Place = { ...place, path: above(place.path) };
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(item, call);
    const given = bodyOf(place, place.calls.post, call);
    callFor(place, place.calls.post, given);
    const { index = 0 } = given;
    const step = { siblings, place: spot, own, given, before: siblings.get(spot, own), query: call.query };
    moveTo(
      { ...step, world: objects.world, siblingsOf: (path) => objects.siblingsOf(path) },
      'parent_document_id',
      Number(index),
    );
    return noContent;
  };
}
