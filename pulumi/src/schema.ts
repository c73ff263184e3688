import { importIdForm } from '../../src/engine/model/import-id.js';
import type { ProviderPackage } from '../../src/engine/model/provider.js';
import type { ResourceType } from '../../src/engine/model/resource-type.js';
import {
  takesNothing,
  type FunctionSpec,
  type PackageSchema,
  type PropertySpec,
  type ResourceSpec,
} from '../../src/providers/package-schema.js';
import { hasGuardedEnd, emptyOnDelete } from './resource-types.js';

type Json = Readonly<Record<string, unknown>>;

/** What code generators and the engine ask for: the package schema, with all that the format has and ours leaves out. */
export function pulumiSchema(schema: PackageSchema, loaded: ProviderPackage, version: string): Json {
  const settings = Object.fromEntries(
    Object.entries(schema.config?.variables ?? {}).map(([name, spec]) => [name, setting(spec)]),
  );
  const head = schema as PackageSchema & Json;
  return {
    ...head,
    version,
    config: { variables: settings },
    provider: {
      type: 'object',
      description: `A connection of the provider ${schema.name}.`,
      ...(head['provider'] as Json | undefined),
      properties: settings,
      inputProperties: settings,
    },
    resources: Object.fromEntries(
      Object.entries(schema.resources ?? {}).map(([token, spec]) => [token, resource(spec, loaded.types.get(token))]),
    ),
    functions: Object.fromEntries(Object.entries(schema.functions ?? {}).map(([token, spec]) => [token, lookup(spec)])),
    language: languages(schema.name),
  };
}

/** Generated code would pass what the environment holds as if the program had written it; the provider reads it by itself. */
function setting({ defaultInfo, ...spec }: PropertySpec): Json {
  if (defaultInfo === undefined) return spec;
  return { ...spec, description: `${spec.description ?? ''} Default: ${defaultInfo.environment.join(', else ')}.` };
}

/** Generated code takes the options of a call first where it has no inputs; empty ones would take `{ provider }` for themselves. */
function lookup({ inputs, ...spec }: FunctionSpec): Json {
  return takesNothing(inputs) ? spec : { ...spec, inputs };
}

function resource(spec: ResourceSpec, type: ResourceType | undefined): Json {
  if (type === undefined) throw new Error('bug: a resource of the schema has no type');
  const replaced = (properties: Readonly<Record<string, PropertySpec>>): Json =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, withReplacement(property, type, name)]),
    );
  const inputs = { ...replaced(spec.inputProperties), ...(hasGuardedEnd(type) ? emptyOnDelete.schema : {}) };
  const outputs = { ...replaced(spec.properties), ...(hasGuardedEnd(type) ? emptyOnDelete.schema : {}) };
  return {
    ...spec,
    description: `${spec.description}\n\n## Import\n\nThe id to import is ${importIdWords(type)}.\n`,
    properties: outputs,
    inputProperties: inputs,
    stateInputs: {
      type: 'object',
      description: `What to look a ${type.name} up by, beside its id.`,
      properties: outputs,
    },
  };
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

function languages(name: string): Json {
  return {
    nodejs: { packageName: `pulumi-${name}`, respectSchemaVersion: true },
    python: { packageName: `pulumi_${name}`, respectSchemaVersion: true, pyproject: { enabled: true } },
    go: {
      importBasePath: `example.com/pulumi-${name}/sdk/go/${name}`,
      rootPackageName: name,
      respectSchemaVersion: true,
    },
  };
}
