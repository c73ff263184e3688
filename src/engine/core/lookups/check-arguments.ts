import type { LookupType, ProviderPackage, SchemaViolation } from '../model/provider.js';
import { isList, isObject, type Json, type JsonObject } from '../model/value.js';
import { uuid } from '../model/import-id.js';

/** What is wrong with the arguments of a provider's own lookup, or of one that follows from a type. */
export async function checkLookupArguments(
  loaded: ProviderPackage,
  lookup: LookupType,
  args: JsonObject,
): Promise<readonly SchemaViolation[]> {
  return lookup.of === undefined ? loaded.validateLookup(lookup.token, args) : violations(lookup.inputs, args);
}

/** The rules that such lookups have: kinds of values, ids, members there are, members there must be. */
export function violations(schema: JsonObject, value: Json, pointer = ''): readonly SchemaViolation[] {
  const types = [schema['type'] ?? []].flat();
  if (!types.includes(kindOf(value)))
    return [{ pointer, keyword: 'type', message: `must be ${types.join(' or ')}`, params: { type: types } }];
  if (schema['format'] === 'uuid' && !uuid.test(String(value)))
    return [{ pointer, keyword: 'format', message: 'must be an id', params: { format: 'uuid' } }];
  if (!isObject(value)) return [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = isList(schema['required']) ? schema['required'].map(String) : [];
  return [
    ...required
      .filter((name) => (value[name] ?? null) === null)
      .map((missingProperty) => ({
        ...{ pointer, keyword: 'required', message: `must have ${missingProperty}`, params: { missingProperty } },
      })),
    ...Object.entries(value).flatMap(([name, member]) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isObject(inner)) return [unknownMember(pointer, name)];
      return member === null ? [] : violations(inner, member, `${pointer}/${name}`);
    }),
  ];
}

function unknownMember(pointer: string, additionalProperty: string): SchemaViolation {
  const message = `must not have ${additionalProperty}`;
  return { pointer, keyword: 'additionalProperties', message, params: { additionalProperty } };
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
