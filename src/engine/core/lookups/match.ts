import type { RemoteObject } from '../model/provider.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import { isObject, type Json, type JsonObject, ownMember } from '../model/value.js';

interface TextOperator {
  readonly description: string;
  readonly holds: (value: string, operand: string) => boolean;
}

const among = (operand: string): readonly string[] => operand.split(',').map((item) => item.trim());
const contains = (value: string, part: string): boolean => value.toLowerCase().includes(part.toLowerCase());

/** The operators that the platform's own filters have, with their meaning. */
export const textOperators: Readonly<Record<string, TextOperator>> = {
  eq: { description: 'It is this text.', holds: (value, operand) => value === operand },
  neq: { description: 'It is not this text.', holds: (value, operand) => value !== operand },
  contains: { description: 'It contains this text, capitals or not.', holds: contains },
  oeq: {
    description: 'It is one of these texts, separated by commas.',
    holds: (value, operand) => among(operand).includes(value),
  },
  ocontains: {
    description: 'It contains one of these texts, separated by commas.',
    holds: (value, operand) => among(operand).some((part) => contains(value, part)),
  },
};

/** True for a field that lists carry and that holds one plain value. */
export function isFilterable({ type, inList, writeOnly, secret, isMark }: FieldRule): boolean {
  return inList && !writeOnly && !secret && isMark !== true && type !== 'array' && type !== 'object';
}

/** The fields by which people know an object of a type, best first; its id is always one. */
export function knownBy({ fields, nameField, label, naturalKey, collection }: ResourceType): readonly string[] {
  // What it lives in is part of where it is, not of what it is called.
  const own = naturalKey.filter(
    (field) => !collection.scope.includes(field) && fields[field]?.references === undefined,
  );
  const key = own.length === 1 ? own : [];
  const named = [nameField, label, ...key].filter((name) => name !== undefined);
  const usable = named.filter((name) => {
    const rule = fields[name];
    return rule !== undefined && rule.type === 'string' && isFilterable(rule);
  });
  return [...new Set([...usable, 'id'])];
}

/** A field of an object, its id and the ids above it among them. */
function valueOf({ identity, values }: RemoteObject, field: string): Json {
  return field === 'id' ? identity.id : (values[field] ?? identity.scope[field] ?? null);
}

/** What people would call the object: the first of the fields they know it by that has a value. */
export function nameOf(type: ResourceType, object: RemoteObject): string {
  const names = knownBy(type).map((field) => valueOf(object, field));
  return names.find((value): value is string => typeof value === 'string' && value !== '') ?? object.identity.id;
}

/** Says of an object whether a lookup's arguments mean it. What its list is chosen by is no part of the question. */
export function matcher(type: ResourceType, args: JsonObject): (object: RemoteObject) => boolean {
  const { name = null, filter = null } = args;
  const names = knownBy(type);
  const wanted = Object.entries(isObject(filter) ? filter : {});
  return (object) =>
    (name === null ||
      type.collection.scope.includes('name') ||
      names.some((field) => valueOf(object, field) === name)) &&
    wanted.every(([field, condition]) => holds(valueOf(object, field), condition));
}

function holds(value: Json, condition: Json): boolean {
  if (condition === null) return true;
  if (!isObject(condition)) return value === condition;
  return Object.entries(condition).every(
    ([operator, operand]) =>
      operand === null ||
      ownMember(textOperators, operator)?.holds(typeof value === 'string' ? value : '', String(operand)),
  );
}

/** Fields that must have one value for an object to be meant. */
export function mustBe(args: JsonObject): JsonObject {
  const { filter = null } = args;
  return Object.fromEntries(
    Object.entries(isObject(filter) ? filter : {}).flatMap(([field, condition]) => {
      const value = isObject(condition) ? condition['eq'] : condition;
      return value === null || value === undefined ? [] : [[field, value]];
    }),
  );
}
