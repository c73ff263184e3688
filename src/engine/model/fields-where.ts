import type { FieldRule } from './resource-type.js';

type Fields = Readonly<Record<string, FieldRule>>;

/** The rules among a type's fields for which a test holds; found once a type, where every resource asks. */
export function fieldsWhere(
  test: (rule: FieldRule) => boolean,
): (type: { readonly fields: Fields }) => readonly FieldRule[] {
  const known = new WeakMap<Fields, readonly FieldRule[]>();
  return ({ fields }) => {
    const found = known.get(fields) ?? Object.values(fields).filter(test);
    known.set(fields, found);
    return found;
  };
}
