import { defined } from '../engine/model/defined.js';
import type { FieldDescriptor, ResourceDescriptor } from '../engine/model/descriptor.js';
import type { LookupType, ProviderPackage } from '../engine/model/provider.js';
import { importIdFields } from '../engine/model/import-id.js';
import type { Equality, FieldRule, ResourceType } from '../engine/model/resource-type.js';
import { objectSchema, typeSchema } from './json-schema.js';
import {
  isMethod,
  memberName,
  shortToken,
  type PackageSchema,
  type PropertySpec,
  type ResourceSpec,
} from './package-schema.js';

/** Joins a package schema with the descriptors of its resources. Throws when the two don't fit: that is a bug. */
export function resourceTypes(
  schema: PackageSchema,
  descriptors: readonly ResourceDescriptor[],
): ReadonlyMap<string, ResourceType> {
  const byToken = new Map(descriptors.map((descriptor) => [descriptor.token, descriptor]));
  for (const token of byToken.keys()) {
    if (schema.resources?.[token] === undefined) throw new Error(`${token}: described, but not in the package schema`);
  }
  return new Map(
    Object.entries(schema.resources ?? {}).map(([token, spec]) => {
      const descriptor = byToken.get(token);
      if (descriptor === undefined) throw new Error(`${token}: in the package schema, but without a descriptor`);
      checkFieldNames(spec, descriptor);
      return [token, resourceType(schema, spec, descriptor)];
    }),
  );
}

function resourceType(schema: PackageSchema, spec: ResourceSpec, descriptor: ResourceDescriptor): ResourceType {
  const { token, parent, nameField } = descriptor;
  return {
    token,
    shortToken: shortToken(token),
    name: memberName(token),
    provider: schema.name,
    description: spec.description,
    fields: Object.fromEntries(
      Object.keys(spec.properties).map((name) => [name, fieldRule(schema, spec, descriptor, name)]),
    ),
    ...defined({ parent }),
    nesting: descriptor.nesting ?? [],
    naturalKey: descriptor.naturalKey,
    unique: descriptor.unique ?? [],
    exactlyOne: descriptor.exactlyOne ?? [],
    ...defined({ untouched: descriptor.untouched, nameField }),
    collection: descriptor.collection,
    ...roleFields(descriptor),
    visibility: descriptor.visibility ?? [],
    ...defined({ presence: descriptor.presence, createFirst: descriptor.createFirst }),
    importId: descriptor.importId,
    cascades: descriptor.cascades ?? [],
    contents: descriptor.contents ?? [],
    ...defined({ endless: descriptor.endless }),
    losses: descriptor.losses ?? [],
    updatable: descriptor.updatable ?? true,
    ...defined({ isWrittenWhole: descriptor.isWrittenWhole }),
    ...defined({ forcible: descriptor.forcible, follows: descriptor.follows }),
    ...defined({ derived: descriptor.derived, proven: descriptor.proven, shownOnce: descriptor.shownOnce }),
    derive: descriptor.derive ?? (() => ({})),
    alsoNamed: descriptor.alsoNamed ?? (() => ({})),
  };
}

function roleFields(descriptor: ResourceDescriptor): Partial<ResourceType> {
  const { absence, revision, creation, label, markedIn, guardedEnd, file } = descriptor;
  return defined({ absence, revision, creation, label, markedIn, guardedEnd, file });
}

function fieldRule(schema: PackageSchema, spec: ResourceSpec, descriptor: ResourceDescriptor, name: string): FieldRule {
  const declared = spec.inputProperties[name];
  const property = declared ?? spec.properties[name] ?? {};
  const own: FieldDescriptor = descriptor.fields[name] ?? {};
  const type = typeSchema(schema, property);
  const writeOnly = own.writeOnly ?? false;
  const allowed = type['enum'];
  return {
    name,
    type: fieldType(type['type']),
    description: property.description ?? '',
    input: declared !== undefined,
    required: spec.requiredInputs?.includes(name) ?? false,
    computed: declared === undefined,
    alwaysReturned: spec.required?.includes(name) ?? false,
    onChange: onChange(descriptor, own, property, name),
    equality: own.equality ?? defaultEquality(property),
    writeOnly,
    inList: own.inList ?? !writeOnly,
    clearing: own.clearing ?? { by: 'null' },
    ...defined({ nullIsValue: own.nullIsValue, foreignKeys: own.foreignKeys, kindMembers: own.kindMembers }),
    ...defined({ hiddenMembers: own.hiddenMembers, updatesOnly: own.updatesOnly }),
    stable: own.stable ?? false,
    secret: property.secret ?? false,
    ...defined({ secretMembers: own.secretMembers }),
    ...defined({ deprecated: property.deprecationMessage }),
    ...(Array.isArray(allowed) ? { enum: allowed } : {}),
    ...defined({ references: own.references, keptAs: own.keptAs, movesWith: own.movesWith }),
    schema: own.catalogueSchema ?? { ...type, ...own.limits },
  };
}

/** A parent is part of the object's place: nothing moves between parents, whatever the schema marks. */
function onChange(
  descriptor: ResourceDescriptor,
  own: FieldDescriptor,
  property: PropertySpec,
  name: string,
): FieldRule['onChange'] {
  if (name === descriptor.parent?.field) return 'replace';
  return own.onChange ?? (property.willReplaceOnChanges === true ? 'replace' : 'update');
}

function defaultEquality(property: PropertySpec): Equality {
  return property.type === 'object' && property.additionalProperties?.type === 'string' ? 'map' : 'exact';
}

function fieldType(type: unknown): FieldRule['type'] {
  if (type === 'boolean' || type === 'array' || type === 'object') return type;
  return type === 'number' || type === 'integer' ? 'number' : 'string';
}

/** Every name a descriptor mentions must be a field of the schema; a typing error there would be a rule lost silently. */
function checkFieldNames(spec: ResourceSpec, descriptor: ResourceDescriptor): void {
  const inputs: readonly string[] = [
    ...descriptor.naturalKey,
    ...(descriptor.unique ?? []).flat(),
    ...(descriptor.exactlyOne ?? []).flat(),
    ...Object.keys(descriptor.untouched ?? {}),
    ...descriptor.collection.scope,
    ...(descriptor.nesting ?? []).flatMap((nesting) => [nesting.field, ...nesting.inherits]),
    ...[descriptor.nameField, descriptor.parent?.field].filter((name) => name !== undefined),
    ...importIdFields(descriptor.importId),
  ];
  for (const name of inputs) {
    if (!(name in spec.inputProperties))
      throw new Error(`${descriptor.token}: no input "${name}" in the package schema`);
  }
  const fields: readonly (string | undefined)[] = [
    ...Object.keys(descriptor.fields),
    ...[...(descriptor.losses ?? []), ...(descriptor.visibility ?? [])].map(({ field }) => field),
    ...[descriptor.revision, descriptor.creation, descriptor.label, descriptor.markedIn],
    ...(descriptor.file === undefined ? [] : [descriptor.file.body, ...Object.keys(descriptor.file.fields)]),
  ];
  for (const name of fields.filter((field) => field !== undefined)) {
    if (!(name in spec.properties)) throw new Error(`${descriptor.token}: no field "${name}" in the package schema`);
  }
}

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
