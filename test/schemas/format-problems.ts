import { Ajv2020 } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import type { JsonObject } from '@platform-sync/core/model/value';

export function readSchema(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')) as JsonObject;
}

const validate = new Ajv2020({
  allErrors: true,
  validateFormats: false,
  strictTypes: false,
  strictRequired: false,
}).compile(readSchema('package.schema.json'));

/** Everything that makes a file no package schema: its shape first, then what only the whole file can tell. */
export function formatProblems(schema: JsonObject): readonly string[] {
  if (!validate(schema)) return (validate.errors ?? []).map((error) => `${error.instancePath}: ${error.message ?? ''}`);
  return [
    ...tokenProblems(schema),
    ...referenceProblems(schema),
    ...requiredProblems(schema),
    ...methodProblems(schema),
  ];
}

function tokenProblems(schema: JsonObject): readonly string[] {
  const name = String(schema['name']);
  return ['types', 'resources', 'functions'].flatMap((section) =>
    Object.keys(record(schema[section]))
      .filter((token) => !token.startsWith(`${name}:`) && !token.startsWith(`pulumi:providers:${name}/`))
      .map((token) => `${section}: ${token} belongs to another package`),
  );
}

function referenceProblems(schema: JsonObject): readonly string[] {
  const types = new Set(Object.keys(record(schema['types'])));
  const used = new Set<string>();
  const problems: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      if (key === '$ref' && typeof part === 'string') check(part);
      else visit(part);
    }
  };
  const check = (ref: string): void => {
    const token = ref.startsWith('#/types/') ? ref.slice('#/types/'.length) : undefined;
    if (token !== undefined) used.add(token);
    if (token !== undefined && !types.has(token)) problems.push(`${ref} leads nowhere`);
    if (ref === '#/provider' && schema['provider'] === undefined) problems.push(`${ref} leads nowhere`);
  };
  visit(schema);
  return [
    ...problems,
    ...[...types].filter((token) => !used.has(token)).map((token) => `types: ${token} is never used`),
  ];
}

function requiredProblems(schema: JsonObject): readonly string[] {
  const problems: string[] = [];
  const subset = (at: string, names: unknown, properties: unknown): void => {
    for (const name of (names ?? []) as readonly string[]) {
      if (!(name in record(properties))) problems.push(`${at}: "${name}" is required but not a property`);
    }
  };
  const sections = { ...record(schema['types']), ...record(schema['resources']), provider: schema['provider'] };
  for (const [token, value] of Object.entries(sections)) {
    const spec = record(value);
    subset(token, spec['required'], spec['properties']);
    subset(`${token} inputs`, spec['requiredInputs'], spec['inputProperties']);
    subset(`${token} outputs`, Object.keys(record(spec['inputProperties'])), spec['properties']);
  }
  for (const [token, value] of Object.entries(record(schema['functions']))) {
    for (const side of ['inputs', 'outputs']) {
      const spec = record(record(value)[side]);
      subset(`${token} ${side}`, spec['required'], spec['properties']);
    }
  }
  return problems;
}

/** A method is a function whose first argument is the object it belongs to. */
function methodProblems(schema: JsonObject): readonly string[] {
  return Object.entries(record(record(schema['provider'])['methods'])).flatMap(([name, token]) => {
    const inputs = record(record(record(schema['functions'])[String(token)])['inputs']);
    const self = record(record(inputs['properties'])['__self__']);
    const required = (inputs['required'] ?? []) as readonly string[];
    return self['$ref'] === '#/provider' && required.includes('__self__')
      ? []
      : [`provider: method ${name} has no function with a required __self__ of the provider`];
  });
}

function record(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}
