import { defined, isObject, type Json, type JsonObject, ownMember } from '../model/value.js';
import type { LookupType, ProviderPackage, RemoteObject } from '../model/provider.js';
import { type FieldRule, memberName, type ResourceType, shortToken } from '../model/resource-type.js';

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
function isFilterable({ type, inList, writeOnly, secret, isMark }: FieldRule): boolean {
  return inList && !writeOnly && !secret && isMark !== true && type !== 'array' && type !== 'object';
}

/** The fields by which people know an object of a type, best first; its id is always one. */
function knownBy({ fields, nameField, label, naturalKey, collection }: ResourceType): readonly string[] {
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

/** One object, or all that match. */
export type HowMany = 'one' | 'all';

/** A lookup that follows from a resource type: `platform:getApi` and `platform:getApiList` from `platform:Api`. */
interface RuledLookup extends LookupType {
  /** Token of the type. */
  readonly of: string;
}

/** Token of the lookup for a type: `platform:index/getApi:getApi`. */
export function ruledToken(type: string, many: HowMany): string {
  const [provider = '', path = ''] = type.split(':');
  const name = `get${memberName(type)}${many === 'all' ? 'List' : ''}`;
  return `${provider}:${path.slice(0, path.indexOf('/'))}/${name}:${name}`;
}

/** Tokens of the lookups that follow from a package's types, whether or not they are listed. No type is loaded. */
export function ruledTokens(loaded: ProviderPackage): ReadonlyMap<string, RuledName> {
  let names = known.get(loaded);
  if (names === undefined) known.set(loaded, (names = namesOf(loaded)));
  return names;
}

type RuledName = readonly [type: string, many: HowMany];
const known = new WeakMap<ProviderPackage, ReadonlyMap<string, RuledName>>();

function namesOf({ types, lookups }: ProviderPackage): ReadonlyMap<string, RuledName> {
  const counts = ['one', 'all'] as const;
  return new Map(
    [...types.keys()]
      .flatMap((type) => counts.map((many) => [ruledToken(type, many), [type, many]] as const))
      // What a provider offers itself keeps its own form.
      .filter(([token]) => !lookups.has(token)),
  );
}

/** The lookup of a package for a token: the provider's own, else the one that follows from a type. */
export function lookupOf(loaded: ProviderPackage, token: string): LookupType | undefined {
  const own = loaded.lookups.get(token);
  const [name, many] = own === undefined ? (ruledTokens(loaded).get(token) ?? []) : [];
  const type = name === undefined ? undefined : loaded.types.get(name);
  return type === undefined || many === undefined ? own : ruledLookup(type, many);
}

/** What the lookup takes and gives; undefined for a list of what nothing lists. */
export function ruledLookup(type: ResourceType, many: HowMany): RuledLookup | undefined {
  if (many === 'all' && !isListed(type)) return undefined;
  const token = ruledToken(type.token, many);
  const record = recordSchema(type, many);
  return {
    token,
    shortToken: shortToken(token),
    name: memberName(token),
    provider: type.provider,
    description:
      many === 'one'
        ? `Finds one object of the type ${type.name}.`
        : `All objects of the type ${type.name} that match, in the order of their names.`,
    inputs: argumentsSchema(type),
    outputs: many === 'one' ? record : listSchema(record),
    of: type.token,
  };
}

export function isListed({ collection }: ResourceType): boolean {
  return collection.listed !== false;
}

/** What is shown of an object: all but secrets, and what the platform never shows. Of a record the members that are secrets are not. */
export function shownFields(type: ResourceType, many: HowMany): readonly FieldRule[] {
  return Object.values(type.fields).filter(
    (rule) => !rule.secret && !rule.writeOnly && rule.isMark !== true && (many === 'one' || rule.inList),
  );
}

function argumentsSchema(type: ResourceType): JsonObject {
  const place = type.collection.scope;
  const filterable = Object.values(type.fields).filter((rule) => isFilterable(rule) && !place.includes(rule.name));
  const taken = new Set(place);
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(place.map((field) => [field, placeSchema(type.fields[field])])),
      ...(taken.has('name') ? {} : { name: { type: 'string', description: nameWords(type) } }),
      ...(taken.has('filter') || !isListed(type)
        ? {}
        : {
            filter: {
              type: 'object',
              description: 'Fields and the values they must have. All must hold.',
              properties: {
                id: memberSchema('string'),
                ...Object.fromEntries(filterable.map((rule) => [rule.name, memberSchema(rule.type)])),
              },
              additionalProperties: false,
            },
          }),
    },
    required: [...place, ...(isListed(type) || taken.has('name') ? [] : ['name'])],
    additionalProperties: false,
  };
}

function placeSchema(rule: FieldRule | undefined): JsonObject {
  const { format } = rule?.schema ?? {};
  return { type: 'string', ...defined({ description: rule?.description, format }) };
}

function nameWords(type: ResourceType): string {
  return isListed(type) ? `What it is known by: its ${knownBy(type).join(' or ')}.` : 'Its id.';
}

/** What a filter takes for a text: the text, or a map of operators. */
export const textFilter: JsonObject = {
  type: ['string', 'object'],
  properties: Object.fromEntries(
    Object.entries(textOperators).map(([name, { description }]) => [name, { type: 'string', description }]),
  ),
  additionalProperties: false,
};

function memberSchema(type: FieldRule['type']): JsonObject {
  return type === 'string' ? textFilter : { type };
}

function recordSchema(type: ResourceType, many: HowMany): JsonObject {
  const fields = shownFields(type, many).map(({ name, description, schema }) => [name, { description, ...schema }]);
  return {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Id of the object.' },
      ...Object.fromEntries(fields),
    } as JsonObject,
    required: ['id'],
    additionalProperties: false,
  };
}

function listSchema(record: JsonObject): JsonObject {
  return {
    type: 'object',
    properties: {
      datas: { type: 'array', description: 'The objects.', items: record },
      id: { type: 'string', description: 'The same for the same question.' },
    },
    required: ['datas', 'id'],
    additionalProperties: false,
  };
}
