import { stringify } from 'yaml';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import { holdsNothing, isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { sampleValue, settled } from './sample-value.js';
import { membersOf } from './schema-members.js';
import { limits, replacingNotes } from '../words/limits.js';
import { isRecord } from '../words/value.js';

/** The least that a specification can be, in one line. */
const leastSpecification = '{"openapi":"3.1.0","info":{"title":"Example","version":"1.0.0"},"paths":{}}';

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
  const lines = placed(type, { typeOf, apart }, false);
  return `resources:\n${lines.map((line) => (line === '' ? '\n' : `  ${line}\n`)).join('')}`;
}

/** Fields that are wrong beside those that must be declared. */
export async function fieldsApart(
  type: ResourceType,
  validate: (properties: JsonObject) => ReturnType<ProviderPackage['validate']>,
): Promise<ReadonlySet<string>> {
  const inputs = inputsOf(type);
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

/** Fields that are declared, with what limits them and must be declared of an object of the kind that is shown. */
function inputsOf(type: ResourceType): readonly FieldRule[] {
  const inputs = Object.values(type.fields).filter(({ input }) => input);
  const { properties, required } = settled({
    properties: Object.fromEntries(inputs.map(({ name, schema }) => [name, schema])),
    required: inputs.filter((rule) => isNeeded(type, rule)).map(({ name }) => name),
    allOf: type.kinds ?? [],
  });
  const [schemas, needed] = [isRecord(properties) ? properties : {}, isList(required) ? required : []];
  return inputs.map((rule) => {
    const own = schemas[rule.name];
    const required = rule.required || (needed.includes(rule.name) && !isNeeded(type, rule));
    return { ...rule, schema: isRecord(own) ? own : rule.schema, required };
  });
}

function isNeeded({ exactlyOne, untouched = {} }: ResourceType, { required, name }: FieldRule): boolean {
  return required || exactlyOne.some(([first]) => first === name) || name === Object.keys(untouched)[0];
}

/** What else a block depends on. */
interface Around {
  readonly typeOf: (token: string) => ResourceType | undefined;
  readonly apart: ReadonlySet<string>;
}

/** A block under what it lives in, and that under what it lives in in turn, each with its own required fields. */
function placed(
  type: ResourceType,
  around: Around,
  isBrief: boolean,
  children: readonly string[] = [],
): readonly string[] {
  const nesting = type.nesting.find(
    ({ field }) => type.collection.scope.includes(field) || type.parent?.field === field,
  );
  const above = nesting === undefined ? undefined : around.typeOf(nesting.under);
  const isNested = above !== undefined && above !== type && nesting !== undefined;
  const filled = isNested ? [nesting.field, ...nesting.inherits] : [];
  const block = [...resourceBlock(type, keyOf(type), around, filled, isBrief), ...children];
  const inside = block.map((line) => (line === '' ? '' : `    ${line}`));
  return isNested ? placed(above, { ...around, apart: new Set() }, true, ['  children:', ...inside]) : block;
}

function resourceBlock(
  type: ResourceType,
  key: string,
  { typeOf, apart }: Around,
  filled: readonly string[] = [],
  isBrief = false,
): readonly string[] {
  const inputs = inputsOf(type).filter(({ name }) => !filled.includes(name));
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
    ...(type.nameField !== undefined && !isBrief ? [`  # ${type.nameField} is ${key}, unless given`] : []),
    '  properties:',
    ...properties,
  ];
}

function fieldLines(
  rule: FieldRule,
  value: Json,
  typeOf: (token: string) => ResourceType | undefined,
): readonly string[] {
  return [...comments(rule, typeOf), ...valueLines(rule.name, value, rule.schema)];
}

/** Members of a record each on lines of their own, below what limits them. */
function valueLines(name: string, value: Json, schema: JsonObject): readonly string[] {
  const members = membersOf(schema);
  if (!isRecord(value) || Object.keys(value).length === 0 || members.size === 0) return yamlLines({ [name]: value });
  const inside = Object.entries(value).flatMap(([key, inner]) => {
    const its = members.get(key) ?? {};
    const notes = limits(its);
    return [...(notes.length === 0 ? [] : [`# ${notes.join('; ')}`]), ...valueLines(key, inner, its)];
  });
  return [`${name}:`, ...inside.map((line) => `  ${line}`)];
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
    ...replacingNotes(rule),
    ...(rule.secret ? [secretNote(rule)] : []),
    ...(rule.deprecated === undefined ? [] : [`deprecated: ${rule.deprecated}`]),
  ];
  const about = rule.description.split('\n')[0]?.replace(/\.$/, '') ?? '';
  const said = [about, ...notes].filter((text) => text !== '');
  return said.length === 0 ? [] : [`# ${said.join('; ')}`];
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

function sampleOf(rule: FieldRule): Json {
  return rule.equality === 'document' ? leastSpecification : sampleValue(rule.schema, rule.name);
}

/** Of one of a fixed set something must be otherwise than it is anyway. */
function neededValue({ untouched = {} }: ResourceType, rule: FieldRule): Json {
  const value = sampleOf(rule);
  const [first] = Object.keys(isRecord(rule.schema['properties']) ? rule.schema['properties'] : {});
  if (!(rule.name in untouched) || !holdsNothing(value) || first === undefined) return value;
  return sampleValue({ ...rule.schema, required: [first] }, rule.name);
}

function keyOf({ name }: ResourceType): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function yamlLines(value: JsonObject): readonly string[] {
  return stringify(value, { lineWidth: 0 }).trimEnd().split('\n');
}
