import { isList } from '@platform-sync/core/model/value';
import type { Operations } from '@platform-sync/rest/definition';
import { snakeCase } from '@platform-sync/rest/names';
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
  const found = neededMembers(description, site, place).flatMap((wire): [string, string][] => {
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
  return neededMembers(description, site, place).filter(
    (wire) => holderOf(description, wire, site, place, fields) === undefined,
  );
}

/** A PATCH has what changes. A PUT has what people declare, but for what stands in the path, and loses what it leaves out. */
function neededMembers(
  description: Description,
  { calls, update }: TypeSite,
  { own, above }: Place,
): readonly string[] {
  if (calls.update === undefined) return [];
  const changed = merged(description, description.bodyOf(calls.update));
  const made = merged(description, calls.create === undefined ? undefined : description.bodyOf(calls.create))[
    'required'
  ];
  const needed = isList(changed['required']) ? changed['required'].map(String) : [];
  if (update !== 'PUT') return calls.update === calls.create ? [] : [...new Set(needed)];
  const places = [own, ...above.map(({ field }) => field)].filter((name) => name !== 'id');
  const inPath = Object.keys(description.at(changed['properties'])).filter((wire) =>
    places.includes(description.nameOf(wire)),
  );
  return [...new Set([...needed.filter((wire) => !isList(made) || !made.includes(wire)), ...inPath])];
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
