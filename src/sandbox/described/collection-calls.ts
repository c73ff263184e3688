import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { behavioursOf } from '../behaviours/table.js';
import { select } from '../list/list.js';
import { questions } from '../list/questions.js';
import type { Answer, Call } from '../route.js';
import { conflict } from '../problem.js';
import type { Description } from './description.js';
import { plain, type Place } from './families.js';
import { outputs, withDefaults } from './object.js';
import { bodyOf, callFor, filled, idsIn, snakeCase, type Objects } from './objects.js';
import { hasForm } from './pattern.js';
import { itemSchema, page, pageStyleOf } from './pages.js';

/** POST where items lie. */
export function createItem(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, path, calls } = place;
  return (call) => {
    objects.mustHaveParents({ ...place, path: `${path}/` }, call);
    const given = bodyOf(place, calls.post, call);
    const described = callFor(place, calls.post, given);
    const body = withDefaults(description, description.bodyOf(described), given);
    const { status, schema } = description.answerOf(described);
    const spot = filled(path, call);
    const siblings = objects.siblingsOf(path);
    const member = objects.isReadAlone(path) ? undefined : onlyText(body);
    const shape = objectSchema(place, schema);
    const parameter = snakeCase(objects.itemName(path));
    const chosen = chosenId(description, description.bodyOf(described), body);
    const made = (): string => call.id ?? newId(description, shape, objects.world.id());
    const own = member ?? nameIn(parameter, description, shape, body) ?? chosen ?? made();
    if (siblings.get(spot, own) !== undefined) {
      if (member !== undefined) throw conflict('It is a member already');
      if (chosen !== undefined) throw conflict('There is one with this id already');
    }
    const object = outputs(description, shape, body, {
      ...{ id: own, now: objects.world.now(), above: { ...idsIn(path, call), [parameter]: own } },
    });
    const whole = { ...object, id: own };
    const kept = objects.keep(path, whole, {
      ...{ siblings, place: spot, own, given, before: undefined, query: call.query },
    });
    if (schema === undefined) return { status };
    const shown = objects.answer(path, place, schema, kept);
    return { status, body: { ...shown, ...madeUp(place, schema, body, objects.world.id) } };
  };
}

/** Secrets that the platform chooses where a body leaves them out: shown in this one answer, and kept by nobody. */
function madeUp({ description }: Place, answer: Json, body: JsonObject, id: () => string): JsonObject {
  const secrets = [...description.shapeOf(answer).properties].filter(([name, member]) => {
    const { schema } = description.shapeOf(member);
    const isShown = schema['x-sensitive'] === true && schema['writeOnly'] !== true;
    return isShown && schema['type'] === 'string' && body[name] === undefined;
  });
  return Object.fromEntries(secrets.map(([name]) => [name, `shown-once-${id()}`]));
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

/** A uuid, or 26 signs in the order of time where ids have that form. */
function newId(description: Description, answer: Json | undefined, id: string): string {
  const member = description.shapeOf(answer).properties.get('id');
  const pattern = member === undefined ? undefined : description.shapeOf(member).schema['pattern'];
  const other = `0${id.replaceAll('-', '').slice(0, 25).toUpperCase()}`;
  return typeof pattern === 'string' && !hasForm(pattern, id) && hasForm(pattern, other) ? other : id;
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
export function listItems(objects: Objects, place: Place): (call: Call) => Answer {
  const { description, path, calls } = place;
  const described =
    [...calls.get].sort((a, b) => description.queryOf(b).length - description.queryOf(a).length)[0] ?? {};
  const style = pageStyleOf(description, described);
  const schema = itemSchema(description, described, style);
  const asked = plain(path);
  const of = questions[asked]?.of ?? asked;
  const arrange = behavioursOf(of).find((each) => each.arrange !== undefined)?.arrange;
  const show = (object: JsonObject): JsonObject => objects.answer(of, place, schema, object);
  return (call) => {
    objects.mustHaveParents({ ...place, path: `${path}/` }, call);
    const spot = filled(path, call);
    const { world } = objects;
    const siblings = objects.siblingsOf(of);
    const everywhere = of === asked ? spot : undefined;
    const all = (): readonly JsonObject[] => (of === asked ? objects.all(path, spot) : siblings.everywhere());
    const find = (member: string, text: string): readonly JsonObject[] => siblings.find(everywhere, member, text);
    const chosen = select(world, { path: asked, place: spot, all, find }, call.query);
    if (arrange === undefined || style.by !== 'none')
      return { status: 200, body: page(style, arrange?.(chosen, same, world) ?? chosen, show, call.query, spot) };
    return { status: 200, body: { [style.member ?? 'data']: arrange(chosen, show, world) } };
  };
}

const same = (object: JsonObject): JsonObject => object;
