import type { FieldRule } from './resource-type.js';

type Fields = Readonly<Record<string, FieldRule>>;

/** The rules among a type's fields for which a test holds; found once a type, where every resource asks. */
export function fieldsWhere(
  test: (rule: FieldRule) => boolean,
): (type: { readonly fields: Fields }) => readonly FieldRule[] {
  const known = new WeakMap<Fields, readonly FieldRule[]>();
  return ({ fields }) => {
    let found = known.get(fields);
    if (found === undefined) known.set(fields, (found = Object.values(fields).filter(test)));
    return found;
  };
}
