import { openMark } from '../../engine/model/open-choice.js';
import type { JsonObject } from '../../engine/model/value.js';
import type { FieldType, MemberType } from './definition.js';

/** JSON Schema (2020-12) of a type's values. */
export function fieldSchema(type: FieldType): JsonObject {
  if (type === 'any') return {};
  if (type === 'number-or-text') return { type: ['number', 'string'] };
  if (type === 'integer-or-text') return { type: ['integer', 'string'] };
  if (typeof type === 'string') return { type };
  if ('list' in type) return { type: 'array', items: fieldSchema(type.list) };
  if ('map' in type) return { type: 'object', additionalProperties: fieldSchema(type.map) };
  if ('choice' in type)
    return { type: 'string', enum: Object.keys(type.values), ...(type.open === true ? { [openMark]: true } : {}) };
  const members = Object.entries(type.members).map(([name, said]) => [name, memberOf(said)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, { description, type: own = 'string' }]) => [name, { description, ...fieldSchema(own) }]),
    ),
    required: members.flatMap(([name, { optional }]) => (optional === true ? [] : [name])),
    additionalProperties: false,
  };
}

/** A description alone stands for a text that is always there. */
export function memberOf(said: MemberType | string): MemberType {
  return typeof said === 'string' ? { description: said } : said;
}
