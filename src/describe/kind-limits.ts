import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { memberOf, ofKinds } from '@platform-sync/rest/field-schema';
import type { FieldType } from '@platform-sync/rest/definition';
import type { Description } from './description.js';
import { limitsOf } from './limits.js';
import { branchesOf, merged } from './merge.js';
import { kindIn, unionRule } from './union.js';

/** Values within each other whose limits are told kind by kind. */
const mostDeep = 6;

/**
 * JSON Schema of what an object of each kind must be beyond what all kinds must: members that are required of it, and limits
 * that only it has. `typeOf`: of each member, by its name in catalogues.
 */
export function kindLimits(
  description: Description,
  schema: Json | undefined,
  typeOf: (member: string) => FieldType | undefined,
  depth = 0,
): Readonly<Record<string, JsonObject>> | undefined {
  const union = unionRule(description, schema);
  if (union === undefined) return undefined;
  const { wire } = union;
  const found = branchesOf(description.at(schema)).flatMap((branch): [string, JsonObject][] => {
    const own = merged(description, branch);
    if (own['type'] === 'null') return [];
    const beyond = beyondOf(description, { own: branch, all: schema, typeOf, depth });
    return Object.keys(beyond).length === 0 ? [] : [[kindIn(description, own, wire), beyond]];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

interface Compared {
  readonly own: Json | undefined;
  readonly all: Json | undefined;
  /** Of each member, by its name in catalogues; undefined where names stay as they are on the wire. */
  readonly typeOf: ((member: string) => FieldType | undefined) | undefined;
  readonly depth: number;
}

/** What one schema says beyond another, which also holds for it. */
function beyondOf(description: Description, { own: mine, all, typeOf, depth }: Compared): JsonObject {
  if (depth > mostDeep) return {};
  const [own, whole] = [merged(description, mine), merged(description, all)];
  const nameOf = (wire: string): string => (typeOf === undefined ? wire : description.nameOf(wire));
  const [members, known] = [description.at(own['properties']), description.at(whole['properties'])];
  const needed = namesIn(own).filter((wire) => Object.hasOwn(members, wire) && !namesIn(whole).includes(wire));
  const inside = Object.entries(members).flatMap(([wire, member]): [string, JsonObject][] => {
    const beyond = valueBeyond(description, member, known[wire], typeOf?.(nameOf(wire)), depth);
    return Object.keys(beyond).length === 0 ? [] : [[nameOf(wire), beyond]];
  });
  return {
    ...(needed.length === 0 ? {} : { required: needed.map(nameOf) }),
    ...(inside.length === 0 ? {} : { properties: Object.fromEntries(inside) }),
  };
}

function valueBeyond(
  description: Description,
  mine: Json | undefined,
  all: Json | undefined,
  type: FieldType | undefined,
  depth: number,
): JsonObject {
  const [own, whole] = [merged(description, mine), merged(description, all)];
  const said = limitsOf(whole);
  const limits = Object.entries(limitsOf(own)).filter(([word, limit]) => said[word] !== limit);
  const typeOf = type === undefined || type === 'any' ? undefined : membersOf(type);
  const record = beyondOf(description, { own: mine, all, typeOf, depth: depth + 1 });
  // A kind may be one of several kinds in turn.
  const isNew = unionRule(description, all) === undefined;
  const union = isNew ? unionRule(description, mine) : undefined;
  const kinds = union && kindLimits(description, mine, typeOf ?? (() => undefined), depth + 1);
  const list = type !== undefined && typeof type === 'object' && 'list' in type ? type.list : undefined;
  const items =
    own['items'] === undefined ? {} : valueBeyond(description, own['items'], whole['items'], list, depth + 1);
  return {
    ...Object.fromEntries(limits),
    ...record,
    ...(Object.keys(items).length === 0 ? {} : { items }),
    ...(union === undefined || kinds === undefined || typeOf === undefined
      ? {}
      : { allOf: ofKinds({ by: union.by, kinds }) }),
  };
}

function membersOf(type: FieldType): (name: string) => FieldType | undefined {
  const members = new Map(typeof type === 'object' && 'record' in type ? Object.entries(type.members) : []);
  return (name) => {
    const said = members.get(name);
    return said === undefined ? undefined : (memberOf(said).type ?? 'string');
  };
}

function namesIn({ required }: JsonObject): readonly string[] {
  return isList(required) ? [...new Set(required.map(String))] : [];
}
