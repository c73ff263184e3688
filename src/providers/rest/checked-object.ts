import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asList, asObject, BadAnswer } from './http/json.js';
import { decodeObject, type DecodeOptions, inBranch } from './decode.js';
import { valueAt } from './member-paths.js';
import { isWholeUpdate, type RestType } from './rest-type.js';
import { hasUnknown } from './unknown-members.js';
import { type WireField, wireFields } from './wire-fields.js';

/** An object that was read, or what is wrong with it: a field that drives plans must be there, and each of its own kind. */
export function checkedObject(
  type: ResourceType,
  rest: RestType,
  item: JsonObject,
  options: DecodeOptions,
): RemoteObject | BadAnswer {
  const object = decodeObject(type, rest, item, options);
  if (object === undefined) return new BadAnswer('an object without its id');
  const { scope } = object.identity;
  if (rest.scope.some((field) => (options.scope[field] ?? scope[field]) !== scope[field]))
    return new BadAnswer('an object with another parent');
  const { listed, read } = wireFields(type, rest);
  const wrong = (options.listed === true ? listed : read).find((wire) => !isRight(wire, rest, item, object));
  if (wrong !== undefined) return new BadAnswer(`an object whose ${wrong.name} is missing or of a wrong kind`);
  const empty = type.exactlyOne.find((group) => group.every((name) => object.values[name] === undefined));
  if (empty !== undefined) return new BadAnswer(`an object without any of ${empty.join(', ')}`);
  // A list's item lacks what only single answers show, so it is given back only where there are no others.
  const isWholeAnswer = options.listed !== true || rest.definition.operations.read === undefined;
  const isGivenBack = isWholeAnswer && isWholeUpdate(rest) && hasUnknown(type, rest, item);
  return isGivenBack ? { ...object, answer: item } : object;
}

function isRight(wire: WireField, rest: RestType, item: JsonObject, { values }: RemoteObject): boolean {
  const { name, rule, field, shown, isPlace } = wire;
  // Most values are texts that are to be texts: right, wherever they stand.
  if (rule.schema.type === 'string' && typeof values[name] === 'string') return true;
  if (isPlace) return true;
  if (!inBranch(rest, name, values)) return true;
  const mayBeAbsent = field?.absent !== undefined;
  const mayBeEmpty = !rule.input || field?.nullable === true || mayBeAbsent;
  const isLaidOut = field?.members !== undefined;
  const isThere = isLaidOut || valueAt(item, shown) !== undefined;
  if (!isThere) return !rule.input || mayBeAbsent || (mayBeEmpty && !rule.alwaysReturned);
  const value = values[name];
  if (value === undefined || value === null) return mayBeEmpty || isLaidOut;
  return fits(rule.schema, value);
}

/**
 * Is the value of the kind that a JSON schema says? Kinds only: the platform's own limits are not checked on what it
 * answers. Members that hold null count as left out.
 */
export function fits(schema: JsonObject, value: Json): boolean {
  const { type } = schema;
  const isKind = (kind: Json): boolean => kind === kindOf(value) || (kind === 'integer' && Number.isInteger(value));
  if (typeof type === 'string' ? !isKind(type) : asList(type)?.some(isKind) === false) return false;
  if (typeof value !== 'object') return true;
  const list = asList(value);
  if (list !== undefined) return list.every((item) => fits(asObject(schema.items) ?? {}, item));
  const object = asObject(value);
  return object === undefined || membersFit(schema, object);
}

function membersFit(schema: JsonObject, object: JsonObject): boolean {
  const known = asObject(schema.properties) ?? {};
  const others = asObject(schema.additionalProperties) ?? {};
  const hasAll = (asList(schema.required) ?? []).every((name) => (object[String(name)] ?? null) !== null);
  return (
    hasAll &&
    Object.entries(object).every(([name, member]) => {
      const own = Object.hasOwn(known, name) ? asObject(known[name]) : undefined;
      return member === null || fits(own ?? others, member);
    })
  );
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
