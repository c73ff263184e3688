import { maxFileBytes } from '@platform-sync/catalogue/read/file-texts';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProviderPackage, SchemaViolation } from '@platform-sync/core/model/provider';
import { type FieldRule, isAlwaysThere, type ResourceType } from '@platform-sync/core/model/resource-type';
import { defined, isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { needsDataFile } from '@platform-sync/catalogue/edit/write';
import { type FoundObject, keyOf } from './found-object.js';
import { byHand, fieldLeftOut, type Lack, objectLeftOut } from './left-out.js';
import { secretPlaces, withoutSecrets } from '@platform-sync/core/value/secret-parts';
import { parsedJson } from '@platform-sync/core/model/read-json';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { arranged, normalForm, sameValue, shownForm } from '@platform-sync/core/value/equality';
import { withoutForeign } from '@platform-sync/core/value/parts';

/** An object and what the catalogue is to say about it. Parent ids are among the fields. */
export interface FittingObject {
  readonly object: FoundObject;
  readonly fields: ReadonlyMap<string, Json>;
  /** Paths of secrets that it can't be without: the file says where their values come from, and nobody here reads them. */
  readonly holes: readonly (readonly string[])[];
}

export interface Fitting {
  /** By object key. */
  readonly objects: ReadonlyMap<string, FittingObject>;
  /** Keys of objects that no catalogue can hold, or of which it has nothing to say → why. */
  readonly leftOut: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes out what would break a rule of catalogues, with a warning each: the platform's own objects need not obey our
 * limits, and one bad label must not make the whole export invalid.
 */
export async function fitRules(
  objects: readonly FoundObject[],
  validate: (type: ResourceType) => ProviderPackage['validate'],
  mayHaveHoles = true,
): Promise<Fitting> {
  const fitting = new Map<string, FittingObject>();
  const leftOut = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const object of objects) {
    const fields = catalogueFields(object.type, object.values);
    // Settings that are there anyway, and as they are at first, are no news.
    if (isAlwaysThere(object.type) && [...fields.keys()].every((name) => isPlace(object, name))) {
      leftOut.set(keyOf(object), 'untouched');
      continue;
    }
    const { broken, holes } = await brokenFields(object.type, fields, validate(object.type), mayHaveHoles);
    const fatal = fatalProblem(object.type, fields, broken, holes);
    if (fatal !== undefined) {
      const told = objectLeftOut(object, fatal);
      leftOut.set(keyOf(object), told.code);
      diagnostics.push(told);
      continue;
    }
    for (const [field, { why }] of broken) {
      fields.delete(field);
      diagnostics.push(fieldLeftOut(object, field, why));
    }
    for (const rule of Object.values(object.type.fields)) {
      const isHole = holes.some(([name, ...inside]) => name === rule.name && inside.length === 0);
      if (rule.secret && rule.input && !isHole && (object.values[rule.name] ?? null) !== null)
        diagnostics.push(fieldLeftOut(object, rule.name, 'it is a secret'));
      if (!fields.has(rule.name)) continue;
      for (const place of secretPlaces(rule, object.values[rule.name] ?? null))
        if (!holes.some((path) => path.join('.') === place))
          diagnostics.push(fieldLeftOut(object, place, 'it is a secret'));
    }
    fitting.set(keyOf(object), { object, fields, holes });
  }
  return { objects: fitting, leftOut, diagnostics };
}

function isPlace({ type, identity }: FoundObject, name: string): boolean {
  return name in identity.scope || name === type.parent?.field;
}

interface Broken {
  /** Field → why its value can't stand in a catalogue; the empty name is for rules about the object as a whole. */
  readonly broken: ReadonlyMap<string, Lack>;
  readonly holes: FittingObject['holes'];
}

async function brokenFields(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  validate: ProviderPackage['validate'],
  mayHaveHoles: boolean,
): Promise<Broken> {
  const broken = new Map<string, Lack>();
  const holes = new Map<string, readonly string[]>();
  for (const violation of await validate(type.token, Object.fromEntries(fields))) {
    const field = violation.pointer.split('/')[1] ?? '';
    const { path = [], ...lack } = reason(type, violation);
    if (mayHaveHoles && lack.byHand?.isSecret === true && isTextAt(type, path)) holes.set(lack.byHand.path, path);
    else if (!broken.has(field)) broken.set(field, lack);
  }
  for (const [field, value] of fields) {
    if (typeof value === 'string' && Buffer.byteLength(value) > maxFileBytes)
      broken.set(field, { why: 'it is too large for a file' });
  }
  const [left] = [...holes.values()].filter(
    ([field = '']) => fields.has(field) && needsDataFile(fields.get(field) ?? null),
  );
  if (left !== undefined) broken.set(left[0] ?? '', { why: 'it holds a secret in a form that no file can say' });
  return { broken, holes: [...holes.values()].filter(([field = '']) => !broken.has(field)) };
}

/** True for a text, or for what nothing more is known of. */
function isTextAt({ fields }: ResourceType, [name = '', ...inside]: readonly string[]): boolean {
  let at: JsonObject = fields[name]?.schema ?? {};
  for (const step of inside) {
    const { properties, items, additionalProperties } = at;
    const next = isObject(properties) ? properties[step] : undefined;
    const known = next ?? (/^\d+$/.test(step) ? items : undefined) ?? additionalProperties;
    at = isObject(known) ? known : {};
  }
  const { type } = at;
  return type === undefined
    ? Object.keys(at).length === 0
    : type === 'string' || (isList(type) && type.includes('string'));
}

function reason(
  { fields }: ResourceType,
  { pointer, message, params }: SchemaViolation,
): Lack & { readonly path?: readonly string[] } {
  const { propertyName, missingProperty } = params;
  if (typeof missingProperty !== 'string')
    return { why: typeof propertyName === 'string' ? `"${propertyName}" ${message}` : `it ${message}` };
  const path = [...pointer.split('/').slice(1), missingProperty];
  return { why: `it needs ${missingProperty}`, path, ...defined({ byHand: byHand(fields[path[0] ?? ''], path) }) };
}

/** Why the object can't do without a field that must go; undefined when it can. */
function fatalProblem(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  broken: ReadonlyMap<string, Lack>,
  holes: FittingObject['holes'],
): Lack | undefined {
  const needed = new Set([...type.naturalKey, ...type.exactlyOne.flat()]);
  for (const [field, lack] of broken) {
    if (field === '') return lack;
    if (type.fields[field]?.required === true || needed.has(field))
      return { ...lack, why: `${field} can't be said: ${lack.why}` };
  }
  const isSaid = (name: string): boolean => fields.has(name) || holes.some(([field]) => field === name);
  const group = type.exactlyOne.find((names) => names.filter(isSaid).length !== 1);
  return group === undefined ? undefined : { why: `it needs exactly one of ${group.join(', ')}` };
}

/**
 * The fields a catalogue has to say about an object, by name, in reading order: what the platform computes, would choose
 * itself, or has nothing in is left out. Secrets never are among them.
 */
export function catalogueFields(type: ResourceType, values: JsonObject): Map<string, Json> {
  const fields = new Map<string, Json>();
  const derived = type.derive(values);
  for (const rule of inReadingOrder(type)) {
    const found = values[rule.name];
    // Another tool's marks are its own business.
    const value = found === undefined ? undefined : withoutForeign(rule, withoutSecrets(rule, found));
    if (!rule.input || rule.secret || value === undefined || value === null) continue;
    // Which object it is, is said where it is taken over; the same file makes another elsewhere.
    if (rule.name === 'id') continue;
    if (!rule.required && isDefault(rule, value, derived)) continue;
    fields.set(rule.name, writtenForm(rule, value));
  }
  return fields;
}

/** What it lives in and is known by, then what is short, then lists and maps, then bodies. */
function inReadingOrder(type: ResourceType): readonly FieldRule[] {
  const rank = (rule: FieldRule): number => {
    if (rule.references !== undefined) return 0;
    if (type.naturalKey.includes(rule.name)) return 1;
    if (!rule.inList) return 4;
    return rule.type === 'array' || rule.type === 'object' || rule.equality === 'multisets' ? 3 : 2;
  };
  return Object.values(type.fields).sort((a, b) => rank(a) - rank(b));
}

function isDefault(rule: FieldRule, value: Json, derived: JsonObject): boolean {
  if (normalForm(rule, value) === undefined) return true;
  if (rule.clearing.by === 'value') return sameValue(rule, value, rule.clearing.value);
  return rule.clearing.by === 'derived' && sameValue(rule, value, derived[rule.name]);
}

/** The same thing in the form people would write: no trailing white space, keys and sets in order. */
function writtenForm(rule: FieldRule, value: Json): Json {
  if (rule.equality === 'exact') return value;
  if (rule.equality === 'text' || rule.equality === 'document')
    return typeof value === 'string' ? tidyText(value) : value;
  // A member that is null is none, and files have no word for it where it can't be cleared.
  const shown = rule.equality === 'record' ? (arranged(rule, value) ?? value) : shownForm(rule, value);
  return parsedJson(canonicalJson(shown));
}

/** A text of several lines ends with a line break, as files do. */
function tidyText(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.includes('\n') ? `${trimmed}\n` : trimmed;
}
