import type { JsonObject } from '@platform-sync/core/model/value';
import { answerOf, namedMember } from './body-fields.js';
import type { Description } from './description.js';
import { kindOf, merged } from './merge.js';
import type { TypeSite } from './type-site.js';
import { camel, pascal, singular } from './words.js';

/** What an object is known by in its place. */
type OwnId =
  /** The service chooses it; `wire`: where answers have it. */
  | { readonly by: 'service'; readonly wire: string }
  /** People choose it: bodies that make the object hold it. */
  | { readonly by: 'people'; readonly wire: string };

/** Undefined where neither bodies nor answers say what stands in the path. */
export function ownIdOf(description: Description, site: TypeSite): OwnId | undefined {
  if (!site.item.endsWith('}') || namedMember(description, site) !== undefined) return undefined;
  const taken = membersOf(description, site.calls.create && description.bodyOf(site.calls.create));
  const shown = description.at(merged(description, answerOf(description, site))['properties']);
  if (site.shape !== 'collection') {
    const wire = calledLike(description, site, taken.members, 'exactly');
    return wire === undefined ? undefined : { by: 'people', wire };
  }
  if (shown['id'] !== undefined) return { by: taken.required.has('id') ? 'people' : 'service', wire: 'id' };
  const wire = calledLike(description, site, shown) ?? calledLike(description, site, taken.members);
  if (wire === undefined) return undefined;
  const isText = ['string', 'integer'].includes(kindOf(merged(description, shown[wire] ?? taken.members[wire])) ?? '');
  if (!isText) return undefined;
  if (taken.required.has(wire)) return { by: 'people', wire };
  // Nobody but people gives names: one that no body holds is said elsewhere.
  const isNamed = description.nameOf(wire) === 'name' && taken.members[wire] === undefined;
  return shown[wire] === undefined || isNamed ? undefined : { by: 'service', wire };
}

/** Names of what bodies that make an object hold, and answers that show it. */
export function ownMembers(description: Description, site: TypeSite): ReadonlySet<string> {
  const taken = membersOf(description, site.calls.create && description.bodyOf(site.calls.create));
  const shown = membersOf(description, answerOf(description, site));
  return new Set(Object.keys({ ...taken.members, ...shown.members }).map((wire) => description.nameOf(wire)));
}

/**
 * Schema of the id of an object that the service numbers itself unless the body that makes it says one; undefined where no
 * body takes it, or each has to.
 */
export function choosableId(description: Description, site: TypeSite): JsonObject | undefined {
  const id = ownIdOf(description, site);
  if (site.shape !== 'collection' || id?.by !== 'service' || id.wire !== 'id') return undefined;
  const { members } = membersOf(description, site.calls.create && description.bodyOf(site.calls.create));
  const schema = members['id'] === undefined ? undefined : merged(description, members['id']);
  return schema !== undefined && kindOf(schema) === 'string' && schema['readOnly'] !== true ? schema : undefined;
}

/**
 * The member that a parameter of a path means: of its name, or of the end of it (`role_name` means `name`); one of two where it says
 * `id_or_slug`.
 */
function calledLike(
  description: Description,
  { item }: TypeSite,
  members: JsonObject,
  how: 'exactly' | 'by its end' = 'by its end',
): string | undefined {
  const parameter = /\{([^{}]*)\}$/.exec(item)?.[1] ?? '';
  const noun = pascal(singular(item.split('/').at(-2) ?? ''));
  const names = parameter.split(/_or_|Or(?=[A-Z])/).map(camel);
  const wires = Object.keys(members);
  // `external_customer_id` of a customer is its `external_id`.
  const called = [...names, ...names.map((name) => camel(name.replace(noun, '')))];
  const exact = wires.find((wire) => wire !== 'id' && called.includes(description.nameOf(wire)));
  if (exact !== undefined || how === 'exactly') return exact;
  // The longest, so that `roleName` means `roleName` before `name`.
  return wires
    .filter((wire) => wire !== 'id' && wire !== '' && names.some((name) => name.endsWith(pascal(wire))))
    .sort((a, b) => b.length - a.length)[0];
}

function membersOf(
  description: Description,
  schema: Parameters<Description['at']>[0],
): { readonly members: JsonObject; readonly required: ReadonlySet<string> } {
  const at = merged(description, schema);
  const required = Array.isArray(at['required']) ? at['required'].map(String) : [];
  return { members: description.at(at['properties']), required: new Set(required) };
}
