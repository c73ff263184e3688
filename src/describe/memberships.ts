import type { JsonObject } from '@platform-sync/core/model/value';
import type { Description } from './description.js';
import { kindOf, merged } from './merge.js';
import { aboveOf, type UnnamedSite } from './type-site.js';

/** Calls that make objects members of another, `…/add`, and end that, `…/remove`: each body lists ids of such objects. */
export function membershipAt(
  description: Description,
  add: readonly [path: string, call: JsonObject],
  remove: readonly [path: string, call: JsonObject],
  list: JsonObject | undefined,
): UnnamedSite | undefined {
  const above = aboveOf(add[0]);
  if (add[0] !== `${above}/add` || remove[0] !== `${above}/remove` || list === undefined) return undefined;
  const members = listedIds(description, add[1]);
  if (members === undefined || members !== listedIds(description, remove[1])) return undefined;
  return {
    ...{ shape: 'collection', create: ['POST', add[0]], item: remove[0], list: above, members },
    removal: ['POST', remove[0]],
    calls: { create: add[1], delete: remove[1], list },
  };
}

/** The only member of a body, where that is a list of `{"id": …}`. */
function listedIds(description: Description, call: JsonObject): string | undefined {
  const members = Object.entries(description.at(merged(description, description.bodyOf(call))['properties']));
  const [only, ...others] = members;
  if (only === undefined || others.length > 0) return undefined;
  const schema = merged(description, only[1]);
  const item = merged(description, schema['items']);
  return kindOf(schema) === 'array' && Object.keys(description.at(item['properties'])).join() === 'id'
    ? only[0]
    : undefined;
}
