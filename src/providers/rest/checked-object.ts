import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { BadAnswer } from './http/bad-answer.js';
import { decodeObject, type DecodeOptions } from './decode.js';
import { fits } from './fits.js';
import { valueAt } from './member-paths.js';
import { isWholeUpdate, type RestType } from './rest-type.js';
import { inBranch } from './union.js';
import { hasUnknown } from './unknown-members.js';
import { wireFields, type WireField } from './wire-fields.js';

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
