import type { TellingRule } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import { fixedMember, freeMembers } from './body-fields.js';
import type { TypeSite } from './type-site.js';

/** A type that is made at the path of another, with the description that says so. */
export interface Beside {
  readonly description: Description;
  readonly site: TypeSite;
}

/**
 * How objects of a type are told from those that others make at the same path: each by the one text that a member of its body
 * may hold; one whose member may hold any text is what none of the others is.
 */
export function tellingRule(
  description: Description,
  site: TypeSite,
  beside: readonly Beside[],
): TellingRule | undefined {
  if (beside.length === 0) return undefined;
  const own = fixedMember(description, site);
  if (own !== undefined) return { member: own[0], is: own[1] };
  const others = beside.map((each) => fixedMember(each.description, each.site));
  const member = others[0]?.[0];
  if (member === undefined || others.some((each) => each?.[0] !== member)) return undefined;
  if (!freeMembers(description, site).includes(member)) return undefined;
  const named = others.map((each, at) => [each?.[1] ?? '', beside[at]?.site.name ?? ''] as const);
  return { member, others: Object.fromEntries(named) };
}
