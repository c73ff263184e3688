import type { RemoteObject } from '../../../engine/model/provider.js';
import type { FieldRule, ResourceType } from '../../../engine/model/resource-type.js';
import type { JsonObject } from '../../../engine/model/value.js';
import { idOf } from '../../http/paging.js';
import { Wrong } from '../../http/wrong.js';
import { wireName } from '../convert.js';
import { decodeObject } from './decode.js';
import type { DecodeOptions } from './decode.js';
import { fits } from './fits.js';
import type { WireType } from './wire-type.js';

/** An object that was read, or what is wrong with it: a field that drives plans must be there, and each of its own kind. */
export function checkedObject(
  type: ResourceType,
  wire: WireType,
  item: JsonObject,
  options: DecodeOptions,
): RemoteObject | Wrong {
  const object = idOf(item) === undefined ? undefined : decodeObject(type, wire, item, options);
  if (object === undefined) return new Wrong('an object that does not say which one it is');
  const field = type.parent?.field;
  if (field !== undefined && (options.scope[field] ?? object.identity.scope[field]) !== object.identity.scope[field])
    return new Wrong('an object of another place');
  const wrong = Object.values(type.fields).find((rule) => !isRight(rule, wire, item, object, options));
  if (wrong !== undefined) return new Wrong(`an object whose ${wrong.name} is missing or of a wrong kind`);
  const empty = type.exactlyOne.find((group) => group.every((name) => object.values[name] === undefined));
  return empty === undefined ? object : new Wrong(`an object without any of ${empty.join(', ')}`);
}

function isRight(
  rule: FieldRule,
  wire: WireType,
  item: JsonObject,
  { values, identity }: RemoteObject,
  { listed }: DecodeOptions,
): boolean {
  if (rule.writeOnly || rule.name in identity.scope || (listed === true && !rule.inList)) return true;
  const mayBeEmpty = !rule.input || wire.nullable?.includes(rule.name) === true || rule.name in (wire.absent ?? {});
  const isThere = wire.members?.[rule.name] !== undefined || Object.hasOwn(item, wireName(rule.name));
  if (!isThere) return !rule.input || rule.name in (wire.absent ?? {}) || (mayBeEmpty && !rule.alwaysReturned);
  const value = values[rule.name];
  if (value === undefined || value === null) return mayBeEmpty || wire.members?.[rule.name] !== undefined;
  return fits(rule.schema, value);
}
