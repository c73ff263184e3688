import { maxFileBytes } from '../catalogue/read/text-file.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { ProviderPackage, SchemaViolation } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Json } from '../model/value.js';
import { catalogueFields } from './catalogue-fields.js';
import { describeObject, keyOf, type FoundObject } from './found-object.js';
import { secretPlaces } from '../value/secret-members.js';

/** An object and what the catalogue is to say about it. Parent ids are among the fields. */
export interface FittingObject {
  readonly object: FoundObject;
  readonly fields: ReadonlyMap<string, Json>;
}

export interface Fitting {
  /** By object key. */
  readonly objects: ReadonlyMap<string, FittingObject>;
  /** Keys of objects that no catalogue can hold. */
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
    const broken = await brokenFields(object.type, fields, validate(object.type));
    const fatal = fatalProblem(object.type, fields, broken);
    if (fatal !== undefined) {
      leftOut.add(keyOf(object));
      diagnostics.push(objectLeftOut(object, fatal));
      continue;
    }
    for (const [field, why] of broken) {
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

/** Field → why its value can't stand in a catalogue; the empty name is for rules about the object as a whole. */
async function brokenFields(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  validate: ProviderPackage['validate'],
): Promise<ReadonlyMap<string, string>> {
  const broken = new Map<string, string>();
  for (const violation of await validate(type.token, Object.fromEntries(fields))) {
    const field = violation.pointer.split('/')[1] ?? '';
    if (!broken.has(field)) broken.set(field, reason(violation));
  }
  for (const [field, value] of fields) {
    if (typeof value === 'string' && Buffer.byteLength(value) > maxFileBytes)
      broken.set(field, 'it is too large for a file');
  }
  return broken;
}

function reason({ message, params }: SchemaViolation): string {
  const { propertyName, missingProperty } = params;
  if (typeof missingProperty === 'string') return `it needs ${missingProperty}`;
  return typeof propertyName === 'string' ? `"${propertyName}" ${message}` : `it ${message}`;
}

/** Why the object can't do without a field that must go; undefined when it can. */
function fatalProblem(
  type: ResourceType,
  fields: ReadonlyMap<string, Json>,
  broken: ReadonlyMap<string, string>,
): string | undefined {
  const needed = new Set([...type.naturalKey, ...type.exactlyOne.flat()]);
  for (const [field, why] of broken) {
    if (field === '') return why;
    if (type.fields[field]?.required === true || needed.has(field)) return `${field} can't be said: ${why}`;
  }
  const group = type.exactlyOne.find((names) => names.filter((name) => fields.has(name)).length !== 1);
  return group === undefined ? undefined : `it needs exactly one of ${group.join(', ')}`;
}

function objectLeftOut(object: FoundObject, why: string): Diagnostic {
  const { fields } = object.type;
  const hidden = Object.values(fields).find((rule) => rule.required && rule.secret)?.name;
  return {
    severity: 'warning',
    code: 'export-object-left-out',
    summary: `${describeObject(object)} was left out, with everything below it: ${why}.`,
    hint:
      hidden === undefined
        ? 'Change it on the platform, or leave it unmanaged.'
        : `Secrets are never exported: write its block by hand, with ${hidden}: !env NAME, and sync adopt takes it over.`,
  };
}

function fieldLeftOut(object: FoundObject, field: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'export-field-left-out',
    summary: `${field} of ${describeObject(object)} was left out: ${why}.`,
    hint: 'The file does not mention it, so it keeps its value.',
    field,
  };
}
