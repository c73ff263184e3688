import { defined } from '../../engine/model/defined.js';
import type { FieldDescriptor, ResourceDescriptor } from '../../engine/model/descriptor.js';
import type { Forcible, ImportIdRule, Nesting, VisibilityRule } from '../../engine/model/resource-type.js';
import { typeToken } from './package-entry.js';
import { isOneAnswer } from './paging.js';
import {
  collectionScope,
  fieldName,
  isPlace,
  isWholeUpdate,
  methodOfCall,
  type RestField,
  type RestType,
} from './rest-type.js';
import type { FieldRows, Operations } from './definition.js';
import { hiddenMembers, kindMembers, updatesOnly } from './marked-members.js';
import type { PlanHooks } from './style.js';

/** The rules of a type that the package schema can't express. `cascades` are the types that die with it. */
export function descriptorOf(
  provider: string,
  rest: RestType,
  cascades: readonly string[],
  hooks: PlanHooks,
): ResourceDescriptor {
  const { definition, fields, parent, style } = rest;
  const { naturalKey, unique, exactlyOne, untouched, absence, operations, list, file } = definition;
  const token = (name: string): string => typeToken(provider, name);
  return {
    token: token(definition.name),
    ...(parent === undefined ? {} : { parent: { field: parent, type: token(fields[parent]?.references ?? '') } }),
    nesting: nestings(rest, token),
    naturalKey,
    ...defined({ unique, exactlyOne, untouched }),
    ...roles(fields),
    collection: {
      scope: collectionScope(rest),
      paged: list !== undefined && !isOneAnswer(list.paging ?? style.paging),
      ...(list === undefined ? { listed: false as const } : {}),
      ...defined({ shownIn: list?.shownIn, narrowedBy: list?.findBy && Object.values(list.findBy) }),
    },
    ...defined({ absence, file }),
    visibility: Object.entries(fields).flatMap(([field, { exposure }]) =>
      exposure === undefined ? [] : [visibilityOf(field, exposure)],
    ),
    ...defined({ presence: definition.presence, createFirst: definition.createFirst }),
    importId: importId(rest),
    cascades: cascades.map(token),
    losses: Object.entries(fields).flatMap(([field, { losses }]) =>
      losses === undefined ? [] : [{ field, named: losses }],
    ),
    ...(isEndless(rest) ? { endless: { putsBack: putBack(operations) } } : {}),
    updatable: operations.update !== undefined,
    ...(isWholeUpdate(rest) ? { isWrittenWhole: true as const } : {}),
    ...forcible(operations),
    ...(definition.follows === undefined ? {} : { follows: definition.follows.map(token) }),
    ...defined({ derived: definition.derived, proven: definition.proven, shownOnce: definition.shownOnce }),
    ...planHooks(rest, hooks),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldDescriptor(rest, name, field, token)]),
    ),
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

function roles(fields: RestType['fields']): Partial<ResourceDescriptor> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { role }]) => (role === undefined ? [] : [[roleNames[role], name]])),
  );
}

function forcible({ forceDelete, forceUpdate }: Operations): Pick<ResourceDescriptor, 'forcible'> {
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

function planHooks({ definition }: RestType, hooks: PlanHooks): Pick<ResourceDescriptor, 'derive' | 'alsoNamed'> {
  const named = (kind: keyof PlanHooks): Partial<ResourceDescriptor> => {
    const name = definition.hooks?.[kind];
    if (name === undefined) return {};
    const hook = hooks[kind]?.[name];
    if (hook === undefined) throw new Error(`${definition.name} names the hook "${name}", which is not there`);
    return { [kind]: hook };
  };
  return { ...named('derive'), ...named('alsoNamed') };
}

function fieldDescriptor(
  rest: RestType,
  name: string,
  field: RestField,
  token: (name: string) => string,
): FieldDescriptor {
  const { equality, writeOnly, inList, clearing, nullIsValue, foreignKeys, stable, limits, accepts } = field;
  const onChange: FieldDescriptor['onChange'] | undefined =
    field.replaces === 'if-declared' ? 'replace-if-declared' : isPlace(rest, name) ? 'replace' : undefined;
  return defined({
    equality,
    writeOnly,
    inList,
    clearing,
    nullIsValue,
    foreignKeys,
    kindMembers: equality === 'record' ? kindMembers(field.type) : undefined,
    secretMembers: field.secretMembers,
    hiddenMembers: hiddenMembers(field.type),
    updatesOnly: updatesOnly(field.type),
    stable,
    limits,
    catalogueSchema: accepts,
    onChange,
    references: field.references === undefined ? undefined : token(field.references),
    keptAs: field.keptAs === undefined ? undefined : token(field.keptAs),
    movesWith: field.movesWith,
  });
}
