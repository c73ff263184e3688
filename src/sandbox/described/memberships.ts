import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.js';
import { missingReference } from '../problem.js';
import { type Answer, type Call, noContent } from '../route.js';
import { above, type Place, type Places } from './families.js';
import { bodyOf, callFor, filled, rendered, type Objects } from './objects.js';
import { itemSchema, page, pageStyleOf } from './pages.js';

/** Calls that take things into a group and out of it, each by a list of ids. */
const verbs = ['add', 'remove'] as const;

export function isMembership(places: Places, path: string): boolean {
  return places.has(`${path.replace(/\{[^}]*\}/g, '{}')}/add`);
}

/** `add` or `remove`, where a path ends so and members of something lie above. */
export function verbOf(places: Places, path: string): (typeof verbs)[number] | undefined {
  const verb = verbs.find((each) => path.endsWith(`/${each}`));
  return verb !== undefined && isMembership(places, above(path)) ? verb : undefined;
}

/** A member again stays one; what is none need not be taken out. */
export function changeMembers(
  verb: (typeof verbs)[number],
): (objects: Objects, place: Place) => (call: Call) => Answer {
  return (objects, place) => (call) => {
    objects.mustHaveParents(place, call);
    const body = bodyOf(place, place.calls.post, call);
    callFor(place, place.calls.post, body);
    const collection = above(place.path);
    const group = filled(collection, call);
    const siblings = objects.siblingsOf(collection);
    for (const id of Object.values(body).flatMap(idsIn)) {
      if (verb === 'remove') siblings.delete(group, id);
      else if (thingsOf(objects, collection).get('', id) === undefined) throw missingReference('members.id');
      else siblings.put(group, id, { id });
    }
    return noContent;
  };
}

/** The members as the things that they are. */
export function listMembers(objects: Objects, { description, path, calls, ...place }: Place): (call: Call) => Answer {
  const [described = {}] = calls.get;
  const style = pageStyleOf(description, described);
  const schema = itemSchema(description, described, style);
  return (call) => {
    objects.mustHaveParents({ ...place, description, calls, path: `${path}/` }, call);
    const group = filled(path, call);
    const members = objects.siblingsOf(path).all(group);
    const found = members.flatMap(({ id }): readonly JsonObject[] => {
      const thing = thingsOf(objects, path).get('', String(id));
      return thing === undefined ? [] : [thing];
    });
    const show = (thing: JsonObject): JsonObject => rendered(description, schema, thing);
    return { status: 200, body: page(style, found, show, call.query, group) };
  };
}

/** Members are things like the group itself. */
function thingsOf(objects: Objects, path: string): ReturnType<Objects['siblingsOf']> {
  return objects.siblingsOf(path.slice(0, path.indexOf('/{')));
}

function idsIn(value: Json): readonly string[] {
  const items = isJsonList(value) ? value : [];
  return items.flatMap((item) => (isJsonObject(item) && typeof item['id'] === 'string' ? [item['id']] : []));
}
