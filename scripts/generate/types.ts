import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { isEnum } from '@platform-sync/rest/schema/package';
import {
  anyType,
  isMethod,
  memberName,
  type EnumSpec,
  type ObjectSpec,
  type PackageSchema,
  type PropertySpec,
  type TypeSpec,
} from '@platform-sync/rest/schema/package-schema';
import { generatedNotice } from './notice.js';
import type { Package } from './packages.js';

/** TypeScript types of everything the package schemas name: records, resources' inputs and outputs, lookups. */
export function typesModule(packages: readonly Package[]): string {
  const parts = packages.flatMap(({ schema, types }) => [
    ...Object.entries(schema.types ?? {}).map(([token, spec]) => namedType(pascal(memberName(token)), spec)),
    ...Object.entries(schema.resources ?? {}).flatMap(([token, spec]) => {
      const type = types.get(token);
      const overrides = ownShapes(type);
      // A policy is answered as text, whatever it was written as.
      const answered = new Map([...overrides].filter(([name]) => type?.fields[name]?.equality !== 'policy'));
      const inputs = { ...spec, properties: spec.inputProperties, required: spec.requiredInputs ?? [] };
      return [
        record(`${memberName(token)}Inputs`, `What a catalogue may say. ${spec.description}`, inputs, overrides),
        record(`${memberName(token)}Outputs`, `What the platform answers. ${spec.description}`, withId(spec), answered),
      ];
    }),
    ...Object.entries(schema.functions ?? {})
      .filter(([token]) => !isMethod(token))
      .flatMap(([token, spec]) => [
        record(`${pascal(memberName(token))}Args`, `Arguments of \`${memberName(token)}\`.`, spec.inputs),
        record(`${pascal(memberName(token))}Result`, `Result of \`${memberName(token)}\`.`, spec.outputs),
      ]),
    settings(schema),
  ]);
  return `// ${generatedNotice}\nimport type { Json } from '@platform-sync/core/model/value';\n\n${parts.join('\n')}`;
}

function settings(schema: PackageSchema): string {
  const properties = schema.config?.variables ?? {};
  const description = `Settings of the provider \`${schema.name}\`.`;
  return record(`${pascal(schema.name)}Settings`, description, { type: 'object', description, properties });
}

function namedType(name: string, spec: ObjectSpec | EnumSpec): string {
  if (!isEnum(spec)) return record(name, spec.description, spec);
  const members = spec.enum.map((m) => `  /** ${m.description} */\n  | ${JSON.stringify(m.value)}`).join('\n');
  return `/** ${spec.description} */\nexport type ${name} =\n${members};\n`;
}

export function record(
  name: string,
  description: string,
  spec: ObjectSpec,
  overrides: ReadonlyMap<string, string> = new Map(),
): string {
  const members = Object.entries(spec.properties).map(([key, property]) => {
    const optional = spec.required?.includes(key) ? '' : '?';
    return `${docComment(property)}  readonly ${key}${optional}: ${overrides.get(key) ?? typeText(property)};\n`;
  });
  // An empty interface would accept any value at all.
  const body = members.length === 0 ? `export type ${name} = Readonly<Record<string, never>>;\n` : undefined;
  return `/** ${description} */\n${body ?? `export interface ${name} {\n${members.join('')}}\n`}`;
}

function docComment(property: PropertySpec): string {
  const { description, deprecationMessage } = property;
  if (deprecationMessage === undefined) return description === undefined ? '' : `  /** ${description} */\n`;
  return `  /**\n   * ${description ?? ''}\n   * @deprecated ${deprecationMessage}\n   */\n`;
}

function typeText(spec: TypeSpec): string {
  if (spec.$ref === anyType) return 'Json';
  if (spec.$ref !== undefined) return pascal(memberName(spec.$ref));
  if (spec.oneOf !== undefined) return spec.oneOf.map(typeText).join(' | ');
  if (spec.type === 'array') return `readonly ${listItem(typeText(spec.items ?? {}))}[]`;
  if (spec.type === 'object') return `Readonly<Record<string, ${typeText(spec.additionalProperties ?? {})}>>`;
  return primitive(spec.type ?? 'string');
}

function listItem(text: string): string {
  return text.includes(' ') ? `(${text})` : text;
}

/** Fields whose catalogue form differs from the package schema's type, and is what the provider answers with, too. */
function ownShapes(type: ResourceType | undefined): ReadonlyMap<string, string> {
  const fields = Object.values(type?.fields ?? {}).filter((rule) => Array.isArray(rule.schema['type']));
  return new Map(fields.map((rule) => [rule.name, schemaText(rule.schema)]));
}

function schemaText(schema: JsonObject): string {
  const types = [schema['type'] ?? 'string'].flat() as readonly string[];
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ');
  return types.map((type) => schemaPart(type, schema)).join(' | ');
}

function schemaPart(type: string, schema: JsonObject): string {
  if (type === 'object' && isObject(schema['properties'])) return recordText(schema);
  if (type === 'array') return `readonly (${schemaText(member(schema['items']))})[]`;
  if (type === 'object') return `Readonly<Record<string, ${schemaText(member(schema['additionalProperties']))}>>`;
  return primitive(type);
}

function recordText({ properties, required }: JsonObject): string {
  const names = Array.isArray(required) ? (required as readonly Json[]) : [];
  const members = Object.entries(member(properties)).map(
    ([name, schema]) => `readonly ${name}${names.includes(name) ? '' : '?'}: ${schemaText(member(schema))}`,
  );
  return `{ ${members.join('; ')} }`;
}

function member(schema: Json | undefined): JsonObject {
  return isObject(schema) ? schema : {};
}

function primitive(type: string): string {
  return type === 'integer' ? 'number' : type;
}

function withId(spec: ObjectSpec): ObjectSpec {
  const id = { type: 'string', description: 'Identifier the platform gave the object.' };
  return { ...spec, properties: { id, ...spec.properties }, required: ['id', ...(spec.required ?? [])] };
}

export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
