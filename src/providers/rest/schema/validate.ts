import { violationOf } from '@platform-sync/core/model/broken-rule';
import { fieldsWhere, type ResourceType } from '@platform-sync/core/model/resource-type';
import { holdsNumberOrText, withNumbers } from '@platform-sync/core/value/format-form';
import type { SchemaViolation } from '@platform-sync/core/model/provider';
import type { Validator, Validators } from '@platform-sync/core/model/validator';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { readJson } from '@platform-sync/core/model/read-json';
import type { Rules } from './compiled-rules.js';

type Checked = readonly SchemaViolation[];

/** Holds what a catalogue says of a package's types and lookups against their rules. */
interface Validation {
  /** All broken rules of a resource's declared properties. */
  readonly resource: (type: ResourceType, properties: JsonObject) => Checked | Promise<Checked>;
  /** All broken rules of a lookup's arguments. */
  readonly lookup: (token: string, args: JsonObject) => Checked | Promise<Checked>;
}

/** By the compiled rules of a package. */
export function validation(validators: () => Promise<Validators>): Validation {
  const withRules = rulesOnce(validators);
  return {
    resource: (type, properties) => withRules(type.token, type, (rules) => checkResource(type, properties, rules)),
    lookup: (token, args) => withRules(token, undefined, ({ validate }) => violationsOf(validate, args)),
  };
}

/** All broken rules of a resource's declared properties. */
export function checkResource(type: ResourceType, properties: JsonObject, rules: Rules): Checked {
  const broken: SchemaViolation[] = [];
  const read = withNumbersRead(type, withoutJsonText(type, properties, broken));
  broken.push(...violationsOf(rules.validate, read), ...forbiddenKeys(type, read, rules.find));
  return broken;
}

type WithRules = (
  token: string,
  type: ResourceType | undefined,
  check: (rules: Rules) => Checked,
) => Checked | Promise<Checked>;

/** Compiled rules load on first use; a promise for every one of 100,000 resources would cost more than the rules. */
function rulesOnce(validators: () => Promise<Validators>): WithRules {
  const loaded = new Map<string, Rules>();
  const load = async (token: string, type: ResourceType | undefined): Promise<Rules> => {
    const rules = await rulesOf(token, type, validators);
    loaded.set(token, rules);
    return rules;
  };
  return (token, type, check) => {
    const known = loaded.get(token);
    return known === undefined ? load(token, type).then(check) : check(known);
  };
}

/** Derived types are many and used by few: theirs are compiled here. */
async function rulesOf(
  token: string,
  type: ResourceType | undefined,
  validators: () => Promise<Validators>,
): Promise<Rules> {
  if (type?.derived === true) return (await import('./compiled-rules.js')).compiledRules(type);
  return generated(token, await validators());
}

/** Its patterns are our own: a test runs each of them on texts that harmful ones never end on. */
async function generated(token: string, validators: Validators): Promise<Rules> {
  const load = validators[token];
  if (load === undefined) throw new Error(`bug: no validator for ${token}; run npm run generate`);
  return { validate: (await load()).default, find: (pattern, text) => new RegExp(pattern, 'u').exec(text)?.[0] };
}

function violationsOf(validate: Validator, value: JsonObject): readonly SchemaViolation[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).filter((error) => error.keyword !== 'propertyNames').map(violationOf);
}

const numbersOrTexts = fieldsWhere(({ schema }) => holdsNumberOrText(schema));

/** A text that spells a number is held against the limits of numbers. */
function withNumbersRead(type: ResourceType, properties: JsonObject): JsonObject {
  const read = numbersOrTexts(type).flatMap(({ name, schema }): [string, Json][] => {
    const value = properties[name];
    return value === undefined ? [] : [[name, withNumbers(schema, value)]];
  });
  return read.length === 0 ? properties : { ...properties, ...Object.fromEntries(read) };
}

const mapsOrTexts = fieldsWhere(({ equality }) => equality === 'multisets' || equality === 'policy');

/** Fields that take a map or its JSON text are checked as the map, so that both spellings know the same limits. */
function withoutJsonText(type: ResourceType, properties: JsonObject, broken: SchemaViolation[]): JsonObject {
  let read: Record<string, Json> | undefined;
  for (const { name } of mapsOrTexts(type)) {
    const value = properties[name];
    if (typeof value !== 'string') continue;
    const parsed = parseObject(value);
    if (parsed !== undefined) (read ??= { ...properties })[name] = parsed;
    else {
      const message = 'must be a map, or the JSON text of one';
      broken.push({
        pointer: `/${name}`,
        keyword: 'contentMediaType',
        message,
        params: { contentMediaType: 'application/json' },
      });
    }
  }
  return read ?? properties;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = readJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const withForbiddenKeys = fieldsWhere(({ schema }) => forbiddenKeyPattern(schema) !== undefined);

/**
 * Keys the platform keeps for itself: `propertyNames: {not: {pattern}}` of a field. Checked here, not in the compiled
 * rules, because the pattern names things that only the platform's wire constants may name.
 */
function forbiddenKeys(type: ResourceType, properties: JsonObject, find: Rules['find']): readonly SchemaViolation[] {
  const broken: SchemaViolation[] = [];
  for (const { name, schema } of withForbiddenKeys(type)) {
    const value = properties[name];
    const pattern = forbiddenKeyPattern(schema);
    if (!isObject(value) || pattern === undefined) continue;
    for (const propertyName of Object.keys(value)) {
      const prefix = find(pattern, propertyName);
      if (prefix === undefined) continue;
      const message = `must not begin with "${prefix}"`;
      broken.push({ pointer: `/${name}`, keyword: 'not', message, params: { propertyName, prefix } });
    }
  }
  return broken;
}

function forbiddenKeyPattern(schema: JsonObject): string | undefined {
  const names = schema['propertyNames'];
  const not = isObject(names) ? names['not'] : undefined;
  const pattern = isObject(not) ? not['pattern'] : undefined;
  return typeof pattern === 'string' ? pattern : undefined;
}
