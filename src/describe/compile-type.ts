import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { defined, isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { snakeCase } from '@platform-sync/rest/names';
import type { FieldDefinition, Operations, TellingRule, TypeDefinition } from '@platform-sync/rest/definition';
import { absenceOf } from './absence.js';
import { correctedFields, correctionOf } from './corrections.js';
import { type Description, serverOf } from './description.js';
import {
  answerOf,
  bodyFields,
  type CompiledField,
  fixedMember,
  freeMembers,
  itemOf,
  namedMember,
  wrapperOf,
} from './body-fields.js';
import { untouchedOf } from './fixed-sets.js';
import { pagingOf } from './list-rule.js';
import { kindLimits } from './kind-limits.js';
import { limitRows } from './limits.js';
import { branchesOf, kindOf, merged, valuesOf } from './merge.js';
import { openItems } from './open-items.js';
import { type Overruled, overruledBy } from './overruled.js';
import type { FieldContext } from './field-context.js';
import { choosableId, ownIdOf } from './own-id.js';
import type { Place } from './place.js';
import { resentOf } from './resent.js';
import type { Rules } from './rules-file.js';
import { aboveOf, plainPath, type TypeSite } from './type-site.js';
import { unionRule } from './union.js';
import { pascal, sentence, singular } from './words.js';
import { isShownSecret } from './field-contents.js';

/** What is known of all types while one is compiled. */
interface CompileContext {
  readonly description: Description;
  readonly rules: Rules;
  readonly sites: readonly TypeSite[];
}

export interface Made {
  readonly definition: TypeDefinition;
  readonly fields: readonly CompiledField[];
  readonly overruled: Readonly<Record<string, Overruled>>;
  readonly open: readonly Diagnostic[];
}

/** `beside`: other types whose objects are made at the same path. */
export function compileType(context: CompileContext, site: TypeSite, place: Place, beside: readonly Beside[]): Made {
  const { description, rules } = context;
  const correction = correctionOf(rules, site.name);
  const body = site.calls.create === undefined ? undefined : description.bodyOf(site.calls.create);
  const told = unionRule(description, body);
  const tells = tellingRule(description, site, beside);
  const found = fieldsFound(context, site, place, {
    fixed: tells?.is === undefined ? undefined : tells.member,
    by: told?.by,
  });
  const fields = correctedFields(found, correction);
  const types = new Map(fields.map(({ name, field }) => [name, field.type ?? 'string']));
  const kinds = kindLimits(description, body, (name) => types.get(name));
  const union = told && { by: told.by, branches: told.branches, ...defined({ kinds }) };
  const chosen = (isOutput: boolean): Record<string, FieldDefinition> =>
    Object.fromEntries(fields.filter((each) => each.isOutput === isOutput).map(({ name, field }) => [name, field]));
  const outputs = chosen(true);
  const { why: _, skip: _skip, fields: _fields, accepted: _accepted, ...rows } = correction ?? { why: '' };
  const key = naturalKey(place, fields);
  const list = listOf(description, site, place, fieldsOf(correction?.naturalKey ?? key, place, fields));
  const absence = absenceOf(description, site, (rows.list ?? list) !== undefined, rules.absence);
  const plain: TypeDefinition = {
    name: site.name,
    description: sentence(site.name),
    derived: true,
    ...defined({ host: hostOf(context, site) }),
    operations: { ...operationsOf(description, site, place), ...resentOf(description, site, place, fields) },
    ...defined({
      list,
      tells,
      wrapper: wrapperOf(description, site),
      envelope: site.envelope,
      ...idRows(description, site, place),
      parent: place.above.at(-1)?.field,
      member: site.members === undefined ? undefined : place.own,
      shownOnce: shownOnce(description, site),
    }),
    naturalKey: key,
    ...(place.own === 'id' ? {} : { unique: [placeKey(place)].filter((key) => key.length > 0) }),
    ...defined({ absence, union, untouched: untouchedOf(site, place, fields) }),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    always: fields.filter(({ isAlways }) => isAlways).map(({ name }) => name),
    fields: chosen(false),
    ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
  };
  const definition = { ...plain, ...rows };
  const overruled = overruledBy(correction, { definition: plain, fields: found });
  return {
    definition,
    fields,
    overruled,
    open: openItems({ description, site, place, definition, fields, correction, isShared: beside.length > 0 }),
  };
}

/** Fields by the place in the path and by the bodies, before people correct them. */
function fieldsFound(
  context: CompileContext,
  site: TypeSite,
  place: Place,
  how: Pick<FieldContext, 'fixed' | 'by'>,
): readonly CompiledField[] {
  const { description } = context;
  const named = namedMember(description, site);
  const id = ownIdOf(description, site);
  const inBodies = bodyFields({
    ...{ description, site, typeNamed: (stem) => typeNamed(context, site, stem) },
    ...{ ...how, named },
  }).map((each) => (id?.by === 'service' && isHeldBy(each, id.wire) ? knownBy(each) : each));
  const places = placeNames(place);
  const member = named === undefined ? undefined : memberRows(context, site, named);
  const called = shownAs(place, site, inBodies);
  const own = called && {
    name: place.own ?? '',
    field: { ...called.field, wire: called.field.wire ?? snakeCase(called.name) },
  };
  const shown = called === undefined || own === undefined ? inBodies : [...inBodies, { ...called, ...own }];
  return [
    ...placeFields(
      place,
      shown,
      uuidsIn(description, site),
      (name) => description.textOf(name, site.name),
      member ?? ownRows(description, site, place, inBodies),
    ),
    ...chosenId(description, site, place),
    ...inBodies.filter((each) => !places.has(each.name) && each !== called),
  ];
}

function isHeldBy({ name, field, isOutput }: CompiledField, wire: string): boolean {
  return !isOutput && (field.wire ?? snakeCase(name)) === wire;
}

/** What an object is known by, and people may say: another one is another object. */
function knownBy(each: CompiledField): CompiledField {
  const rule = 'create body takes the id: replaces where it is declared';
  return { ...each, field: { ...each.field, replaces: 'if-declared', stable: true }, rule };
}

/** An id that people may say when the object is made. */
function chosenId(description: Description, site: TypeSite, { own }: Place): readonly CompiledField[] {
  const schema = own === 'id' ? choosableId(description, site) : undefined;
  if (schema === undefined) return [];
  return [
    {
      name: 'id',
      field: {
        ...description.textOf('id', site.name),
        ...limitRows(schema, 'string'),
        ...{ sent: 'id', replaces: 'if-declared', stable: true },
      },
      ...{ isOutput: false, isRequired: false, isAlways: true },
      rule: 'create body takes the id: replaces where it is declared',
    },
  ];
}

function placeNames({ above, own }: Place): ReadonlySet<string> {
  return new Set([...above.map(({ field }) => field), own ?? '']);
}

/** The fields of a key that do not come from the path. */
function fieldsOf(key: readonly string[], place: Place, fields: readonly CompiledField[]): readonly CompiledField[] {
  const places = placeNames(place);
  return key.flatMap((name) => (places.has(name) ? [] : (fields.find((each) => each.name === name) ?? [])));
}

/** A type by the stem of an id: of that name, else what lies beside or above under that word. */
function typeNamed({ sites }: CompileContext, site: TypeSite, stem: string, mayBeItself = true): string | undefined {
  if (sites.some(({ name }) => name === stem)) return stem;
  const own = plainPath(aboveOf(site.create[1]));
  const word = wordOf(site);
  const found = sites.filter((candidate) => {
    const { name, shape, create } = candidate;
    const above = plainPath(aboveOf(create[1]));
    // Another of its own kind would not just be called by the word for the kind.
    if (name === site.name && (!mayBeItself || stem === word)) return false;
    const isDeep = above.split('/').length > 3 || stem === wordOf(candidate);
    return shape === 'collection' && own.startsWith(above) && isDeep && stem.endsWith(wordOf(candidate));
  });
  return found[0]?.name;
}

/** The word for one of its objects. */
function wordOf({ create: [, path] }: TypeSite): string {
  return pascal(singular(path.split('/').at(-1) ?? ''));
}

/**
 * What a path calls `templateName` is the `name` of its object, where answers have nothing called like the path: the end of it, or the
 * name of what is put in a place by an id that no answer shows.
 */
function shownAs({ own }: Place, { shape }: TypeSite, inBodies: readonly CompiledField[]): CompiledField | undefined {
  if (own === undefined || own === 'id' || inBodies.some(({ name }) => name === own)) return undefined;
  const outputs = inBodies.filter(({ isOutput }) => isOutput);
  const isPut = shape !== 'collection';
  const named = outputs.find(({ name }) => name === 'name');
  const ending = outputs.find(({ name }) => name !== 'id' && own.endsWith(pascal(name)));
  if (!isPut) return ending === named ? named : undefined;
  const isHidden = own.endsWith('Id') && outputs.every(({ name }) => name !== 'id');
  return ending ?? (isHidden ? named : undefined);
}

/** The ids of a path are declared, and replace. */
function placeFields(
  { above, own }: Place,
  inBodies: readonly CompiledField[],
  uuids: readonly boolean[],
  textOf: (name: string) => FieldDefinition,
  member: FieldDefinition = {},
): readonly CompiledField[] {
  const at = (name: string, type?: string, isUuid = false): CompiledField => {
    const known = inBodies.find((each) => each.name === name)?.field;
    const nearest = above.at(-1)?.field === name;
    // It stands in the path, and the body that makes the object wants it, too.
    const body = inBodies.find((each) => each.name === name && each.isRequired);
    return {
      name,
      field: {
        ...defined({ type: known?.type, wire: known?.wire, as: known?.as }),
        ...defined({ limits: known?.limits ?? (isUuid ? { format: 'uuid' } : undefined) }),
        ...textOf(name),
        ...(type === undefined ? {} : { references: type, ...(nearest ? { nests: true } : {}) }),
        ...(body === undefined ? {} : { sent: body.field.wire ?? snakeCase(name) }),
      },
      isOutput: false,
      isRequired: true,
      isAlways: false,
      rule: 'path parameter: part of the place',
    };
  };
  const all = above.map(({ field, type }, index) => at(field, type, uuids[index]));
  if (own === undefined || own === 'id') return all;
  const { field, ...rest } = at(own);
  return [...all, { ...rest, field: { ...field, ...member } }];
}

/** Of each parameter of an item's path, whether the description says that it is a uuid. */
function uuidsIn(description: Description, { item, calls }: TypeSite): readonly boolean[] {
  const said = [description.paths.get(item), calls.read, calls.delete].flatMap((node) => {
    const parameters = node?.['parameters'];
    return isList(parameters) ? parameters.map((each) => description.at(each)) : [];
  });
  return [...item.matchAll(/\{([^}]*)\}/g)].map(([, name]) => {
    const own = said.find((each) => each['in'] === 'path' && each['name'] === name);
    return own !== undefined && description.at(own['schema'])['format'] === 'uuid';
  });
}

/** What people say is `id` on the wire, where nothing else there is called so. */
function ownRows(
  description: Description,
  site: TypeSite,
  { own }: Place,
  inBodies: readonly CompiledField[],
): FieldDefinition {
  const shown = description.at(merged(description, answerOf(description, site))['properties']);
  const isCalledElse = own === undefined || own === 'id' || inBodies.some(({ name }) => name === own);
  if (isCalledElse || shown['id'] === undefined) return {};
  return { wire: 'id', ...(ownIdOf(description, site)?.by === 'people' ? { sent: 'id' } : {}) };
}

/** The id of what is made a member: bodies hold it under a name of their own, lists show it as the id of an item. */
function memberRows(context: CompileContext, site: TypeSite, named: string): FieldDefinition {
  const references = typeNamed(context, site, pascal(singular(site.create[1].split('/').at(-1) ?? '')), false);
  const as = site.members === undefined ? undefined : ('id-objects' as const);
  return { wire: 'id', sent: named, ...defined({ references, as }) };
}

function operationsOf(
  description: Description,
  { create: [method, path], item, calls, update, removal }: TypeSite,
  { written }: Place,
): Operations {
  const at = (verb: string, where = item): never => `${verb} ${written(description.written(where))}` as never;
  const reset = calls.reset === undefined ? undefined : resetValues(description, calls.reset);
  return {
    create: at(method, path),
    ...(calls.read === undefined ? {} : { read: at('GET') }),
    ...(update === undefined ? {} : { update: at(update) }),
    ...(calls.delete === undefined
      ? {}
      : { delete: removal === undefined ? at('DELETE') : at(removal[0], removal[1]) }),
    ...defined({ reset }),
  };
}

/** The one value that each member of a body has which puts an object back. */
function resetValues(description: Description, call: JsonObject): JsonObject | undefined {
  const members = description.at(merged(description, description.bodyOf(call))['properties']);
  const fixed = Object.entries(members).flatMap(([wire, schema]): [string, Json][] => {
    const values = valuesOf(merged(description, schema));
    return values?.length === 1 && values[0] !== undefined ? [[description.nameOf(wire), values[0]]] : [];
  });
  return fixed.length === 0 ? undefined : Object.fromEntries(fixed);
}

/** The name of the host that another server of the description stands for. */
function hostOf({ description, rules }: CompileContext, { calls }: TypeSite): string | undefined {
  const server = serverOf(calls.create ?? {});
  return server === undefined || server === description.server ? undefined : rules.hosts[server];
}

function listOf(
  description: Description,
  { list, calls }: TypeSite,
  { written }: Place,
  key: readonly CompiledField[],
): TypeDefinition['list'] {
  const paging = list === undefined || calls.list === undefined ? undefined : pagingOf(description, calls.list);
  if (list === undefined || calls.list === undefined || paging === undefined) return undefined;
  const get = written(description.written(list)) as NonNullable<TypeDefinition['list']>['get'];
  return { get, paging, ...defined({ findBy: findByOf(description, calls.list, key) }) };
}

/** Where answers have the id that the service chooses, and what it is there. */
function idRows(
  description: Description,
  site: TypeSite,
  { own }: Place,
): Partial<Pick<TypeDefinition, 'idType' | 'idWire'>> {
  const id = ownIdOf(description, site);
  if (own !== 'id' || id?.by !== 'service') return {};
  const schema = description.at(merged(description, answerOf(description, site))['properties'])[id.wire];
  return {
    ...(kindOf(merged(description, schema)) === 'integer' ? { idType: 'integer' as const } : {}),
    ...(id.wire === 'id' ? {} : { idWire: id.wire }),
  };
}

function placeKey({ above, own }: Place): readonly string[] {
  return [...above.map(({ field }) => field), ...(own === undefined || own === 'id' ? [] : [own])];
}

/** Rule 7, as a candidate: nothing says that it is unique, so nothing is adopted by it unasked. */
function naturalKey(place: Place, fields: readonly CompiledField[]): readonly string[] {
  if (place.own !== 'id') return placeKey(place);
  const name = ['name', 'slug', 'hostname', 'username', 'email', 'title', 'key'].find((candidate) =>
    fields.some((each) => each.name === candidate && !each.isOutput),
  );
  return name === undefined ? placeKey(place) : [...placeKey(place), name];
}

/**
 * Query parameters that narrow a list to a key, by the field they take: those that ask for equality in so many words,
 * `filter[name][eq]`. One that is only called like the field may as well search in it, and says nothing of what it leaves out.
 * What must not be seen in an address narrows nothing.
 */
function findByOf(
  description: Description,
  list: JsonObject,
  key: readonly CompiledField[],
): Readonly<Record<string, string>> | undefined {
  const asked = new Set(equalities(description, list));
  const found = key.flatMap(({ name, field, isOutput }): [string, string][] => {
    const parameter = equality(field.wire ?? snakeCase(name));
    const isText = !isOutput && field.type === undefined && field.as === undefined;
    const isHidden = field.secret === true || field.writeOnly === true;
    return isText && !isHidden && asked.has(parameter) ? [[parameter, name]] : [];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

const equality = (member: string): string => `filter[${member}][eq]`;

/** Every such parameter: written out, or a member of the object `filter`. */
function equalities(description: Description, { parameters }: JsonObject): readonly string[] {
  const queries = (isList(parameters) ? parameters : [])
    .map((each) => description.at(each))
    .filter((each) => each['in'] === 'query');
  return queries.flatMap(({ name, style, schema }) => {
    if (name !== 'filter' || style !== 'deepObject') return typeof name === 'string' ? [name] : [];
    const members = Object.entries(membersOf(description, schema));
    return members.flatMap(([member, its]) => (mayEqual(description, its) ? [equality(member)] : []));
  });
}

/** One of several ways to ask is enough. */
function mayEqual(description: Description, filter: Json): boolean {
  const ways = [filter, ...branchesOf(description.at(filter))];
  return ways.some((way) => 'eq' in membersOf(description, way));
}

function membersOf(description: Description, schema: Json | undefined): JsonObject {
  return description.at(merged(description, schema)['properties']);
}

/** Secrets that the answer to a create has and nothing later: who does not take them there never sees them. */
function shownOnce(description: Description, site: TypeSite): readonly string[] | undefined {
  const { create, read, list } = site.calls;
  if (create === undefined) return undefined;
  const wrapping = wrapperOf(description, site);
  const membersOf = (answer: Json | undefined): ReadonlyMap<string, Json> => {
    const outer = description.at(merged(description, answer)['properties']);
    const inner = wrapping === undefined ? {} : description.at(merged(description, outer[wrapping])['properties']);
    return new Map(Object.entries({ ...outer, ...inner }));
  };
  const item = list === undefined ? undefined : itemOf(description, list);
  const later = membersOf(read === undefined ? item : description.answerOf(read));
  if (later.size === 0) return undefined;
  const found = [...membersOf(description.answerOf(create))].flatMap(([wire, schema]) => {
    const at = merged(description, schema);
    const isSeen = later.has(wire) && merged(description, later.get(wire))['writeOnly'] !== true;
    return isSeen || at['writeOnly'] === true || !isShownSecret(wire, at) ? [] : [description.nameOf(wire)];
  });
  return found.length === 0 ? undefined : found;
}

/** A type that is made at the path of another, with the description that says so. */
interface Beside {
  readonly description: Description;
  readonly site: TypeSite;
}

/**
 * How objects of a type are told from those that others make at the same path: each by the one text that a member of its body
 * may hold; one whose member may hold any text is what none of the others is.
 */
function tellingRule(description: Description, site: TypeSite, beside: readonly Beside[]): TellingRule | undefined {
  if (beside.length === 0) return undefined;
  const own = fixedMember(description, site);
  if (own !== undefined) return { member: own[0], is: own[1] };
  const others = beside.map((each) => fixedMember(each.description, each.site));
  const member = others[0]?.[0];
  if (member === undefined || others.some((each) => each?.[0] !== member)) return undefined;
  if (!freeMembers(description, site).includes(member)) return undefined;
  const named = others.map((each, at) => [each?.[1] ?? '', beside[at]?.site.name ?? ''] as const);
  return { member, others: Object.fromEntries(named) };
}
