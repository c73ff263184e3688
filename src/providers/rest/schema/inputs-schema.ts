import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { withoutOpenChoices } from '@platform-sync/core/model/open-choice';
import { uuid } from '@platform-sync/core/model/uuid';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

/** Forms of texts that are enforced; every other `format` is a note to readers and editors. */
export const formats = { uuid };

/** What may stand under `properties:` of a resource. */
export function inputsSchema(type: ResourceType): JsonObject {
  const inputs = Object.values(type.fields).filter((rule) => rule.input);
  return {
    type: 'object',
    properties: Object.fromEntries(inputs.map((rule) => [rule.name, rulesOnly(rule.schema)])),
    required: inputs.filter((rule) => rule.required).map((rule) => rule.name),
    additionalProperties: false,
    ...(type.kinds === undefined ? {} : { allOf: type.kinds.map(rulesOnly) }),
  };
}

/** Leaves out descriptions, forms that nothing enforces, and `not`, which is brand-bound and checked by src/providers/rest/schema/validate.ts. */
export function rulesOnly(schema: Json): Json {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(rulesOnly);
  const members = Object.entries(withoutOpenChoices(schema as JsonObject));
  return Object.fromEntries(
    members
      .filter(([key, value]) => key !== 'not' && !isNote(key, value))
      .map(([key, value]) => [key, rulesOnly(value)]),
  );
}

/** A field may be called `description` or `format`, too: then a schema stands there. */
function isNote(key: string, value: Json): boolean {
  if (typeof value !== 'string') return false;
  return key === 'description' || (key === 'format' && !Object.hasOwn(formats, value));
}
