import { isList, type Json, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import { isRecord } from '../words/value.js';
import { referenceOf, resolved } from './document.js';
import { tighter } from './limits.js';

const maxDepth = 40;

/** The schemas of one document, each with what its `allOf` adds, and with `null` among its types however it is written. */
export class FlatSchemas {
  private readonly known = new Map<string, JsonObject>();

  constructor(private readonly document: JsonObject) {}

  flat(schema: Json, depth = 0): JsonObject {
    const reference = referenceOf(schema);
    if (reference === undefined) return this.made(schema, depth);
    const known = this.known.get(reference);
    if (known !== undefined) return known;
    // A schema that is a part of itself adds nothing.
    this.known.set(reference, {});
    const { $ref: _, ...beside } = isRecord(schema) ? schema : {};
    const target = this.made(resolved(this.document, schema), depth);
    this.known.set(reference, target);
    return Object.keys(beside).length === 0 ? target : merged(target, beside);
  }

  private made(schema: Json, depth: number): JsonObject {
    if (schema === false) return { not: {} };
    if (!isRecord(schema) || depth > maxDepth) return {};
    const { allOf, ...own } = schema;
    const whole = isList(allOf)
      ? allOf.map((part) => this.flat(part, depth + 1)).reduce((sum, part) => merged(sum, part), own)
      : own;
    return this.nullable(whole, depth);
  }

  /** `oneOf: [{type: "null"}, X]` is X or null. */
  private nullable(schema: JsonObject, depth: number): JsonObject {
    for (const keyword of ['oneOf', 'anyOf']) {
      const { [keyword]: variants, ...own } = schema;
      if (!isList(variants) || variants.length !== 2) continue;
      const other = variants.filter((variant) => !isNull(variant));
      const only = other[0];
      if (other.length === 1 && only !== undefined)
        return { ...merged(own, this.flat(only, depth + 1)), nullable: true };
    }
    return schema;
  }
}

function isNull(schema: Json): boolean {
  return isRecord(schema) && schema['type'] === 'null';
}

/** What holds when both hold. */
export function merged(one: JsonObject, other: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const known = ownMember(result, keyword);
    result[keyword] = known === undefined ? value : both(keyword, known, value);
  }
  return result;
}

function both(keyword: string, one: Json, other: Json): Json {
  if (keyword === 'properties' && isRecord(one) && isRecord(other)) {
    const properties: Record<string, Json> = { ...one };
    for (const [name, schema] of Object.entries(other)) {
      const known = Object.hasOwn(one, name) ? one[name] : undefined;
      properties[name] = known === undefined ? schema : { allOf: [known, schema] };
    }
    return properties;
  }
  if (keyword === 'required' && isList(one) && isList(other)) return [...new Set([...one, ...other])];
  if (keyword === 'enum' && isList(one) && isList(other)) {
    const values = new Set(other.map((value) => JSON.stringify(value)));
    return one.filter((value) => values.has(JSON.stringify(value)));
  }
  if (keyword === 'additionalProperties') return one === false ? one : other;
  return tighter(keyword, one, other) ?? other;
}
