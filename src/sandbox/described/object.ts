import { type Json, type JsonObject, isJsonList, isJsonObject } from '../json.js';
import { type Description, type Shape, listAt } from './description.js';
import { isNumberOrText, spelledNumber } from './numbers.js';
import { hasForm } from './pattern.js';

/** A value with what the platform fills in where its schema names a default, in records at any depth. */
export function withDefaults(description: Description, node: Json | undefined, value: JsonObject): JsonObject;
export function withDefaults(description: Description, node: Json | undefined, value: Json): Json;
export function withDefaults(description: Description, node: Json | undefined, value: Json): Json {
  const { schema, properties, either } = description.shapeOf(node);
  if (isJsonList(value)) return value.map((item) => withDefaults(description, schema['items'], item));
  if (!isJsonObject(value)) return isNumberOrText(description, node) ? spelledNumber(value) : value;
  const own = either.find((branch) => holdsConstants(description, branch, value));
  const members = own === undefined ? properties : new Map([...properties, ...description.shapeOf(own).properties]);
  const filled: Record<string, Json> = { ...value };
  for (const [name, member] of members) {
    const given = value[name] ?? description.shapeOf(member).schema['default'];
    if (given !== undefined) filled[name] = withDefaults(description, member, value[name] === null ? null : given);
  }
  const { additionalProperties: entries } = schema;
  if (isJsonObject(entries))
    for (const [name, entry] of Object.entries(value))
      if (!members.has(name)) filled[name] = withDefaults(description, entries, entry);
  return filled;
}

/** True for the branch whose fixed members are those of a value. */
export function holdsConstants(description: Description, node: Json, value: JsonObject): boolean {
  const constants = constantsOf(description, node);
  return constants.size > 0 && [...constants].every(([name, only]) => value[name] === only);
}

/** The members of a record that can hold one value only. */
export function constantsOf(description: Description, node: Json): ReadonlyMap<string, Json> {
  const shape = description.shapeOf(node);
  const known = constants.get(shape) ?? constantsIn(description, shape);
  constants.set(shape, known);
  return known;
}

const constants = new WeakMap<Shape, ReadonlyMap<string, Json>>();

function constantsIn(description: Description, { properties }: Shape): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const [name, member] of properties) {
    const { schema } = description.shapeOf(member);
    const values = listAt(schema, 'enum');
    const only = 'const' in schema ? schema['const'] : values.length === 1 ? values[0] : undefined;
    if (only !== undefined) found.set(name, only);
  }
  return found;
}

/** An object as an answer shows it: the members its schema knows, but those that are only taken, in records at any depth. */
export function shown(
  description: Description,
  node: Json | undefined,
  object: JsonObject,
  otherwise: readonly JsonObject[] = none,
): JsonObject {
  // eslint-disable-next-line sync/keyed-literals -- names come from descriptions; lists ask for every object
  const found: Record<string, Json> = {};
  for (const { name, member, isPlain } of membersShown(description, membersKnown(description, node, object))) {
    const value = otherwise.length === 0 ? object[name] : valueIn(name, object, otherwise);
    if (value !== undefined) found[name] = isPlain ? value : shownInside(description, member, value);
  }
  return found;
}

const none: readonly JsonObject[] = [];

function valueIn(name: string, object: JsonObject, otherwise: readonly JsonObject[]): Json | undefined {
  for (const part of otherwise) if (name in part) return part[name];
  return object[name];
}

interface ShownMember {
  readonly name: string;
  readonly member: Json;
  /** Whatever the value is, it is shown as it is. */
  readonly isPlain: boolean;
}

const shownMembers = new WeakMap<ReadonlyMap<string, Json>, readonly ShownMember[]>();

/** Of the members of a record those that answers show: worked out once a schema, since lists ask for each object. */
function membersShown(description: Description, known: ReadonlyMap<string, Json>): readonly ShownMember[] {
  const before = shownMembers.get(known);
  if (before !== undefined) return before;
  const shownOnes = [...known].filter(([, member]) => !isOnlyTaken(description, member));
  const found = shownOnes.map(([name, member]) => ({ name, member, isPlain: isShownAsIs(description, member) }));
  shownMembers.set(known, found);
  return found;
}

/** True where nothing in a value of the schema can be left out or shown otherwise. */
function isShownAsIs(description: Description, node: Json): boolean {
  const { schema, properties, either } = description.shapeOf(node);
  const inside = [schema['items'], schema['additionalProperties']].filter(isJsonObject);
  const isOpen = schema['additionalProperties'] !== false;
  return (
    properties.size === 0 && either.length === 0 && isOpen && inside.every((each) => isShownAsIs(description, each))
  );
}

/** Of one of several records those of its own kind; where nothing tells the kind, those of all. */
function membersKnown(description: Description, node: Json | undefined, object: JsonObject): ReadonlyMap<string, Json> {
  const { properties, either } = description.shapeOf(node);
  if (either.length === 0) return properties;
  const own = either.find((branch) => holdsConstants(description, branch, object));
  const known = new Map<string, readonly Json[]>();
  for (const branch of own === undefined ? either : [own])
    for (const [name, member] of membersKnown(description, branch, object))
      known.set(name, [...(known.get(name) ?? []), member]);
  const joined = [...known].map(([name, all]): [string, Json] => [
    name,
    all.length === 1 ? (all[0] ?? {}) : { anyOf: all },
  ]);
  return new Map([...joined, ...properties]);
}

function isOnlyTaken(description: Description, node: Json): boolean {
  const { schema, either } = description.shapeOf(node);
  return schema['writeOnly'] === true || either.some((branch) => isOnlyTaken(description, branch));
}

/** Inside of a record all is shown but what is only taken. */
function shownInside(description: Description, node: Json | undefined, value: Json): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  const { schema, properties } = description.shapeOf(node);
  // What bodies name by its id is shown as an object.
  if (typeof value === 'string' && properties.has('id')) return sample(description, node, { id: value });
  if (isJsonList(value)) return value.map((item) => shownInside(description, schema['items'], item));
  if (!isJsonObject(value)) return value;
  const known = membersKnown(description, node, value);
  const entries = isJsonObject(schema['additionalProperties']) ? schema['additionalProperties'] : undefined;
  const members = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const member = known.get(name) ?? entries;
    if (member === undefined) return schema['additionalProperties'] === false ? [] : [[name, inner]];
    return isOnlyTaken(description, member) ? [] : [[name, shownInside(description, member, inner)]];
  });
  return Object.fromEntries(members);
}

/** What the platform itself puts into an object: members that only answers have, as far as they must be there. */
export function outputs(
  description: Description,
  answer: Json | undefined,
  object: JsonObject,
  server: { readonly id: string; readonly now: string; readonly above?: JsonObject },
): JsonObject {
  const { properties, required } = wholeShape(description, answer, object);
  const made = [...properties].flatMap(([name, member]): [string, Json][] => {
    const given = object[name];
    if (given !== undefined) return isJsonObject(given) ? [[name, withOwn(description, member, given)]] : [];
    if (name === 'id') return [[name, server.id]];
    const above = server.above?.[name];
    if (above !== undefined) return [[name, above]];
    const { schema } = description.shapeOf(member);
    if (/^(?:created|updated)_at$/.test(name)) return [[name, timeOf(schema, server.now)]];
    const isKept = schema['readOnly'] === true && schema['default'] !== undefined;
    return isKept || required.includes(name) ? [[name, sample(description, member, object)]] : [];
  });
  return { ...object, ...Object.fromEntries(made) };
}

/** The time of a change, where answers tell it: also those that are of one of several kinds. */
export function touched(
  description: Description,
  answer: Json | undefined,
  object: JsonObject,
  now: string,
): { readonly updated_at?: Json } {
  const member = wholeShape(description, answer, object).properties.get('updated_at');
  return member === undefined ? {} : { updated_at: timeOf(description.shapeOf(member).schema, now) };
}

/** A record with what answers alone have in it, as far as that must be there. */
function withOwn(description: Description, node: Json, record: JsonObject): JsonObject {
  const kinds = [...constantsOf(description, node)];
  // Where the whole is one of several, the record may be that of another one.
  if (kinds.some(([name, only]) => record[name] !== undefined && record[name] !== only)) return record;
  const { properties, required } = wholeShape(description, node, record, () => undefined);
  const made = [...properties].flatMap(([name, member]): [string, Json][] => {
    const given = record[name];
    if (given !== undefined) return isJsonObject(given) ? [[name, withOwn(description, member, given)]] : [];
    return required.includes(name) ? [[name, sample(description, member, {})]] : [];
  });
  return { ...record, ...Object.fromEntries(made) };
}

/** A shape with that of the branch that an object is of, where it is one of several. */
function wholeShape(
  description: Description,
  node: Json | undefined,
  object: JsonObject,
  orElse: (either: readonly Json[]) => Json | undefined = ([first]) => first,
): Pick<Shape, 'properties' | 'required'> {
  const { properties, required, either } = description.shapeOf(node);
  const own = either.find((branch) => holdsConstants(description, branch, object)) ?? orElse(either);
  const inner = own === undefined ? undefined : wholeShape(description, own, object, orElse);
  return inner === undefined
    ? { properties, required }
    : { properties: new Map([...inner.properties, ...properties]), required: [...required, ...inner.required] };
}

function timeOf(schema: JsonObject, now: string): Json {
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  return isNumber ? Math.floor(Date.parse(now) / 1000) : now;
}

/** Some value that a schema allows; members called like those of the object have its values. */
function sample(description: Description, node: Json | undefined, object: JsonObject, depth = 0): Json {
  const { schema, properties, required, either } = description.shapeOf(node);
  if (schema['default'] !== undefined) return schema['default'];
  if ('const' in schema) return schema['const'] ?? null;
  const [first] = listAt(schema, 'enum');
  if (first !== undefined) return first;
  const kind = [schema['type'] ?? []].flat().find((each) => each !== 'null');
  if (schema['nullable'] === true || [schema['type'] ?? []].flat().includes('null')) return null;
  if (properties.size > 0 || kind === 'object') {
    const members = [...properties].filter(([name]) => required.includes(name) || Object.hasOwn(object, name));
    return depth > 6
      ? {}
      : Object.fromEntries(
          members.map(([name, member]) => [name, object[name] ?? sample(description, member, {}, depth + 1)]),
        );
  }
  if (either[0] !== undefined && depth < 6) return sample(description, either[0], object, depth + 1);
  if (kind === 'array') return [];
  if (kind === 'integer' || kind === 'number') return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
  if (kind === 'boolean') return false;
  return sampleText(schema);
}

/** A text of the form and length that a schema says. */
export function sampleText(schema: JsonObject): string {
  const { format, pattern, minLength = 0, maxLength = Infinity } = schema;
  const form = samplesOfFormats[String(format)];
  const texts = [...(form === undefined ? [] : [form]), ...madeHere].map((text) =>
    text.slice(0, Number(maxLength)).padEnd(Number(minLength), 'x'),
  );
  return texts.find((text) => typeof pattern !== 'string' || hasForm(pattern, text)) ?? texts[0] ?? '';
}

const madeHere = [
  ...['made here', 'made-here', 'made_here', 'MadeHere', 'made-here.example.com', 'made-here.example.com:443'],
  ...['3.10', '1', '1.0.0', '/made-here', '.made-here', '#00aaff', 'https://made-here.example.com', 'MADE_HERE'],
  ...['made-here.json', 'arn:aws:kms:made-here', '2026-01-01-00-00-00', '1h', '1k', 'G-MADEHERE', 'GTM-MADEHERE'],
  ...['EUR', 'P1M', '0'.repeat(26), 'txcd_00000000'],
  ...['png', 'jpeg', 'svg+xml'].map((kind) => `data:image/${kind};base64,AAAA`),
  ...['', 'operations/'].map((before) => `${before}00000000-0000-4000-8000-000000000000`),
];

const samplesOfFormats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00.000Z',
  hostname: 'made-here.example.com',
  uri: 'https://made-here.example.com',
  url: 'https://made-here.example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
};
