import { stringify } from 'yaml';
import type { ProviderPackage } from '../../engine/model/provider.js';
import type { FieldRule, Nesting, ResourceType } from '../../engine/model/resource-type.js';
import { holdsNothing, isList } from '../../engine/model/value.js';
import type { Json, JsonObject } from '../../engine/model/value.js';
import { isRecord } from '../words/value.js';

/** How deep what is required inside records is spelt out. */
const deepest = 6;

/**
 * A block to start from, which `sync validate` accepts: what is required with a value in its limits, the rest as comments that
 * say choices and limits. What the object lives in, and other objects, stand as references to make true. `apart`: fields that
 * are for another kind of object than the one in the text.
 */
export function exampleText(
  type: ResourceType,
  typeOf: (token: string) => ResourceType | undefined,
  apart: ReadonlySet<string> = new Set(),
): string {
  const nesting = type.nesting.find(
    ({ field }) => type.collection.scope.includes(field) || type.parent?.field === field,
  );
  const above = nesting === undefined ? undefined : typeOf(nesting.under);
  const lines =
    above === undefined || above === type || nesting === undefined
      ? resourceBlock(type, keyOf(type), { typeOf, apart })
      : nested(above, nesting, type, { typeOf, apart });
  return `resources:\n${lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')}`;
}

/** Fields that are wrong beside those that must be declared. */
export async function fieldsApart(
  type: ResourceType,
  validate: (properties: JsonObject) => ReturnType<ProviderPackage['validate']>,
): Promise<ReadonlySet<string>> {
  const inputs = Object.values(type.fields).filter(({ input }) => input);
  const valuesOf = (rules: readonly FieldRule[]): JsonObject =>
    Object.fromEntries(rules.map((rule) => [rule.name, sampleOf(rule)]));
  const needed = inputs.filter((rule) => isNeeded(type, rule));
  const apart = new Set<string>();
  for (const rule of inputs) {
    const wrong = await validate(valuesOf([...needed, rule]));
    if (wrong.some(({ keyword }) => keyword === 'union')) apart.add(rule.name);
  }
  return apart;
}

function isNeeded({ exactlyOne, untouched = {} }: ResourceType, { required, name }: FieldRule): boolean {
  return required || exactlyOne.some(([first]) => first === name) || name === Object.keys(untouched)[0];
}

/** What else a block depends on. */
interface Around {
  readonly typeOf: (token: string) => ResourceType | undefined;
  readonly apart: ReadonlySet<string>;
}

/** Under what it lives in, which is written with its own required fields. */
function nested(above: ResourceType, nesting: Nesting, type: ResourceType, around: Around): readonly string[] {
  const child = resourceBlock(type, keyOf(type), around, [nesting.field, ...nesting.inherits]);
  return [
    ...resourceBlock(above, keyOf(above), around, [], true),
    '  children:',
    ...child.map((line) => (line === '' ? '' : `    ${line}`)),
  ];
}

function resourceBlock(
  type: ResourceType,
  key: string,
  { typeOf, apart }: Around,
  filled: readonly string[] = [],
  isBrief = false,
): readonly string[] {
  const inputs = Object.values(type.fields).filter((rule) => rule.input && !filled.includes(rule.name));
  const isOther = ({ name }: FieldRule): boolean =>
    apart.has(name) || type.exactlyOne.some((group) => group.includes(name));
  const needed = inputs
    .filter((rule) => isNeeded(type, rule))
    .flatMap((rule) => fieldLines(rule, neededValue(type, rule), typeOf));
  const others = isBrief
    ? []
    : inputs.filter((rule) => !isNeeded(type, rule)).flatMap((rule) => optionalLines(rule, isOther(rule), typeOf));
  const properties = [...needed, ...others].map((line) => `    ${line}`);
  if (properties.length === 0) return [`${key}:`, `  type: ${type.shortToken}`];
  return [
    `${key}:`,
    `  type: ${type.shortToken}`,
    ...(type.nameField !== undefined && !isBrief ? [`  # ${type.nameField} is ${key}, unless it is said`] : []),
    '  properties:',
    ...properties,
  ];
}

function fieldLines(
  rule: FieldRule,
  value: Json,
  typeOf: (token: string) => ResourceType | undefined,
): readonly string[] {
  return [...comments(rule, typeOf), ...yamlLines({ [rule.name]: value })];
}

/** In one line, so that taking its sign away is all it takes; `isOther`: it takes the place of something else. */
function optionalLines(
  rule: FieldRule,
  isOther: boolean,
  typeOf: (token: string) => ResourceType | undefined,
): readonly string[] {
  const value = stringify(sampleOf(rule), { lineWidth: 0, collectionStyle: 'flow', blockQuote: false }).trimEnd();
  return [...comments(rule, typeOf), `# ${isOther ? 'otherwise ' : ''}${rule.name}: ${value}`];
}

function comments(rule: FieldRule, typeOf: (token: string) => ResourceType | undefined): readonly string[] {
  const above = rule.references === undefined ? undefined : typeOf(rule.references);
  const notes = [
    ...(rule.required ? ['required'] : []),
    ...(above === undefined
      ? []
      : [`the id of a ${above.shortToken}: \${${keyOf(above)}.id}, or !lookup {function: ${lookupName(above)}, …}`]),
    ...limits(rule.schema),
    ...(rule.onChange === 'update' ? [] : ['a change replaces the object']),
    ...(rule.secret ? [secretNote(rule)] : []),
    ...(rule.deprecated === undefined ? [] : [`deprecated: ${rule.deprecated}`]),
  ];
  const about = rule.description.split('\n')[0]?.replace(/\.$/, '') ?? '';
  return [`# ${[about, ...notes].filter((text) => text !== '').join('; ')}`];
}

/** Of a map or a list a part is secret, and all of it is kept as one. */
function secretNote({ type }: FieldRule): string {
  return type === 'object' || type === 'array'
    ? 'secret: write !env NAME for what is in it; plans show none of it'
    : 'secret: write !env NAME';
}

function lookupName({ shortToken }: ResourceType): string {
  return shortToken.replace(/([^:]+)$/, 'get$1');
}

/** The rules of a schema in words. */
function limits(schema: JsonObject): readonly string[] {
  const range = (what: string, unit: string): readonly string[] => {
    const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
    if (least === undefined && most === undefined) return [];
    return [
      `${[least === undefined ? '' : `at least ${String(least)}`, most === undefined ? '' : `at most ${String(most)}`].filter(Boolean).join(', ')} ${unit}`,
    ];
  };
  const choices = isList(schema['enum']) ? [`one of ${schema['enum'].map(String).join(', ')}`] : [];
  const bounds = (['minimum', 'maximum'] as const).flatMap((name) =>
    schema[name] === undefined ? [] : [`${name === 'minimum' ? 'at least' : 'at most'} ${String(schema[name])}`],
  );
  return [
    ...choices,
    ...range('Length', 'characters'),
    ...range('Items', 'items'),
    ...range('Properties', 'entries'),
    ...bounds,
  ];
}

function sampleOf(rule: FieldRule): Json {
  return valueOf(rule.schema, rule.name, 0);
}

/** Of one of a fixed set something must be otherwise than it is anyway. */
function neededValue({ untouched = {} }: ResourceType, rule: FieldRule): Json {
  const value = sampleOf(rule);
  const [first] = Object.keys(isRecord(rule.schema['properties']) ? rule.schema['properties'] : {});
  if (!(rule.name in untouched) || !holdsNothing(value) || first === undefined) return value;
  return valueOf({ ...rule.schema, required: [first] }, rule.name, 0);
}

/** A value that obeys the schema: the first choice, the least that is required. */
function valueOf(given: JsonObject, name: string, depth: number): Json {
  const { allOf, ...own } = given;
  const schema = isList(allOf) ? allOf.filter(isRecord).reduce(both, own) : own;
  if (schema['default'] !== undefined) return schema['default'];
  if (schema['const'] !== undefined) return schema['const'];
  const { enum: choices } = schema;
  if (isList(choices)) return choices[0] ?? null;
  const [first] = [schema['anyOf'] ?? schema['oneOf'] ?? []].flat();
  const type = isList(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === undefined && isRecord(first)) return valueOf(first, name, depth);
  switch (type) {
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return Number(schema['minimum'] ?? Math.min(1, Number(schema['maximum'] ?? 1)));
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 1) }, () =>
        valueOf(isRecord(schema['items']) ? schema['items'] : {}, name, depth + 1),
      );
    case 'object':
      return recordOf(schema, depth);
    default:
      return textOf(schema, name);
  }
}

/** What two schemas say together, of members, too. */
function both(one: JsonObject, other: JsonObject): JsonObject {
  const merged = Object.entries(other).map(([key, value]): [string, Json] => {
    const known = one[key];
    return [key, isRecord(known) && isRecord(value) ? both(known, value) : value];
  });
  return { ...one, ...Object.fromEntries(merged) };
}

function recordOf(schema: JsonObject, depth: number): JsonObject {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = isList(schema['required']) ? schema['required'].map(String) : [];
  const inner = depth > deepest ? [] : required;
  const members = inner.map((name) => {
    const member = properties[name];
    return [name, valueOf(isRecord(member) ? member : {}, name, depth + 1)] as const;
  });
  const least = Number(schema['minProperties'] ?? 0);
  const values = isRecord(schema['additionalProperties']) ? schema['additionalProperties'] : {};
  const extra = Array.from(
    { length: Math.max(0, least - members.length) },
    (_, at) => [`key${at + 1}`, valueOf(values, 'value', depth + 1)] as const,
  );
  return Object.fromEntries([...members, ...extra]);
}

/** A text that says whose value it is, of a length that is allowed. */
function textOf(schema: JsonObject, name: string): string {
  const most = Number(schema['maxLength'] ?? 1_000);
  const least = Number(schema['minLength'] ?? 0);
  const pattern = typeof schema['pattern'] === 'string' ? new RegExp(schema['pattern'], 'u') : undefined;
  const candidates = [
    ...(schema['format'] === 'uuid' || name === 'id' ? ['00000000-0000-4000-8000-000000000000'] : []),
    ...[
      name,
      name.toLowerCase(),
      'example',
      'https://example.com',
      '/example',
      'example.com',
      '1',
      'A',
      '2026-01-01T00:00:00Z',
    ],
    ...[
      '00000000-0000-4000-8000-000000000000',
      'data:image/png;base64,AAAA',
      '1.0',
      '0',
      '1h',
      '#000000',
      'a@example.com',
      '10.0.0.0/8',
      'example.yaml',
    ],
  ].map((text) => text.slice(0, most).padEnd(least, 'x'));
  return candidates.find((text) => pattern === undefined || pattern.test(text)) ?? candidates[0] ?? '';
}

function keyOf({ name }: ResourceType): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function yamlLines(value: JsonObject): readonly string[] {
  return stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
}
