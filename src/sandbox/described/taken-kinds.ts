import { type Json, type JsonObject, isJsonObject } from '../json.js';
import { invalid } from '../problem.js';
import type { Description } from './description.js';
import { constantsOf } from './object.js';

/**
 * Throws where a record is so far of a kind that only what makes the object takes, and no change does: the new one would be
 * taken for it. `made`, `changed`: what the description says of the two calls.
 */
export function mustBeOfTakenKind(
  description: Description,
  { made, changed }: { readonly made: readonly JsonObject[]; readonly changed: JsonObject },
  body: JsonObject,
  before: JsonObject,
): void {
  for (const name of Object.keys(body)) {
    const own = before[name];
    if (!isJsonObject(own)) continue;
    const all = kindsOf(
      description,
      made.map((call) => description.bodyOf(call) ?? {}),
      name,
    );
    for (const [member, taken] of kindsOf(description, [description.bodyOf(changed) ?? {}], name)) {
      const isFewer = [...(all.get(member) ?? [])].some((kind) => !taken.has(kind));
      const field = `${name}.${member}`;
      if (isFewer && own[member] !== undefined && !taken.has(own[member]))
        throw invalid({ field, rule: 'enum', reason: `${field} is not one that can be changed`, source: 'body' });
    }
  }
}

/** The values of members that hold one value in each branch, of a member of bodies. */
function kindsOf(
  description: Description,
  bodies: readonly Json[],
  name: string,
): ReadonlyMap<string, ReadonlySet<Json>> {
  const found = new Map<string, Set<Json>>();
  const wholes = bodies.flatMap((body) => branchesOf(description, body));
  const records = wholes.flatMap((body) => {
    const member = description.shapeOf(body).properties.get(name);
    return member === undefined ? [] : branchesOf(description, member);
  });
  for (const record of records)
    for (const [member, only] of constantsOf(description, record))
      found.set(member, (found.get(member) ?? new Set()).add(only));
  return found;
}

/** A schema and all that it may be one of. */
function branchesOf(description: Description, node: Json, depth = 0): readonly Json[] {
  const { either } = description.shapeOf(node);
  return depth > 6 ? [node] : [node, ...either.flatMap((branch) => branchesOf(description, branch, depth + 1))];
}
