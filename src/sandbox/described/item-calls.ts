import { type Json, type JsonObject, isJsonObject, mergePatch } from '../json.js';
import { type Answer, type Call, noContent } from '../route.js';
import { above, type Place } from './families.js';
import { untouchedItem } from './fixed-sets.js';
import { mustBeFree } from './gateway.js';
import { holdsConstants, outputs, timeOf, withDefaults } from './object.js';
import { bodyOf, callFor, idsIn, missing, rendered, type Objects } from './objects.js';
import { mustBeOfTakenKind } from './taken-kinds.js';

/** GET of one object. A lone one that nobody makes is always there, and so is one of a fixed set. */
export function readItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, calls } = place;
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const object = siblings.get(spot, own) ?? alwaysThere(objects, place, own);
    if (object === undefined) return missing(place, calls.get[0]);
    const schemas = calls.get.map((each) => description.answerOf(each).schema);
    const schema =
      schemas.find((each) => each !== undefined && holdsConstants(description, each, object)) ??
      schemas.find((each) => each !== undefined && knows(place, each, object)) ??
      schemas[0];
    return { status: 200, body: rendered(description, schema, object) };
  };
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
  if (calls.post.length > 0) return undefined;
  const [change] = [...calls.put, ...calls.patch];
  if (change === undefined || calls.delete.length > 0) return undefined;
  const first = withDefaults(description, description.bodyOf(change), {});
  return outputs(description, answerSchema(description, calls.get[0]), first, {
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
    const described = callFor(place, calls.put.length > 0 ? calls.put : calls.post, bodyOf(call));
    const schema = description.bodyOf(described);
    const body = withDefaults(description, schema, bodyOf(call));
    const { properties } = description.shapeOf(schema);
    const kept = Object.entries(old ?? {}).filter(
      ([name]) => name === 'id' || name === 'created_at' || !properties.has(name),
    );
    return stored(objects, place, call, described, { ...Object.fromEntries(kept), ...body, ...idOf(kept) });
  };
}

function idOf(kept: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(kept.filter(([name]) => name === 'id' || name === 'created_at'));
}

/** PATCH: members that are given, records merged into what is there; null stays null. */
export function changeItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { calls } = place;
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const isLone = !place.path.endsWith('}') && calls.post.length === 0;
    const old = siblings.get(spot, own) ?? alwaysThere(objects, place, own) ?? (isLone ? {} : undefined);
    if (old === undefined) return missing(place, calls.get[0]);
    const body = bodyOf(call);
    const described = callFor(place, calls.patch, body);
    mustBeOfTakenKind(place.description, { made: objects.madeBy(place.path), changed: described }, body, old);
    const merged = Object.entries(body).map(([name, value]): [string, Json] => {
      const before = old[name];
      return [name, isJsonObject(value) && isJsonObject(before) ? mergePatch(before, value) : value];
    });
    return stored(objects, place, call, described, { ...old, ...Object.fromEntries(merged) });
  };
}

function stored(objects: Objects, place: Place, call: Call, described: JsonObject, object: JsonObject): Answer {
  const { description, calls } = place;
  const { siblings, place: spot, own } = objects.spotOf(place, call);
  const { status, schema } = description.answerOf(described);
  const shape = answerSchema(description, calls.get[0]) ?? schema;
  const now = objects.world.now();
  const updated = description.shapeOf(shape).properties.get('updated_at');
  const whole: JsonObject = {
    ...outputs(description, shape, object, { id: own, now, above: idsIn(place.path, call) }),
    ...(updated === undefined ? {} : { updated_at: timeOf(description.shapeOf(updated).schema, now) }),
  };
  const kept = objects.keep({ path: above(place.path), place: spot, own }, whole, siblings);
  return schema === undefined ? { status } : { status, body: rendered(description, schema, kept) };
}

export function deleteItem(objects: Objects, place: Place): (call: Call) => Answer {
  return (call) => {
    objects.mustHaveParents(place, call);
    const { siblings, place: spot, own } = objects.spotOf(place, call);
    const isPutBack = alwaysThere(objects, place, own) !== undefined;
    if (siblings.get(spot, own) === undefined) return isPutBack ? noContent : missing(place, place.calls.get[0]);
    mustBeFree({ path: above(place.path), place: spot, own, siblingsOf: (path) => objects.siblingsOf(path) });
    siblings.delete(spot, own);
    return noContent;
  };
}
