import { isList, isObject, type Json, type JsonObject, ownMember } from '../model/value.js';

/** Formats in which one thing has several spellings, and the one spelling that stands for all. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  'date-time': momentForm,
  email: mailForm,
  'idn-email': mailForm,
  hostname: hostForm,
  'idn-hostname': hostForm,
};

/** A value whose texts have one spelling where the schema gives them a format that has several. */
export function formatForm(schema: JsonObject, value: Json): Json {
  if (!hasFormat(schema)) return value;
  if (typeof value === 'string') {
    const { format } = schema;
    const form = typeof format === 'string' ? ownMember(forms, format) : undefined;
    return form?.(value) ?? value;
  }
  if (isList(value)) {
    const { items } = schema;
    return isSchema(items) ? value.map((item) => formatForm(items, item)) : value;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const inner = memberSchema(schema, name);
      return [name, inner === undefined ? member : formatForm(inner, member)];
    }),
  );
}

/** What a schema says of one member. */
export function memberSchema({ properties, additionalProperties }: JsonObject, name: string): JsonObject | undefined {
  const own = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
  return isSchema(own) ? own : undefined;
}

const known = new WeakMap<JsonObject, boolean>();

/** Worked out once a schema: most say nothing of the kind, and every value of every object asks. */
function hasFormat(schema: JsonObject): boolean {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const { format, items, properties, additionalProperties } = schema;
  const inner = [items, additionalProperties, ...(isSchema(properties) ? Object.values(properties) : [])];
  const has =
    (typeof format === 'string' && Object.hasOwn(forms, format)) ||
    inner.some((each) => isSchema(each) && hasFormat(each));
  known.set(schema, has);
  return has;
}

function isSchema(value: Json | undefined): value is JsonObject {
  return isObject(value);
}

const moment = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** RFC 3339: the same moment in UTC, its fraction without closing zeros. What is no moment stays as it is. */
function momentForm(text: string): string {
  const [, day = '', time = '', fraction = '', zone = ''] = moment.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(at)) return text;
  const part = fraction.replace(/0+$/, '');
  return `${new Date(at).toISOString().slice(0, -'.000Z'.length)}${part === '' ? '' : `.${part}`}Z`;
}

/** Host names know no capitals, and the closing dot of the root says nothing. */
function hostForm(text: string): string {
  return text.toLowerCase().replace(/(?<=.)\.$/, '');
}

/** RFC 5321: the host knows no capitals; whose mailbox it is may depend on them. */
function mailForm(text: string): string {
  const at = text.lastIndexOf('@');
  return at < 0 ? text : `${text.slice(0, at)}@${hostForm(text.slice(at + 1))}`;
}

/** True for the schema of a value that is a number or a text: `"6379"` and 6379 are one value of it. */
export function isNumberOrText({ type }: JsonObject): boolean {
  return isList(type) && type.length === 2 && type.includes('string') && type.some((kind) => isNumberKind(kind));
}

function isNumberKind(kind: Json): boolean {
  return kind === 'integer' || kind === 'number';
}

/** The number that a text spells; any other value as it is. */
export function spelledNumber(value: Json): Json {
  return typeof value === 'string' && Number.isFinite(Number(value)) && String(Number(value)) === value
    ? Number(value)
    : value;
}

/** A value with the numbers that its texts spell, wherever its schema takes either, at any depth. */
export function withNumbers(schema: JsonObject, value: Json): Json {
  return spelt(schema, value, spelledNumber);
}

/** A value with texts for the numbers, wherever its schema takes either, at any depth. */
export function withTexts(schema: JsonObject, value: Json): Json {
  return spelt(schema, value, (each) => (typeof each === 'number' ? String(each) : each));
}

function spelt(schema: JsonObject, value: Json, spell: (each: Json) => Json): Json {
  if (!holdsNumberOrText(schema)) return value;
  if (isNumberOrText(schema)) return spell(value);
  if (isList(value)) return value.map((item) => spelt(inner(schema['items']), item, spell));
  if (!isObject(value)) return value;
  const [members, others] = [inner(schema['properties']), inner(schema['additionalProperties'])];
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      spelt(Object.hasOwn(members, name) ? inner(members[name]) : others, member, spell),
    ]),
  );
}

/** Asked once a schema: every comparison of every object begins with it. */
export function holdsNumberOrText(schema: JsonObject): boolean {
  const known = holding.get(schema);
  if (known !== undefined) return known;
  const parts = [schema['items'], schema['additionalProperties'], ...Object.values(inner(schema['properties']))];
  const holds = isNumberOrText(schema) || parts.some((part) => isObject(part) && holdsNumberOrText(part));
  holding.set(schema, holds);
  return holds;
}

const holding = new WeakMap<JsonObject, boolean>();

function inner(schema: Json | undefined): JsonObject {
  return isObject(schema) ? schema : {};
}
