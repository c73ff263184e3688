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
  const members = new Map([...properties, ...(own === undefined ? [] : description.shapeOf(own).properties)]);
  const filled = new Map<string, Json>(Object.entries(value));
  for (const [name, member] of members) {
    const given = filled.get(name);
    const preset = description.shapeOf(member).schema['default'];
    if (given !== undefined) filled.set(name, withDefaults(description, member, given));
    else if (preset !== undefined) filled.set(name, withDefaults(description, member, preset));
  }
  const { additionalProperties: entries } = schema;
  if (isJsonObject(entries))
    for (const [name, entry] of Object.entries(value))
      if (!members.has(name)) filled.set(name, withDefaults(description, entries, entry));
  return Object.fromEntries(filled);
}

/** True for the branch whose fixed members are those of a value. */
export function holdsConstants(description: Description, node: Json, value: JsonObject): boolean {
  const constants = constantsOf(description, node);
  return constants.size > 0 && [...constants].every(([name, only]) => value[name] === only);
}

/** The members of a record that can hold one value only. */
export function constantsOf(description: Description, node: Json): ReadonlyMap<string, Json> {
  const found = new Map<string, Json>();
  for (const [name, member] of description.shapeOf(node).properties) {
    const { schema } = description.shapeOf(member);
    const values = listAt(schema, 'enum');
    const only = 'const' in schema ? schema['const'] : values.length === 1 ? values[0] : undefined;
    if (only !== undefined) found.set(name, only);
  }
  return found;
}

/** An object as an answer shows it: the members its schema knows, but those that are only taken, in records at any depth. */
export function shown(description: Description, node: Json | undefined, object: JsonObject): JsonObject {
  const known = membersKnown(description, node, object);
  const members = [...known].flatMap(([name, member]): [string, Json][] => {
    const value = object[name];
    return value === undefined || isOnlyTaken(description, member)
      ? []
      : [[name, shownInside(description, member, value)]];
  });
  return Object.fromEntries(members);
}

/** Of one of several records those of its own kind; where nothing tells the kind, those of all. */
function membersKnown(description: Description, node: Json | undefined, object: JsonObject): ReadonlyMap<string, Json> {
  const { properties, either } = description.shapeOf(node);
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
  const { schema, properties } = description.shapeOf(node);
  // What bodies name by its id is shown as an object.
  if (typeof value === 'string' && properties.has('id')) return sample(description, node, { id: value });
  if (isJsonList(value)) return value.map((item) => shownInside(description, schema['items'], item));
  if (!isJsonObject(value)) return value;
  const known = membersKnown(description, node, value);
  const entries = isJsonObject(schema['additionalProperties']) ? schema['additionalProperties'] : undefined;
  const members = Object.entries(value).flatMap(([name, inner]): [string, Json][] => {
    const member = known.get(name) ?? entries;
    if (member === undefined) return [[name, inner]];
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

export function timeOf(schema: JsonObject, now: string): Json {
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
