import { type Json, type JsonObject, isJsonObject } from '../json.js';
import type { Answer, Call, Query } from '../route.js';
import { scatter } from '../store/shuffle.js';
import { conflict } from '../problem.js';
import type { Description } from './description.js';
import type { Place } from './families.js';
import { outputs, withDefaults } from './object.js';
import { bodyOf, callFor, filled, idsIn, rendered, snakeCase, type Objects } from './objects.js';
import { itemSchema, page, pageStyleOf } from './pages.js';

/** POST where items lie. */
export function createItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, path, calls } = place;
  return (call) => {
    objects.mustHaveParents({ ...place, path: `${path}/` }, call);
    const given = bodyOf(call);
    const described = callFor(place, calls.post, given);
    const body = withDefaults(description, description.bodyOf(described), given);
    const { status, schema } = description.answerOf(described);
    const spot = filled(path, call);
    const siblings = objects.siblingsOf(path);
    const member = objects.isReadAlone(path) ? undefined : onlyText(body);
    const shape = objectSchema(place, schema);
    const parameter = snakeCase(objects.itemName(path));
    const chosen = chosenId(description, description.bodyOf(described), body);
    const own = member ?? nameIn(parameter, description, shape, body) ?? chosen ?? crypto.randomUUID();
    if (siblings.get(spot, own) !== undefined) {
      if (member !== undefined) throw conflict('It is a member already');
      if (chosen !== undefined) throw conflict('There is one with this id already');
    }
    const object = outputs(description, shape, body, {
      ...{ id: own, now: objects.world.now(), above: { ...idsIn(path, call), [parameter]: own } },
    });
    const whole = { ...object, id: own };
    const kept = objects.keep({ path, place: spot, own }, whole);
    if (schema === undefined) return { status };
    return { status, body: { ...rendered(description, schema, kept), ...madeUp(place, schema, body) } };
  };
}

/** Secrets that the platform chooses where a body leaves them out: shown in this one answer, and kept by nobody. */
function madeUp({ description }: Place, answer: Json, body: JsonObject): JsonObject {
  const secrets = [...description.shapeOf(answer).properties].filter(([name, member]) => {
    const { schema } = description.shapeOf(member);
    const isShown = schema['x-sensitive'] === true && schema['writeOnly'] !== true;
    return isShown && schema['type'] === 'string' && body[name] === undefined;
  });
  return Object.fromEntries(secrets.map(([name]) => [name, `shown-once-${crypto.randomUUID()}`]));
}

/**
 * What the path of an item calls it, where the answer has no id: the member of that name, the id of the record of that
 * name (`control_plane` for `{controlPlaneId}`), or the name that a program text gives itself.
 */
function nameIn(
  member: string,
  description: Description,
  answer: Json | undefined,
  body: JsonObject,
): string | undefined {
  if (description.shapeOf(answer).properties.has('id')) return undefined;
  const record = body[member.replace(/_id$/, '')];
  const named = body[member] ?? (isJsonObject(record) ? record['id'] : undefined);
  const text = body['lua_schema'];
  const said = typeof text === 'string' ? /\bname\s*=\s*["']([^"']+)["']/.exec(text)?.[1] : undefined;
  return typeof named === 'string' ? named : said;
}

/** An id that the body itself says, where that is its to say. */
function chosenId(description: Description, schema: Json | undefined, body: JsonObject): string | undefined {
  const { properties, either } = description.shapeOf(schema);
  const members = [properties, ...either.map((branch) => description.shapeOf(branch).properties)].flatMap(
    (each) => each.get('id') ?? [],
  );
  const isTaken = members.some((member) => description.shapeOf(member).schema['readOnly'] !== true);
  return isTaken && typeof body['id'] === 'string' ? body['id'] : undefined;
}

/** The id of what is made a member: the only thing such a body holds. */
function onlyText(body: JsonObject): string | undefined {
  const values = Object.values(body);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}

/** Schema of the object itself: of the answer, of the member of it that holds the object, else of an item of the list. */
function objectSchema({ description, calls }: Place, answer: Json | undefined): Json | undefined {
  if (answer === undefined) {
    const [list] = calls.get;
    return list === undefined ? undefined : itemSchema(description, list, pageStyleOf(description, list));
  }
  const { properties } = description.shapeOf(answer);
  const [only, ...others] = [...properties];
  const isWrapped = only !== undefined && others.length === 0 && description.shapeOf(only[1]).properties.size > 0;
  return isWrapped ? only[1] : answer;
}

/** GET where items lie. Of several descriptions of the call, the one that says most of how it is asked. */
export function listItems(objects: Objects, { description, path, calls, ...place }: Place): (call: Call) => Answer {
  const described =
    [...calls.get].sort((a, b) => description.queryOf(b).length - description.queryOf(a).length)[0] ?? {};
  const style = pageStyleOf(description, described);
  const schema = itemSchema(description, described, style);
  return (call) => {
    objects.mustHaveParents({ ...place, description, calls, path: `${path}/` }, call);
    const spot = filled(path, call);
    const rows = objects.all(path, spot).filter((object) => isAskedFor(object, call.query));
    const { shuffle } = objects.world;
    const ordered =
      shuffle === undefined
        ? rows
        : scatter(
            rows.map((object) => ({ id: String(object['id']), object })),
            shuffle,
          ).map(({ object }) => object);
    return {
      status: 200,
      body: page(
        style,
        ordered.map((object) => rendered(description, schema, object)),
        call.query,
        spot,
      ),
    };
  };
}

/** `filter[name][eq]=…` and `filter[name][contains]=…`. */
function isAskedFor(object: JsonObject, query: Query): boolean {
  return Object.entries(query).every(([parameter, wanted]) => {
    const [, field, operator = 'eq'] = /^filter\[([^\]]+)\](?:\[([^\]]+)\])?$/.exec(parameter) ?? [];
    if (field === undefined || typeof wanted !== 'string') return true;
    const value = String(object[field] ?? '');
    return operator === 'contains' ? value.toLowerCase().includes(wanted.toLowerCase()) : value === wanted;
  });
}
