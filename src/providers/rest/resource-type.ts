import { defined, recordByNames, ownMember } from '@platform-sync/core/model/value';
import { importIdFields } from '@platform-sync/core/model/import-id';
import {
  type FieldRule,
  type Forcible,
  type ImportIdRule,
  type Nesting,
  type ResourceType,
  shortToken,
  type VisibilityRule,
} from '@platform-sync/core/model/resource-type';
import type { FieldRows, FieldType, Operations, TypeDefinition } from './definition.js';
import { fieldSchema, ofKinds } from './field-schema.js';
import { hiddenMembers, kindMembers, updatesOnly } from './marked-members.js';
import { isOneAnswer } from './paging.js';
import {
  collectionScope,
  fieldName,
  isPlace,
  isWholeUpdate,
  methodOfCall,
  type RestField,
  type RestType,
  restType,
} from './rest-type.js';
import type { PlanHooks, RestStyle } from './style.js';
import { LazyMap, valueIn } from '@platform-sync/core/model/lazy-map';
import type { DefinitionSource } from './definition-source.js';

/** `platform:index/apiDocument:ApiDocument` */
export function typeToken(provider: string, name: string): string {
  return `${provider}:index/${name.charAt(0).toLowerCase()}${name.slice(1)}:${name}`;
}

interface TypeContext {
  readonly provider: string;
  /** Names of the types that die with this one. */
  readonly cascades: readonly string[];
  /** Names of the types whose objects live in one of this type. */
  readonly contents: readonly string[];
  readonly hooks: PlanHooks;
}

/** What the engine knows of a type, from its definition. Throws when that contradicts itself: that is a bug of whoever wrote it. */
export function resourceType(rest: RestType, { provider, cascades, contents, hooks }: TypeContext): ResourceType {
  const { definition, fields, parent } = rest;
  const { naturalKey, unique = [], exactlyOne = [], untouched, absence, operations, file } = definition;
  const token = (name: string): string => typeToken(provider, name);
  const type: ResourceType = {
    token: token(definition.name),
    shortToken: shortToken(token(definition.name)),
    name: definition.name,
    provider,
    description: definition.description,
    fields: recordByNames(Object.entries(fields).map(([name, field]) => [name, fieldRule(rest, name, field, token)])),
    ...parentOf(parent, fields, token),
    nesting: nestings(rest, token),
    naturalKey,
    unique,
    exactlyOne,
    ...defined({ untouched, absence, file, kinds: kindRules(definition.union) }),
    ...roles(fields),
    collection: collection(rest),
    visibility: Object.entries(fields).flatMap(([field, { exposure }]) =>
      exposure === undefined ? [] : [visibilityOf(field, exposure)],
    ),
    ...defined({ presence: definition.presence, createFirst: definition.createFirst }),
    importId: importId(rest),
    cascades: cascades.map(token),
    contents: contents.map(token),
    losses: Object.entries(fields).flatMap(([field, { losses }]) =>
      losses === undefined ? [] : [{ field, named: losses }],
    ),
    ...(isEndless(rest) ? { endless: { putsBack: putBack(operations) } } : {}),
    updatable: operations.update !== undefined,
    ...(isWholeUpdate(rest) ? { isWrittenWhole: true as const } : {}),
    ...forcible(operations),
    ...(definition.follows === undefined ? {} : { follows: definition.follows.map(token) }),
    ...defined({ derived: definition.derived, proven: definition.proven, shownOnce: definition.shownOnce }),
    derive: hook(rest, hooks, 'derive'),
    alsoNamed: hook(rest, hooks, 'alsoNamed'),
  };
  checkFieldNames(type);
  return type;
}

/** What it lives in, where a type stands for that: of anything else people say the id, and nobody looks it up. */
function parentOf(
  field: string | undefined,
  fields: RestType['fields'],
  token: (name: string) => string,
): Pick<ResourceType, 'parent'> {
  const references = field === undefined ? undefined : fields[field]?.references;
  return field === undefined || references === undefined ? {} : { parent: { field, type: token(references) } };
}

function kindRules(union: TypeDefinition['union']): ResourceType['kinds'] {
  return union?.kinds === undefined ? undefined : ofKinds({ by: union.by, kinds: union.kinds });
}

function collection(rest: RestType): ResourceType['collection'] {
  const { list } = rest.definition;
  return {
    scope: collectionScope(rest),
    paged: list !== undefined && !isOneAnswer(list.paging ?? rest.style.paging),
    ...(list === undefined ? { listed: false as const } : {}),
    ...defined({ shownIn: list?.shownIn, idsIn: list?.idsIn, narrowedBy: list?.findBy && Object.values(list.findBy) }),
  };
}

/** Settings of a place that PUT or PATCH writes and that nothing deletes. */
function isEndless({ definition: { operations, list }, scope, idField, onlyId }: RestType): boolean {
  const isOnly = onlyId !== undefined || scope.includes(idField);
  return isOnly && list === undefined && operations.delete === undefined && !operations.create.startsWith('POST ');
}

/** A PUT of what is put back takes the rest along. */
function putBack({ reset, update }: Operations): readonly string[] | 'all' {
  if (reset === undefined || update === undefined) return [];
  return methodOfCall(update) === 'PUT' ? 'all' : Object.keys(reset);
}

function visibilityOf(field: string, exposure: NonNullable<FieldRows['exposure']>): VisibilityRule {
  if (exposure === true) return { field };
  const { shown, hidden, ...more } = exposure;
  return { field, values: { shown, hidden }, ...more };
}

function nestings({ fields, scope }: RestType, token: (name: string) => string): readonly Nesting[] {
  return Object.entries(fields).flatMap(([field, { nests, references }]) => {
    if (nests !== true || references === undefined) return [];
    // An object of the same kind lives where its children live; a container is part of where they live.
    const inherits = scope.includes(field) ? scope.slice(0, scope.indexOf(field)) : scope;
    return [{ under: token(references), field, inherits }];
  });
}

const roleNames = {
  name: 'nameField',
  label: 'label',
  revision: 'revision',
  creation: 'creation',
  mark: 'markedIn',
} as const;

function roles(fields: RestType['fields']): Partial<ResourceType> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { role }]) => (role === undefined ? [] : [[roleNames[role], name]])),
  );
}

function forcible({ forceDelete, forceUpdate }: Operations): Pick<ResourceType, 'forcible'> {
  const all: readonly (readonly [Forcible, string | undefined])[] = [
    ['delete', forceDelete],
    ['update', forceUpdate],
  ];
  const some = all.flatMap(([kind, parameter]) => (parameter === undefined ? [] : [kind]));
  return some.length === 0 ? {} : { forcible: some };
}

/** By default as the service's own tools write it: the id, or all parts of where the object is under their wire names. */
function importId(rest: RestType): ImportIdRule {
  const { definition, scope, idField, onlyId } = rest;
  const template = definition.importId ?? onlyId;
  if (template !== undefined) return { form: 'text', template };
  if (scope.length === 0) return { form: 'plain' };
  const above = scope.map((field) => [fieldName(rest, field), field]);
  const own = idField === 'id' ? 'id' : fieldName(rest, idField);
  return { form: 'json', keys: Object.fromEntries([...above, [own, 'id']]) };
}

/** What the provider's hook of this kind does for the type; without one, nothing. */
function hook({ definition }: RestType, hooks: PlanHooks, kind: keyof PlanHooks): ResourceType['derive'] {
  const name = definition.hooks?.[kind];
  if (name === undefined) return () => ({});
  const found = ownMember(hooks[kind] ?? {}, name);
  if (found === undefined) throw new Error(`${definition.name} names the hook "${name}", which is not there`);
  return found;
}

function fieldRule(rest: RestType, name: string, field: RestField, token: (name: string) => string): FieldRule {
  const { type, description, output, writeOnly = false, equality = ordinaryEquality(type), references, keptAs } = field;
  const schema = fieldSchema(type);
  return {
    name,
    type: valueType(schema['type']),
    description,
    input: !output,
    required: field.required,
    computed: output,
    alwaysReturned: field.always,
    onChange: onChange(rest, name, field),
    equality,
    writeOnly,
    inList: field.inList ?? !writeOnly,
    clearing: field.clearing ?? { by: 'null' },
    stable: field.stable ?? false,
    secret: field.secret ?? false,
    ...defined({
      nullIsValue: field.nullIsValue,
      foreignKeys: field.foreignKeys,
      kindMembers: equality === 'record' ? kindMembers(type) : undefined,
      hiddenMembers: hiddenMembers(type),
      updatesOnly: updatesOnly(type),
      secretMembers: field.secretMembers,
      deprecated: field.deprecated,
      enum: typeof type === 'object' && 'choice' in type ? Object.keys(type.values) : undefined,
      references: references === undefined ? undefined : token(references),
      keptAs: keptAs === undefined ? undefined : token(keptAs),
      movesWith: field.movesWith,
    }),
    schema: field.accepts ?? { ...schema, ...field.limits },
  };
}

/** What stands in a path is part of where the object is: nothing moves between places. */
function onChange(rest: RestType, name: string, { replaces }: RestField): FieldRule['onChange'] {
  if (name === rest.parent) return 'replace';
  if (replaces === 'if-declared') return 'replace-if-declared';
  return replaces === true || isPlace(rest, name) ? 'replace' : 'update';
}

function ordinaryEquality(type: FieldType): FieldRule['equality'] {
  return typeof type === 'object' && 'map' in type && type.map === 'string' ? 'map' : 'exact';
}

function valueType(type: unknown): FieldRule['type'] {
  if (type === 'boolean' || type === 'array' || type === 'object') return type;
  return type === 'number' || type === 'integer' ? 'number' : 'string';
}

/** Every name that a rule mentions must be a field; a typing error there would be a rule lost silently. */
function checkFieldNames(type: ResourceType): void {
  const inputs: readonly (string | undefined)[] = [
    ...type.naturalKey,
    ...type.unique.flat(),
    ...type.exactlyOne.flat(),
    ...Object.keys(type.untouched ?? {}),
    ...type.collection.scope,
    ...type.nesting.flatMap((nesting) => [nesting.field, ...nesting.inherits]),
    ...[type.nameField, type.parent?.field],
    ...importIdFields(type.importId),
  ];
  const inherited = Object.keys(type.fields).find((name) => name in Object.prototype);
  if (inherited !== undefined)
    throw new Error(`${type.token}: every object has "${inherited}", so it can't be a field`);
  const noInput = inputs.find((name) => name !== undefined && type.fields[name]?.input !== true);
  if (noInput !== undefined) throw new Error(`${type.token}: no input "${noInput}" among its fields`);
  const fields: readonly (string | undefined)[] = [
    ...type.visibility.map(({ where }) => where?.field),
    ...(type.file === undefined ? [] : [type.file.body, ...Object.keys(type.file.fields)]),
  ];
  const noField = fields.find((name) => name !== undefined && type.fields[name] === undefined);
  if (noField !== undefined) throw new Error(`${type.token}: no field "${noField}"`);
}

/** The types of a provider, each made of its definition when it is first used. */
export interface DefinedTypes {
  readonly types: ReadonlyMap<string, ResourceType>;
  readonly restOf: (type: Pick<ResourceType, 'token'>) => RestType;
}

interface TypesOptions {
  readonly provider: string;
  readonly source: DefinitionSource;
  readonly style: RestStyle;
  readonly hooks?: PlanHooks;
}

export function definedTypes({ provider, source, style, hooks = {} }: TypesOptions): DefinedTypes {
  const nameOf = new Map(source.names.map((name) => [typeToken(provider, name), name]));
  const made = new LazyMap(nameOf.keys(), (token) => {
    const { definition, cascades, contents = [] } = source.load(valueIn(nameOf, token));
    const rest = restType(definition, style);
    return { type: resourceType(rest, { provider, cascades, contents, hooks }), rest };
  });
  return {
    types: new LazyMap(nameOf.keys(), (token) => valueIn(made, token).type),
    restOf: ({ token }) => valueIn(made, token).rest,
  };
}
