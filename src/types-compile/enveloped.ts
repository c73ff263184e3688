import type { Json, JsonObject } from '../engine/model/value.js';
import type { Description } from './description.js';
import { merged } from './merge.js';
import type { TypeSite } from './type-site.js';

/**
 * A site whose bodies hold all they send in one member is taken by what is in it: then fields are those of the object. Both bodies
 * must have it, and answers must show what it holds.
 */
export function opened(description: Description, site: TypeSite): TypeSite {
  const { create, update, read } = site.calls;
  if (create === undefined || site.members !== undefined) return site;
  const envelope = onlyRecord(description, description.bodyOf(create));
  if (envelope === undefined) return site;
  if (update !== undefined && onlyRecord(description, description.bodyOf(update)) !== envelope) return site;
  const shown = membersOf(description, description.answerOf(read ?? create));
  const isShown =
    shown[envelope] !== undefined ||
    Object.keys(inside(description, create, envelope)).some((name) => shown[name] !== undefined);
  if (!isShown) return site;
  const open = (call: JsonObject): JsonObject => ({
    ...call,
    requestBody: {
      content: { 'application/json': { schema: membersOf(description, description.bodyOf(call))[envelope] ?? {} } },
    },
  });
  return {
    ...site,
    envelope,
    calls: { ...site.calls, create: open(create), ...(update === undefined ? {} : { update: open(update) }) },
  };
}

function inside(description: Description, call: JsonObject, envelope: string): JsonObject {
  return membersOf(description, membersOf(description, description.bodyOf(call))[envelope]);
}

function membersOf(description: Description, schema: Json | undefined): JsonObject {
  return description.at(merged(description, schema)['properties']);
}

/** The one member of a schema, where that is a record. */
export function onlyRecord(description: Description, schema: Json | undefined): string | undefined {
  const [only, ...others] = Object.entries(membersOf(description, schema));
  if (only === undefined || others.length > 0) return undefined;
  return Object.keys(membersOf(description, only[1])).length > 0 ? only[0] : undefined;
}
