import type { LookupType, ProviderPackage } from '@platform-sync/core/model/provider';
import {
  anyType,
  type EnumSpec,
  isMethod,
  memberName,
  type ObjectSpec,
  type PackageSchema,
  type PropertySpec,
  referencedType,
  shortToken,
  type TypeSpec,
} from './package-schema.js';
import type { JsonObject } from '@platform-sync/core/model/value';

/** The functions a package offers to catalogues and programs; methods of the provider are not among them. */
export function lookupTypes(schema: PackageSchema): ReadonlyMap<string, LookupType> {
  return new Map(
    Object.entries(schema.functions ?? {})
      .filter(([token]) => !isMethod(token))
      .map(([token, spec]) => [
        token,
        {
          token,
          shortToken: shortToken(token),
          name: memberName(token),
          provider: schema.name,
          description: spec.description,
          inputs: objectSchema(schema, spec.inputs),
          outputs: objectSchema(schema, spec.outputs),
        },
      ]),
  );
}

/** What a `providers:` block may hold. */
export function providerSettings(schema: PackageSchema): ProviderPackage['settings'] {
  return Object.fromEntries(
    Object.entries(schema.config?.variables ?? {}).map(([name, spec]) => [
      name,
      {
        secret: spec.secret ?? false,
        description: spec.description ?? '',
        env: spec.defaultInfo?.environment ?? [],
      },
    ]),
  );
}

/** JSON Schema (2020-12) of a type, references written out. Throws on a reference to nothing. */
function typeSchema(schema: PackageSchema, spec: TypeSpec): JsonObject {
  if (spec.$ref === anyType) return {};
  if (spec.$ref !== undefined) return namedSchema(schema, spec.$ref);
  if (spec.oneOf !== undefined) return { type: spec.oneOf.map(({ type = 'string' }) => type) };
  if (spec.type === 'array') return { type: 'array', items: typeSchema(schema, spec.items ?? { type: 'string' }) };
  if (spec.type !== 'object') return { type: spec.type ?? 'string' };
  return { type: 'object', additionalProperties: typeSchema(schema, spec.additionalProperties ?? { type: 'string' }) };
}

function namedSchema(schema: PackageSchema, ref: string): JsonObject {
  const named = referencedType(schema, ref);
  if (named === undefined) throw new Error(`package schema "${schema.name}": nothing stands at ${ref}`);
  return isEnum(named) ? { type: named.type, enum: named.enum.map((m) => m.value) } : objectSchema(schema, named);
}

/** JSON Schema of a record with fixed members; no others are allowed. */
function objectSchema(schema: PackageSchema, spec: ObjectSpec): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(spec.properties).map(([name, property]) => [name, propertySchema(schema, property)]),
    ),
    required: [...(spec.required ?? [])],
    additionalProperties: false,
  };
}

function propertySchema(schema: PackageSchema, property: PropertySpec): JsonObject {
  const type = typeSchema(schema, property);
  return property.description === undefined ? type : { description: property.description, ...type };
}

export function isEnum(spec: ObjectSpec | EnumSpec): spec is EnumSpec {
  return 'enum' in spec;
}
