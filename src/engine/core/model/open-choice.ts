import type { JsonObject } from './value.js';

/** Beside `enum`: what it lists is what this release knows. Nothing is refused for being another text. */
export const openMark = 'x-open';

/** What the schema of a value lists, where other values may be as good; undefined where it lists none, or all. */
export function openChoices(schema: JsonObject): readonly string[] | undefined {
  const values = schema['enum'];
  return schema[openMark] === true && Array.isArray(values) ? values.map(String) : undefined;
}

/** The schema without what it only seems to limit. */
export function withoutOpenChoices(schema: JsonObject): JsonObject {
  const { enum: _values, [openMark]: isOpen, ...others } = schema;
  return isOpen === true ? others : schema;
}
