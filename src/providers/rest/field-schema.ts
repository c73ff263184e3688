import { defined, type JsonObject } from '@platform-sync/core/model/value';
import { openMark } from '@platform-sync/core/model/resource-type';
import type { FieldType, MemberType, RecordType } from './definition.js';

/** JSON Schema (2020-12) of a type's values. */
export function fieldSchema(type: FieldType): JsonObject {
  if (type === 'any') return {};
  if (type === 'number-or-text') return { type: ['number', 'string'] };
  if (type === 'integer-or-text') return { type: ['integer', 'string'] };
  if (typeof type === 'string') return { type };
  if ('list' in type) return { type: 'array', items: { ...fieldSchema(type.list), ...type.limits } };
  if ('map' in type) return { type: 'object', additionalProperties: { ...fieldSchema(type.map), ...type.limits } };
  if ('choice' in type)
    return { type: 'string', enum: Object.keys(type.values), ...(type.open === true ? { [openMark]: true } : {}) };
  const members = Object.entries(type.members).map(([name, said]) => [name, memberOf(said)] as const);
  const required = members.filter(([, { optional }]) => optional !== true);
  const written = onlyWritten(type, namesOf(required.filter(([, { writeOnly }]) => writeOnly === true)));
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, { description, type: own = 'string', limits }]) => [
        name,
        { ...defined({ description }), ...fieldSchema(own), ...limits },
      ]),
    ),
    required: namesOf(required.filter(([, { writeOnly }]) => writeOnly !== true)),
    additionalProperties: type.open === true ? {} : false,
    ...(written.length === 0 ? {} : { allOf: written }),
  };
}

/** What must be written and no answer need hold: members that are never shown, and what kinds are beyond each other. */
function onlyWritten({ by, kinds }: RecordType, hidden: readonly string[]): readonly JsonObject[] {
  return [
    ...(hidden.length === 0 ? [] : [{ required: hidden }]),
    ...(by === undefined || kinds === undefined ? [] : ofKinds({ by, kinds })),
  ];
}

/** What holds of one kind alone. */
export function ofKinds({
  by,
  kinds,
}: {
  readonly by: string;
  readonly kinds: Readonly<Record<string, JsonObject>>;
}): readonly JsonObject[] {
  return Object.entries(kinds).map(([kind, beyond]) => ({
    if: { properties: { [by]: { const: kind } }, required: [by] },
    then: beyond,
  }));
}

function namesOf(members: readonly (readonly [name: string, member: MemberType])[]): readonly string[] {
  return members.map(([name]) => name);
}

/** A description alone stands for a text that is always there. */
export function memberOf(said: MemberType | string): MemberType {
  return typeof said === 'string' ? { description: said } : said;
}
