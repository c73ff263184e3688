import { defined, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { FieldType, MemberType } from '@platform-sync/rest/definition';
import { snakeCase } from '@platform-sync/rest/names';
import type { Description } from './description.js';
import { isSecretMember } from './marked-secrets.js';
import { kindLimits } from './kind-limits.js';
import { limitRows, memberLimits } from './limits.js';
import { branchesOf, kindOf, merged, valuesOf } from './merge.js';
import { unionRule } from './union.js';
import { pascal, sentence } from './words.js';

/** Records within each other that are followed; what is deeper, or leads back to itself, is any value. */
const mostRecords = 8;

/** What stands elsewhere in the place of what a create takes; undefined where that is nothing in particular. */
export interface Elsewhere {
  readonly shown?: Json | undefined;
  /** In bodies of updates. */
  readonly changed?: Json | undefined;
  /** Bodies take it: what is read-only inside of it is nothing to declare. */
  readonly isTaken?: boolean;
}

/** A type as definitions say it. `name` is what a record or choice of its own would be called. */
export function fieldType(
  description: Description,
  schema: Json | undefined,
  name: string,
  elsewhere: Elsewhere = {},
  depth = 0,
): FieldType {
  const at = merged(description, schema);
  const values = choicesOf(at);
  if (values !== undefined)
    return {
      choice: name,
      description: sentence(name),
      values: Object.fromEntries(values.map((value) => [value, sentence(value)])),
      // The one text that it may be is a mark of what it stands in.
      ...(values.length > 1 ? { open: true as const } : {}),
    };
  switch (kindOf(at)) {
    case 'array': {
      const list = fieldType(description, at['items'], name, inside(description, elsewhere, 'items'), depth + 1);
      return { list, ...limitRows(merged(description, at['items']), list) };
    }
    case 'object':
      return depth > mostRecords ? 'any' : recordType(description, schema, name, elsewhere, depth);
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    case 'integer-or-text':
      return 'integer-or-text';
    case 'number-or-text':
      return 'number-or-text';
    default:
      return 'any';
  }
}

/** Items of a list, or entries of a map. */
function inside(
  description: Description,
  { shown, changed, ...others }: Elsewhere,
  what: 'items' | 'additionalProperties',
): Elsewhere {
  return { ...others, shown: merged(description, shown)[what], changed: merged(description, changed)[what] };
}

function recordType(
  description: Description,
  schema: Json | undefined,
  name: string,
  elsewhere: Elsewhere,
  depth: number,
): FieldType {
  const at = merged(description, schema);
  const isDeclared = (member: Json | undefined): boolean =>
    member !== undefined && !(elsewhere.isTaken === true && merged(description, member)['readOnly'] === true);
  const properties = Object.entries(description.at(at['properties'])).filter(([, member]) => isDeclared(member));
  if (properties.length === 0) {
    const others = at['additionalProperties'];
    if (!isObject(others)) return 'any';
    const map = fieldType(description, others, name, inside(description, elsewhere, 'additionalProperties'), depth + 1);
    return { map, ...memberLimits(merged(description, others), map) };
  }
  const by = unionRule(description, schema)?.by;
  const required = new Set(Array.isArray(at['required']) ? at['required'] : []);
  const shown = merged(description, elsewhere.shown);
  const answered = description.at(shown['properties']);
  const changed = description.at(merged(description, elsewhere.changed)['properties']);
  const isClosed = Object.keys(answered).length > 0 && !isObject(shown['additionalProperties']);
  const telling = properties.find(([wire]) => description.nameOf(wire) === by)?.[0];
  const limits = updateLimits(description, schema, elsewhere.changed, telling);
  const members = properties.map(([wire, member]): [string, MemberType] => {
    const own = description.nameOf(wire);
    const hidden = isHidden(description, answered[wire] ?? member) || (isClosed && answered[wire] === undefined);
    const there: Elsewhere = { ...elsewhere, shown: answered[wire], changed: changed[wire] };
    const found = fieldType(description, member, `${name}${pascal(wire)}`, there, depth + 1);
    const type = own === by ? closedChoice(found) : found;
    const isSecret = isSecretMember(description, member, type, isHidden(description, member));
    return [
      own,
      {
        type,
        ...description.textOf(own),
        ...(isSecret ? { secret: true } : {}),
        ...(required.has(wire) ? {} : { optional: true }),
        ...(hidden ? { writeOnly: true as const } : {}),
        ...memberLimits(merged(description, member), type),
        ...limits(wire),
        ...(snakeCase(own) === wire ? {} : { wire }),
      },
    ];
  });
  const types = new Map(members.map(([own, { type }]) => [own, type]));
  const kinds = kindLimits(description, schema, (member) => types.get(member));
  const taken = new Set(properties.map(([wire]) => wire));
  const alone = Object.keys(answered).filter((wire) => !taken.has(wire) && !isDeclared(changed[wire]));
  return {
    ...{ record: name, description: sentence(name), members: Object.fromEntries(members) },
    ...(alone.length === 0 ? {} : { shown: alone }),
    ...defined({ by, kinds }),
  };
}

/** A text that chooses a branch: what another one would stand for is not known. */
export function closedChoice(type: FieldType): FieldType {
  if (typeof type === 'string' || !('choice' in type)) return type;
  const { open: _open, ...closed } = type;
  return closed;
}

/** What no answer shows can't be asked of every answer. */
function isHidden(description: Description, schema: Json): boolean {
  const at = merged(description, schema);
  return at['writeOnly'] === true || branchesOf(description.at(schema)).some((branch) => isHidden(description, branch));
}

/** Texts of which a value is one; undefined where it may be another. */
function choicesOf(at: JsonObject): readonly string[] | undefined {
  const values = valuesOf(at)?.filter((value) => value !== null) ?? [];
  return values.length > 0 && values.every((value) => typeof value === 'string') ? values : undefined;
}

/** What a body of updates has in the place of a record; undefined where there is none, or where nothing is said of its members. */
type Change = Json | undefined;

/**
 * Of each member of a record, by its wire name, how updates take less of it than creates: not all the kinds that it tells, or
 * not the member. `by`: the member that tells the kinds.
 */
function updateLimits(
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
