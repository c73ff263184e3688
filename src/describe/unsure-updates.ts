import type { Json } from '@platform-sync/core/model/value';
import { branchesOf, kindOf, merged, valuesOf } from './merge.js';
import type { Description } from './description.js';
import type { TypeSite } from './type-site.js';
import { unionRule } from './union.js';

/** Records within each other that are looked into. */
const mostRecords = 8;

/**
 * Where updates take fewer kinds than creates, and no member inside of the record says which it is: then nobody can tell
 * beforehand which changes are refused.
 */
export function unsureUpdates(description: Description, { calls }: TypeSite): string | false {
  if (calls.create === undefined || calls.update === undefined || calls.create === calls.update) return false;
  const [made, changed] = [description.bodyOf(calls.create), description.bodyOf(calls.update)];
  const kinds = fewerKinds(description, made, changed);
  const paths = kinds === undefined ? unsurePaths(description, made, changed, []) : [kinds];
  if (paths.length === 0) return false;
  return `an update takes fewer kinds of ${paths.join(', ')} than a create, and nothing in it says which it is of: a change of another is refused`;
}

/** The member that tells what an object is, where updates take only some of what it may be. */
function fewerKinds(description: Description, made: Json | undefined, changed: Json | undefined): string | undefined {
  const by = unionRule(description, made)?.by;
  if (by === undefined) return undefined;
  const [all, taken] = [made, changed].map((body) => {
    const members = Object.entries(description.at(merged(description, body)['properties']));
    const telling = members.find(([wire]) => description.nameOf(wire) === by)?.[1];
    return telling === undefined ? undefined : valuesOf(merged(description, telling));
  });
  if (all === undefined || taken === undefined) return undefined;
  return all.every((kind) => taken.includes(kind)) ? undefined : by;
}

function unsurePaths(
  description: Description,
  made: Json | undefined,
  changed: Json | undefined,
  path: readonly string[],
): readonly string[] {
  if (made === undefined || changed === undefined || path.length > mostRecords) return [];
  const [before, after] = [merged(description, made), merged(description, changed)];
  const isFewer = path.length > 0 && isUnsure(description, made, changed);
  const [own, taken] = [description.at(before['properties']), description.at(after['properties'])];
  const inside = Object.entries(own).flatMap(([wire, member]) =>
    unsurePaths(description, member, taken[wire], [...path, description.nameOf(wire)]),
  );
  return [
    ...(isFewer ? [path.join('.')] : []),
    ...inside,
    ...unsurePaths(description, before['items'], after['items'], [...path, '*']),
  ];
}

/** Fewer branches than there were, of records that no member of theirs tells apart in both. */
function isUnsure(description: Description, made: Json, changed: Json): boolean {
  const [before, after] = [recordsOf(description, made), recordsOf(description, changed)];
  if (before.length < 2 || after.length === 0 || after.length >= before.length) return false;
  const by = unionRule(description, made)?.by;
  const names = Object.keys(description.at(merged(description, changed)['properties']));
  return by === undefined || !names.some((wire) => description.nameOf(wire) === by);
}

function recordsOf(description: Description, schema: Json): readonly Json[] {
  return branchesOf(description.at(schema)).filter((branch) => kindOf(merged(description, branch)) === 'object');
}
