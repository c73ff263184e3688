import type { JsonObject } from '@platform-sync/core/model/value';
import { valueAt } from './member-paths.js';
import type { RestType } from './rest-type.js';

/** False for an item of a list that is an object of another type. */
export function isOfType({ definition: { tells } }: RestType, item: JsonObject): boolean {
  if (tells === undefined) return true;
  const value = valueAt(item, tells.member) ?? null;
  if (tells.is !== undefined) return value === tells.is;
  if (tells.others !== undefined) return typeof value !== 'string' || !Object.hasOwn(tells.others, value);
  return tells.there === undefined || (value !== null) === tells.there;
}
