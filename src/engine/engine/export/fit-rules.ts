import { maxFileBytes } from '@platform-sync/catalogue/read/text-file';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProviderPackage, SchemaViolation } from '@platform-sync/core/model/provider';
import { isAlwaysThere, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Json } from '@platform-sync/core/model/value';
import { catalogueFields } from './catalogue-fields.js';
import { keyOf, type FoundObject } from './found-object.js';
import { byHand, fieldLeftOut, objectLeftOut, type Lack } from './left-out.js';
import { defined } from '@platform-sync/core/model/defined';
import { secretPlaces } from '@platform-sync/core/value/secret-members';

/** An object and what the catalogue is to say about it. Parent ids are among the fields. */
export interface FittingObject {
  readonly object: FoundObject;
  readonly fields: ReadonlyMap<string, Json>;
}

export interface Fitting {
  /** By object key. */
  readonly objects: ReadonlyMap<string, FittingObject>;
  /** Keys of objects that no catalogue can hold, or of which it has nothing to say. */
  readonly leftOut: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes out what would break a rule of catalogues, with a warning each: the platform's own objects need not obey our
 * limits, and one bad label must not make the whole export invalid.
 */
export async function fitRules(
  objects: readonly FoundObject[],
  validate: (type: ResourceType) => ProviderPackage['validate'],
): Promise<Fitting> {
  const fitting = new Map<string, FittingObject>();
  const leftOut = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const object of objects) {
    const fields = catalogueFields(object.type, object.values);
    // Settings that are there anyway, and as they are at first, are no news.
    if (isAlwaysThere(object.type) && [...fields.keys()].every((name) => isPlace(object, name))) {
      leftOut.add(keyOf(object));
      continue;
    }
    const broken = await brokenFields(object.type, fields, validate(object.type));
    const fatal = fatalProblem(object.type, fields, broken);
    if (fatal !== undefined) {
      leftOut.add(keyOf(object));
      diagnostics.push(objectLeftOut(object, fatal));
      continue;
    }
    for (const [field, { why }] of broken) {
      fields.delete(field);
      diagnostics.push(fieldLeftOut(object, field, why));
    }
    for (const rule of Object.values(object.type.fields)) {
      if (rule.secret && rule.input && (object.values[rule.name] ?? null) !== null)
        diagnostics.push(fieldLeftOut(object, rule.name, 'it is a secret'));
      if (!fields.has(rule.name)) continue;
      for (const place of secretPlaces(rule, object.values[rule.name] ?? null))
        diagnostics.push(fieldLeftOut(object, place, 'it is a secret'));
    }
    fitting.set(keyOf(object), { object, fields });
  }
  return { objects: fitting, leftOut, diagnostics };
}

function isPlace({ type, identity }: FoundObject, name: string): boolean {
  return name in identity.scope || name === type.parent?.field;
}

/** Field → why its value can't stand in a catalogue; the empty name is for rules about the object as a whole. */
async function brokenFields(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  validate: ProviderPackage['validate'],
): Promise<ReadonlyMap<string, Lack>> {
  const broken = new Map<string, Lack>();
  for (const violation of await validate(type.token, Object.fromEntries(fields))) {
    const field = violation.pointer.split('/')[1] ?? '';
    if (!broken.has(field)) broken.set(field, reason(type, violation));
  }
  for (const [field, value] of fields) {
    if (typeof value === 'string' && Buffer.byteLength(value) > maxFileBytes)
      broken.set(field, { why: 'it is too large for a file' });
  }
  return broken;
}

function reason({ fields }: ResourceType, { pointer, message, params }: SchemaViolation): Lack {
  const { propertyName, missingProperty } = params;
  if (typeof missingProperty !== 'string')
    return { why: typeof propertyName === 'string' ? `"${propertyName}" ${message}` : `it ${message}` };
  const path = [...pointer.split('/').slice(1), missingProperty];
  return { why: `it needs ${missingProperty}`, ...defined({ byHand: byHand(fields[path[0] ?? ''], path) }) };
}

/** Why the object can't do without a field that must go; undefined when it can. */
function fatalProblem(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  broken: ReadonlyMap<string, Lack>,
): Lack | undefined {
  const needed = new Set([...type.naturalKey, ...type.exactlyOne.flat()]);
  for (const [field, lack] of broken) {
    if (field === '') return lack;
    if (type.fields[field]?.required === true || needed.has(field))
      return { ...lack, why: `${field} can't be said: ${lack.why}` };
  }
  const group = type.exactlyOne.find((names) => names.filter((name) => fields.has(name)).length !== 1);
  return group === undefined ? undefined : { why: `it needs exactly one of ${group.join(', ')}` };
}
