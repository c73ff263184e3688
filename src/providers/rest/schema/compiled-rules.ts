import { Ajv2020 } from 'ajv/dist/2020.js';
import { linearPattern } from '@platform-sync/core/model/linear-pattern';
import { ProviderError } from '@platform-sync/core/model/provider';
import { type ResourceType, withoutOpenChoices } from '@platform-sync/core/model/resource-type';
import type { Validator } from '@platform-sync/core/model/validator';
import { uuid } from '@platform-sync/core/model/import-id';
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
  const members = Object.entries(withNullChoice(withoutOpenChoices(schema as JsonObject)));
  return Object.fromEntries(
    members
      .filter(([key, value]) => key !== 'not' && !isNote(key, value))
      .map(([key, value]) => [key, rulesOnly(value)]),
  );
}

/** The compiler takes null for a type that says so, and for no list of choices. */
function withNullChoice(schema: JsonObject): JsonObject {
  const { nullable, enum: values } = schema;
  return nullable === true && Array.isArray(values) ? { ...schema, enum: [...(values as Json[]), null] } : schema;
}

/** A field may be called `description` or `format`, too: then a schema stands there. */
function isNote(key: string, value: Json): boolean {
  if (typeof value !== 'string') return false;
  return key === 'description' || (key === 'format' && !Object.hasOwn(formats, value));
}

/** What a value is held against. */
export interface Rules {
  /** Of its JSON schema. */
  readonly validate: Validator;
  /** The first part of a text that a pattern matches. */
  readonly find: (pattern: string, text: string) => string | undefined;
}

/** The compiler names it where it writes rules as text; here they are compiled in memory alone. */
const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });

/** One for all types: each holds schemas against their own schema, whose rules take longer to compile than most types'. */
const ajv = new Ajv2020({ allErrors: true, formats, strictTypes: false, logger: false, code: { regExp } });

/** The rules of a type's inputs, compiled while the program runs. Its patterns are others': they run on an engine that ends. */
export function compiledRules(type: ResourceType): Rules {
  const schema = inputsSchema(type);
  try {
    return { validate: ajv.compile(schema), find: (pattern, text) => linearPattern(pattern).find(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    const summary = `The rules of ${type.shortToken} can't be used: ${why}.`;
    throw new ProviderError('configuration', [{ severity: 'error', code: 'bad-types-file', summary }]);
  } finally {
    // Whoever asked keeps the rules, for as long as they need them.
    ajv.removeSchema(schema);
  }
}
