import type { Json } from '@platform-sync/core/model/value';
import { itemOf, wrapperOf } from './body-fields.js';
import type { Description } from './description.js';
import { isShownSecret } from './field-contents.js';
import { merged } from './merge.js';
import type { TypeSite } from './type-site.js';

/** Secrets that the answer to a create has and nothing later: who does not take them there never sees them. */
export function shownOnce(description: Description, site: TypeSite): readonly string[] | undefined {
  const { create, read, list } = site.calls;
  if (create === undefined) return undefined;
  const wrapping = wrapperOf(description, site);
  const membersOf = (answer: Json | undefined): ReadonlyMap<string, Json> => {
    const outer = description.at(merged(description, answer)['properties']);
    const inner = wrapping === undefined ? {} : description.at(merged(description, outer[wrapping])['properties']);
    return new Map(Object.entries({ ...outer, ...inner }));
  };
  const item = list === undefined ? undefined : itemOf(description, list);
  const later = membersOf(read === undefined ? item : description.answerOf(read));
  if (later.size === 0) return undefined;
  const found = [...membersOf(description.answerOf(create))].flatMap(([wire, schema]) => {
    const at = merged(description, schema);
    const isSeen = later.has(wire) && merged(description, later.get(wire))['writeOnly'] !== true;
    return isSeen || at['writeOnly'] === true || !isShownSecret(wire, at) ? [] : [description.nameOf(wire)];
  });
  return found.length === 0 ? undefined : found;
}
