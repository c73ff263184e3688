import type { ResourceType } from '../engine/model/resource-type.js';
import type { Json, JsonObject } from '../engine/model/value.js';

/** What may stand under \`properties:\` of a resource. */
export function inputsSchema(type: ResourceType): JsonObject {
  const inputs = Object.values(type.fields).filter((rule) => rule.input);
  return {
    type: 'object',
    properties: Object.fromEntries(inputs.map((rule) => [rule.name, rulesOnly(rule.schema)])),
    required: inputs.filter((rule) => rule.required).map((rule) => rule.name),
    additionalProperties: false,
  };
}

/** Leaves out descriptions, and \`not\`, which is brand-bound and checked by src/providers/validate.ts. */
export function rulesOnly(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(rulesOnly);
  const members = Object.entries(schema);
  return Object.fromEntries(
    members
      .filter(([key, value]) => key !== 'not' && !(key === 'description' && typeof value === 'string'))
      .map(([key, value]) => [key, rulesOnly(value)]),
  );
}
