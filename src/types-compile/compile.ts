import type { Diagnostic } from '../engine/model/diagnostic.js';
import { defined } from '../engine/model/defined.js';
import { isObject } from '../engine/model/value.js';
import type { AbsenceProof } from '../engine/model/resource-type.js';
import type { FieldDefinition, Operations, TypeDefinition } from '../providers/rest/definition.js';
import type { RestStyle } from '../providers/rest/style.js';
import { linked } from '../providers/rest/definition-source.js';
import type { TypesCode } from './codes.js';
import type { Description } from './description.js';
import { merged } from './field-type.js';
import { bodyFields } from './fields.js';
import type { CompiledField, DecidedBy } from './fields.js';
import { findTypes } from './find-types.js';
import type { TypeSite } from './find-types.js';
import { pagingOf } from './list-rule.js';
import { placesOf } from './place.js';
import type { Place } from './place.js';
import { refused } from './read-document.js';
import type { Correction, Rules } from './rules-file.js';
import { sentence } from './words.js';

/** What `types compile` writes. */
export interface CompiledTypes {
  readonly formatVersion: 1;
  readonly definitions: readonly TypeDefinition[];
  /** Type → field → the rule that decided. */
  readonly decided: Readonly<Record<string, Readonly<Record<string, DecidedBy>>>>;
  /** `Type` or `Type.field` → the reason of its correction. */
  readonly corrections: Readonly<Record<string, string>>;
}

export interface Compilation {
  readonly types: CompiledTypes;
  /** What no rule decides, as warnings. */
  readonly open: readonly Diagnostic[];
}

/** Definitions of every type that a description has. Throws DiagnosticError for a description that can't be followed. */
export function compileTypes(description: Description, rules: Rules): Compilation {
  const sites = findTypes(description, rules).filter(({ name }) => rules.corrections[name]?.skip !== true);
  const names = new Set(sites.map(({ name }) => name));
  const placeOf = placesOf(sites, (site) => hasOwnId(description, site));
  const made = sites.map((site) => compileType({ description, rules, names }, site, placeOf(site)));
  mustFit(rules, new Map(made.map(({ definition, fields }) => [definition.name, fields])), names);
  const definitions = made.map(({ definition }) => definition).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    types: {
      formatVersion: 1,
      definitions: checked(definitions),
      decided: Object.fromEntries(
        made.map(({ definition, fields }) => [
          definition.name,
          Object.fromEntries(fields.map(({ name, rule }) => [name, rule])),
        ]),
      ),
      corrections: reasonsOf(rules),
    },
    open: made.flatMap(({ open }) => open),
  };
}

/** How compiled definitions are read: they say themselves where they differ from it. */
export const compiledStyle: RestStyle = {
  naming: { rule: 'snake_case', names: {} },
  paging: { by: 'none', items: 'data' },
  kinds: {},
};

interface Context {
  readonly description: Description;
  readonly rules: Rules;
  readonly names: ReadonlySet<string>;
}

interface Made {
  readonly definition: TypeDefinition;
  readonly fields: readonly CompiledField[];
  readonly open: readonly Diagnostic[];
}

function compileType({ description, rules, names }: Context, site: TypeSite, place: Place): Made {
  const correction = rules.corrections[site.name];
  const inBodies = bodyFields(description, site, (stem) => (names.has(stem) ? stem : undefined));
  const places = new Set([...place.above.map(({ field }) => field), place.own ?? '']);
  const found = [...placeFields(place, inBodies), ...inBodies.filter(({ name }) => !places.has(name))];
  const fields = corrected(found, correction);
  const chosen = (isOutput: boolean): Record<string, FieldDefinition> =>
    Object.fromEntries(fields.filter((each) => each.isOutput === isOutput).map(({ name, field }) => [name, field]));
  const outputs = chosen(true);
  const list = listOf(description, site, place);
  const { why: _, skip: _skip, fields: _fields, ...rows } = correction ?? { why: '' };
  const definition: TypeDefinition = {
    name: site.name,
    description: sentence(site.name),
    operations: operationsOf(site, place),
    ...defined({ list, parent: place.above.at(-1)?.field }),
    naturalKey: naturalKey(place, fields),
    ...defined({ absence: absenceOf(description, site) }),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    always: fields.filter(({ isAlways }) => isAlways).map(({ name }) => name),
    fields: chosen(false),
    ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
    ...rows,
  };
  return { definition, fields, open: correction === undefined ? openOf(description, site, place, definition) : [] };
}

/** The ids of a path are declared, and replace. */
function placeFields({ above, own }: Place, inBodies: readonly CompiledField[]): readonly CompiledField[] {
  const at = (name: string, type?: string): CompiledField => {
    const known = inBodies.find((each) => each.name === name)?.field;
    const nearest = above.at(-1)?.field === name;
    return {
      name,
      field: {
        ...defined({ type: known?.type, wire: known?.wire, limits: known?.limits }),
        description: sentence(name),
        ...(type === undefined ? {} : { references: type, ...(nearest ? { nests: true } : {}) }),
      },
      isOutput: false,
      isRequired: true,
      isAlways: false,
      rule: 'path parameter: part of the place',
    };
  };
  return [...above.map(({ field, type }) => at(field, type)), ...(own === undefined || own === 'id' ? [] : [at(own)])];
}

function corrected(fields: readonly CompiledField[], correction: Correction | undefined): readonly CompiledField[] {
  return fields.map((each) => {
    const rows = correction?.fields?.[each.name];
    if (rows === undefined) return each;
    const { why: _, ...own } = rows;
    return { ...each, field: { ...each.field, ...own }, rule: 'correction' };
  });
}

function operationsOf({ create: [method, path], item, calls, update }: TypeSite, { written }: Place): Operations {
  const at = (verb: string): never => `${verb} ${written(item)}` as never;
  return {
    create: `${method} ${written(path)}` as Operations['create'],
    ...(calls.read === undefined ? {} : { read: at('GET') }),
    ...(update === undefined ? {} : { update: at(update) }),
    ...(calls.delete === undefined ? {} : { delete: at('DELETE') }),
  };
}

function listOf(description: Description, { list, calls }: TypeSite, { written }: Place): TypeDefinition['list'] {
  const paging = list === undefined || calls.list === undefined ? undefined : pagingOf(description, calls.list);
  return list === undefined || paging === undefined
    ? undefined
    : { get: written(list) as NonNullable<TypeDefinition['list']>['get'], paging };
}

/** Rule 7, as a candidate: nothing says that it is unique, so nothing is adopted by it unasked. */
function naturalKey({ above, own }: Place, fields: readonly CompiledField[]): readonly string[] {
  const place = [...above.map(({ field }) => field), ...(own === undefined || own === 'id' ? [] : [own])];
  if (own !== 'id') return place;
  const name = ['name', 'slug', 'hostname', 'username', 'email', 'title', 'key'].find((candidate) =>
    fields.some((each) => each.name === candidate && !each.isOutput),
  );
  return name === undefined ? place : [...place, name];
}

/** Rule 10: what a 404 of the read holds. */
function absenceOf(description: Description, { calls }: TypeSite): AbsenceProof | undefined {
  const media = calls.read === undefined ? undefined : description.mediaOf(calls.read, '404');
  if (media === undefined) return undefined;
  if (media.length === 0) return 'empty-404';
  return media.some((type) => type.includes('problem+json')) ? 'problem-404' : undefined;
}

function hasOwnId(description: Description, { shape, calls }: TypeSite): boolean {
  const answer = merged(description, description.answerOf(calls.read ?? calls.create ?? {}));
  return shape === 'collection' && description.at(answer['properties'])['id'] !== undefined;
}

/** What is left to people. */
function openOf(
  description: Description,
  site: TypeSite,
  place: Place,
  definition: TypeDefinition,
): readonly Diagnostic[] {
  const body = merged(description, site.calls.create === undefined ? undefined : description.bodyOf(site.calls.create));
  const branches = ['oneOf', 'anyOf'].flatMap((key) => (Array.isArray(body[key]) ? body[key] : []));
  const unknownParent = place.above.find(({ type }) => type === undefined);
  const hasKey = definition.naturalKey.length > place.above.length || place.own !== 'id';
  const items: readonly (string | false)[] = [
    branches.length > 1 && 'its body is one of several: a union says by which field they are told apart',
    definition.absence === undefined && 'nothing says how it shows that one is gone: until then none ever is',
    !hasKey && 'no field tells one from another: naturalKey names those that people know it by',
    unknownParent !== undefined && `nothing says what ${unknownParent.field} is the id of`,
    definition.list === undefined && site.shape !== 'singleton' && 'there is no list: none is found that is not known',
    definition.operations.read === undefined &&
      'it can not be read alone: absence "two-lists" fits where a list shows it',
    /\d$/.test(site.name) && `another type has its name: names gives ${site.create[1]} one of its own`,
  ];
  return items.flatMap((what) => {
    if (what === false) return [];
    const code: TypesCode = 'undecided-type';
    return [{ severity: 'warning', code, summary: `${site.name}: ${what}.` } as const];
  });
}

/** A correction that fits nothing is a typing error, or the description has moved on. */
function mustFit(
  { corrections }: Rules,
  fields: ReadonlyMap<string, readonly CompiledField[]>,
  names: ReadonlySet<string>,
): void {
  for (const [type, { skip, fields: own = {} }] of Object.entries(corrections)) {
    if (skip === true) continue;
    if (!names.has(type)) throw refused('wrong-correction', `There is no type ${type} to correct.`);
    const stray = Object.keys(own).find((name) => fields.get(type)?.every((each) => each.name !== name) !== false);
    if (stray !== undefined) throw refused('wrong-correction', `There is no field ${type}.${stray} to correct.`);
  }
}

function checked(definitions: readonly TypeDefinition[]): readonly TypeDefinition[] {
  try {
    linked(definitions, compiledStyle);
    return definitions;
  } catch (error) {
    throw refused('wrong-correction', error instanceof Error ? error.message : String(error));
  }
}

function reasonsOf({ corrections }: Rules): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(corrections).flatMap(([type, { why, fields = {} }]) => [
      [type, why],
      ...Object.entries(fields).map(([field, rows]) => [`${type}.${field}`, rows.why]),
    ]),
  );
}

/** True for what `types compile` writes. */
export function isCompiled(document: unknown): document is CompiledTypes {
  return isObject(document) && 'definitions' in document && 'formatVersion' in document;
}
