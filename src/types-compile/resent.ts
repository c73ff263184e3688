import type { Operations } from '../providers/rest/definition.js';
import { snakeCase } from '../providers/rest/names.js';
import type { CompiledField } from './body-fields.js';
import type { Description } from './description.js';
import { merged } from './merge.js';
import type { Place } from './place.js';
import type { TypeSite } from './type-site.js';

/** Members that an update is refused without and that it would not have by itself: they are sent as they were read. */
export function resentOf(
  description: Description,
  site: TypeSite,
  place: Place,
  fields: readonly CompiledField[],
): Pick<Operations, 'resent'> {
  const found = neededMembers(description, site).flatMap((wire): [string, string][] => {
    const name = holderOf(description, wire, site, place, fields);
    return name === undefined ? [] : [[wire, name]];
  });
  return found.length === 0 ? {} : { resent: Object.fromEntries(found) };
}

/** Those of which nothing tells the value. */
export function unknownNeeds(
  description: Description,
  site: TypeSite,
  place: Place,
  fields: readonly CompiledField[],
): readonly string[] {
  return neededMembers(description, site).filter(
    (wire) => holderOf(description, wire, site, place, fields) === undefined,
  );
}

/** A PUT has what people declare anyway; a PATCH has what changes. */
function neededMembers(description: Description, { calls, update }: TypeSite): readonly string[] {
  if (calls.update === undefined || calls.update === calls.create) return [];
  const { required } = merged(description, description.bodyOf(calls.update));
  const made = description.at(
    merged(description, calls.create === undefined ? undefined : description.bodyOf(calls.create))['properties'],
  );
  const needed = Array.isArray(required) ? [...new Set(required.map(String))] : [];
  return update === 'PUT' ? needed.filter((wire) => made[wire] === undefined) : needed;
}

function holderOf(
  description: Description,
  wire: string,
  { item }: TypeSite,
  { own, above }: Place,
  fields: readonly CompiledField[],
): string | undefined {
  const found = fields.find(({ name, field }) => (field.wire ?? snakeCase(name)) === wire && name !== own);
  if (found !== undefined) return found.field.writeOnly === true && found.isOutput ? undefined : found.name;
  const last = /\{([^{}]*)\}$/.exec(item)?.[1];
  const name = description.nameOf(wire);
  if (own !== undefined && (wire === 'id' || wire === last || name === own)) return 'id';
  return above.find(({ field }) => field === name)?.field;
}
