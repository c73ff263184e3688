import type { FieldRule } from './resource-type.js';

/** The rules among a type's fields for which a test holds. */
export function fieldsWhere(
  test: (rule: FieldRule) => boolean,
): (type: { readonly fields: Readonly<Record<string, FieldRule>> }) => readonly FieldRule[] {
  return ({ fields }) => Object.values(fields).filter(test);
}
