import type { JsonObject } from '@platform-sync/core/model/value';
import type { RestType } from './rest-type.js';

/** False for a field that belongs to another branch of a union than the object is of. */
export function inBranch({ definition: { union } }: RestType, field: string, values: JsonObject): boolean {
  if (union === undefined) return true;
  const owners = Object.entries(union.branches).filter(([, fields]) => fields.includes(field));
  return owners.length === 0 || owners.some(([branch]) => branch === values[union.by]);
}
