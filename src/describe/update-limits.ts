import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { MemberType } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import { branchesOf, merged, valuesOf } from './merge.js';

/** What a body of updates has in the place of a record; undefined where there is none, or where nothing is said of its members. */
type Change = Json | undefined;

/**
 * Of each member of a record, by its wire name, how updates take less of it than creates: not all the kinds that it tells, or
 * not the member. `by`: the member that tells the kinds.
 */
export function updateLimits(
  description: Description,
  schema: Json | undefined,
  changed: Change,
  by: string | undefined,
): (wire: string) => Pick<MemberType, 'createOnly' | 'updatesOnly'> {
  const next = merged(description, changed);
  const taken = description.at(next['properties']);
  if (Object.keys(taken).length === 0) return () => ({});
  const kinds = by === undefined ? undefined : takenKinds(description, schema, taken, by);
  const own = membersOf(description, schema, by, kinds);
  const isClosed = next['additionalProperties'] !== true && !isObject(next['additionalProperties']);
  return (wire) => {
    if (wire === by) return kinds === undefined ? {} : { updatesOnly: kinds };
    return isClosed && own.has(wire) && taken[wire] === undefined ? { createOnly: true } : {};
  };
}

/** The kinds that an update takes; undefined where that is all of them, or nobody can tell. */
function takenKinds(
  description: Description,
  schema: Json | undefined,
  taken: JsonObject,
  by: string,
): readonly string[] | undefined {
  const made = textsOf(description, description.at(merged(description, schema)['properties'])[by]);
  const changed = textsOf(description, taken[by]);
  if (made === undefined || changed === undefined) return undefined;
  return made.every((kind) => changed.includes(kind)) ? undefined : made.filter((kind) => changed.includes(kind));
}

/** What is replaced anyway needs no word about its members. */
function membersOf(
  description: Description,
  schema: Json | undefined,
  by: string | undefined,
  kinds: readonly string[] | undefined,
): ReadonlySet<string> {
  const branches = branchesOf(description.at(schema)).map((branch) =>
    description.at(merged(description, branch)['properties']),
  );
  const all = branches.length === 0 ? [description.at(merged(description, schema)['properties'])] : branches;
  const meant = all.filter(
    (branch) =>
      by === undefined ||
      kinds === undefined ||
      textsOf(description, branch[by])?.some((kind) => kinds.includes(kind)) === true,
  );
  return new Set(meant.flatMap((branch) => Object.keys(branch)));
}

/** The texts of which a member is one, each branch of it taken by itself; undefined where it may be another. */
function textsOf(description: Description, schema: Json | undefined): readonly string[] | undefined {
  if (schema === undefined) return undefined;
  const values = valuesOf(merged(description, schema));
  if (values !== undefined) return values.flatMap((value) => (typeof value === 'string' ? [value] : []));
  const branches = branchesOf(description.at(schema)).map((branch) => textsOf(description, branch));
  const known = branches.flatMap((branch) => branch ?? []);
  return branches.length === 0 || branches.includes(undefined) ? undefined : known;
}
