import type { SchemaViolation } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { fieldName, type RestType } from './rest-type.js';
import { inBranch } from './decode.js';

/** Declared values that can't be right together, whatever each one is. */
export function contradictions(type: ResourceType, rest: RestType, properties: JsonObject): readonly SchemaViolation[] {
  return [
    ...overruled(type, rest, properties),
    ...ofOtherBranches(rest, properties),
    ...ofOtherType(type, rest, properties),
  ];
}

/** Values that the platform would set aside for what another field says (front matter of a page's content). */
function overruled(type: ResourceType, rest: RestType, properties: JsonObject): readonly SchemaViolation[] {
  const names = Object.keys(rest.fields).filter((name) => rest.fields[name]?.derivedWins === true);
  const declared = names.filter((name) => typeof properties[name] === 'string');
  if (declared.length === 0) return [];
  const derived = type.derive(properties);
  return declared.flatMap((name) => {
    const wins = derived[name];
    if (typeof wins !== 'string' || wins === properties[name]) return [];
    const message = `must be "${wins}", which the front matter of the content says: that is what counts`;
    return [{ pointer: `/${name}`, keyword: 'derivedWins', message, params: {} }];
  });
}

/** Fields of one kind of object, declared of an object of another kind: they would never be sent. */
function ofOtherBranches(rest: RestType, properties: JsonObject): readonly SchemaViolation[] {
  const { union } = rest.definition;
  const kind = union === undefined ? undefined : properties[union.by];
  if (union === undefined || typeof kind !== 'string' || !Object.hasOwn(union.branches, kind)) return [];
  return Object.keys(properties).flatMap((name) => {
    if (inBranch(rest, name, properties)) return [];
    const message = `is for another ${union.by} than "${kind}"`;
    return [{ pointer: `/${name}`, keyword: 'union', message, params: {} }];
  });
}

/** What another type's objects of the same list are told by: it would be made, and be an object of that type. */
function ofOtherType(type: ResourceType, rest: RestType, properties: JsonObject): readonly SchemaViolation[] {
  const { member, others } = rest.definition.tells ?? {};
  if (member === undefined || others === undefined) return [];
  return Object.keys(rest.fields).flatMap((name) => {
    const value = properties[name];
    if (typeof value !== 'string' || fieldName(rest, name) !== member || !Object.hasOwn(others, value)) return [];
    const message = `can't be "${value}": ${type.provider}:${others[value] ?? ''} is the type for it`;
    return [{ pointer: `/${name}`, keyword: 'tells', message, params: {} }];
  });
}
