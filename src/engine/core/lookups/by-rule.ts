import { defined, type JsonObject } from '../model/value.js';
import type { LookupType, ProviderPackage } from '../model/provider.js';
import type { FieldRule, ResourceType } from '../model/resource-type.js';
import { memberName, shortToken } from '../model/token.js';
import { isFilterable, knownBy, textOperators } from './match.js';

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
