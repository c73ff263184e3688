import { importIdForm } from '@platform-sync/core/model/import-id';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isEnum } from '@platform-sync/rest/schema/package';
import {
  referencedType,
  takesNothing,
  type EnumSpec,
  type FunctionSpec,
  type ObjectSpec,
  type PackageSchema,
  type PropertySpec,
  type ResourceSpec,
  type TypeSpec,
} from '@platform-sync/rest/schema/package-schema';
import { languages, type Publication } from './languages.js';
import { hasGuardedEnd, emptyOnDelete } from './resource-types.js';

type Json = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, PropertySpec>>;

/** Where a value stands: programs write it, or they only read it. */
type Side = 'written' | 'read';

/** What code generators and the engine ask for: the package schema, with all that the format has and ours leaves out. */
export function pulumiSchema(
  schema: PackageSchema,
  { types }: Pick<ProviderPackage, 'types'>,
  published: Publication,
): Json {
  const settings = Object.fromEntries(
    Object.entries(schema.config?.variables ?? {}).map(([name, spec]) => [name, setting(spec)]),
  );
  const head = schema as PackageSchema & Json;
  return {
    ...head,
    version: published.version,
    config: { variables: settings },
    provider: {
      type: 'object',
      description: `A connection of the provider ${schema.name}.`,
      ...(head['provider'] as Json | undefined),
      properties: settings,
      inputProperties: settings,
    },
    types: namedTypes(schema),
    resources: Object.fromEntries(
      Object.entries(schema.resources ?? {}).map(([token, spec]) => [token, resource(schema, spec, types.get(token))]),
    ),
    functions: Object.fromEntries(
      Object.entries(schema.functions ?? {}).map(([token, spec]) => [token, lookup(schema, spec)]),
    ),
    language: languages(schema, published),
  };
}

/** Generated code would pass what the environment holds as if the program had written it; the provider reads it by itself. */
function setting({ defaultInfo, ...spec }: PropertySpec): Json {
  if (defaultInfo === undefined) return spec;
  return { ...spec, description: `${spec.description ?? ''} Default: ${defaultInfo.environment.join(', else ')}.` };
}

/** Generated code takes the options of a call first where it has no inputs; empty ones would take `{ provider }` for themselves. */
function lookup(schema: PackageSchema, { inputs, outputs, ...spec }: FunctionSpec): Json {
  const answer = { ...outputs, properties: open(schema, outputs.properties, 'read') };
  if (takesNothing(inputs)) return { ...spec, outputs: answer };
  return { ...spec, inputs: { ...inputs, properties: open(schema, inputs.properties, 'written') }, outputs: answer };
}

function resource(schema: PackageSchema, spec: ResourceSpec, type: ResourceType | undefined): Json {
  if (type === undefined) throw new Error('bug: a resource of the schema has no type');
  const replaced = (properties: Properties, side: Side): Json => ({
    ...Object.fromEntries(
      Object.entries(open(schema, properties, side))
        // Programs say the id of an object in words of their own.
        .filter(([name]) => name !== 'id')
        .map(([name, property]) => [name, withReplacement(property, type, name)]),
    ),
    ...(hasGuardedEnd(type) ? emptyOnDelete.schema : {}),
  });
  const outputs = replaced(spec.properties, 'read');
  // What a program must write, every object has.
  const required = new Set([...(spec.requiredInputs ?? []), ...(spec.required ?? [])]);
  return {
    ...spec,
    description: `${spec.description}\n\n## Import\n\nThe id to import is ${importIdWords(type)}.\n`,
    properties: outputs,
    required: Object.keys(spec.properties).filter((name) => name !== 'id' && required.has(name)),
    inputProperties: replaced(spec.inputProperties, 'written'),
    stateInputs: {
      type: 'object',
      description: `What to look a ${type.name} up by, beside its id.`,
      properties: outputs,
    },
  };
}

/** A record that programs write somewhere has the form for writing everywhere: it is one type. */
function namedTypes(schema: PackageSchema): Json {
  const written = new Set<string>();
  const visit = (spec: TypeSpec): void => {
    for (const part of [spec.items, spec.additionalProperties]) if (part !== undefined) visit(part);
    const named = spec.$ref === undefined ? undefined : referencedType(schema, spec.$ref);
    if (named === undefined || isEnum(named) || written.has(spec.$ref ?? '')) return;
    written.add(spec.$ref ?? '');
    Object.values(named.properties).forEach(visit);
  };
  for (const { inputProperties } of Object.values(schema.resources ?? {}))
    Object.values(inputProperties).forEach(visit);
  for (const { inputs } of Object.values(schema.functions ?? {})) Object.values(inputs.properties).forEach(visit);
  const side = (token: string): Side => (written.has(`#/types/${token}`) ? 'written' : 'read');
  const opened = ([token, spec]: [string, ObjectSpec | EnumSpec]): [string, ObjectSpec | EnumSpec] => [
    token,
    isEnum(spec) ? spec : { ...spec, properties: open(schema, spec.properties, side(token)) },
  ];
  return Object.fromEntries(Object.entries(schema.types ?? {}).map(opened));
}

/**
 * No enumeration is closed: the platform may know values that these do not name, and a program may hold one as a text. Where it
 * is written any text may stand beside the names; where it is read it is a text.
 */
function open(schema: PackageSchema, properties: Properties, side: Side): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, { $ref, ...property }]) => [
      name,
      { ...property, ...openType(schema, $ref === undefined ? property : { $ref }, side) },
    ]),
  );
}

function openType(schema: PackageSchema, spec: TypeSpec, side: Side): TypeSpec {
  if (spec.items !== undefined) return { type: 'array', items: openType(schema, spec.items, side) };
  if (spec.additionalProperties !== undefined)
    return { type: 'object', additionalProperties: openType(schema, spec.additionalProperties, side) };
  const { $ref } = spec;
  const named = $ref === undefined ? undefined : referencedType(schema, $ref);
  if ($ref === undefined || named === undefined || !isEnum(named)) return spec;
  return side === 'read' ? { type: 'string' } : { type: 'string', oneOf: [{ type: 'string' }, { $ref }] };
}

function importIdWords(type: ResourceType): string {
  if (type.absence === 'empty') return `the ${type.naturalKey.map((field) => `\`${field}\``).join(' and ')}`;
  return type.importId.form === 'plain' ? 'its identifier' : `\`${importIdForm(type.importId)}\``;
}

/** Where nothing can move, and where there is no update, each change replaces, whatever the document marks. */
function withReplacement(property: PropertySpec, type: ResourceType, name: string): Json {
  const rule = type.fields[name];
  if (rule?.input !== true || (rule.onChange === 'update' && type.updatable)) return { ...property };
  return { ...property, replaceOnChanges: true, willReplaceOnChanges: true };
}
