import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { UnionRule } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import { branchesOf, merged, valuesOf } from './merge.js';

/** By which field the branches of a body are told apart, and which fields are of some of them only. */
export function unionRule(
  description: Description,
  body: Json | undefined,
): (UnionRule & { readonly wire: string }) | undefined {
  const at = description.at(body);
  const branches = branchesOf(at)
    .filter((branch) => description.at(branch)['type'] !== 'null')
    .map((branch) => merged(description, branch));
  if (branches.length < 2) return undefined;
  const names = [...new Set(branches.flatMap((branch) => Object.keys(description.at(branch['properties']))))];
  const by = names.find((name) => tellsApart(description, branches, name));
  if (by === undefined) return undefined;
  const isEverywhere = (name: string): boolean => branches.every((branch) => memberOf(description, branch, name));
  const own = branches.map((branch): readonly [string, readonly string[]] => [
    kindIn(description, branch, by),
    Object.keys(description.at(branch['properties']))
      .filter((name) => !isEverywhere(name))
      .map((name) => description.nameOf(name)),
  ]);
  return { by: description.nameOf(by), wire: by, branches: Object.fromEntries(own) };
}

/** The kind that a branch is, by the wire name of the member that tells the kinds. */
export function kindIn(description: Description, branch: JsonObject, by: string): string {
  return String(valuesOf(merged(description, memberOf(description, branch, by)))?.[0]);
}

function tellsApart(description: Description, branches: readonly JsonObject[], name: string): boolean {
  const values = branches.map((branch) => valuesOf(merged(description, memberOf(description, branch, name))));
  const single = values.flatMap((each) => (each?.length === 1 && typeof each[0] === 'string' ? [each[0]] : []));
  return single.length === branches.length && new Set(single).size === branches.length;
}

function memberOf(description: Description, branch: JsonObject, name: string): Json | undefined {
  const members = description.at(branch['properties']);
  const found = Object.hasOwn(members, name) ? members[name] : undefined;
  return isObject(found) ? found : undefined;
}
