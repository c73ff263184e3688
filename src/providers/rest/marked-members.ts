import type { FieldType } from './definition.js';

/** Paths of the members that tell the kinds of a record, or of one inside of it; undefined where there are none. */
export function kindMembers(type: FieldType): readonly string[] | undefined {
  const found = pathsOfKinds(type);
  return found.length === 0 ? undefined : found;
}

function pathsOfKinds(type: FieldType): readonly string[] {
  if (typeof type === 'string' || 'choice' in type || 'map' in type) return [];
  if ('list' in type) return pathsOfKinds(type.list);
  const inside = Object.entries(type.members).flatMap(([name, member]) =>
    typeof member === 'string' ? [] : pathsOfKinds(member.type ?? 'string').map((path) => `${name}.${path}`),
  );
  return [...(type.by === undefined ? [] : [type.by]), ...inside];
}

/** Paths of the members that no answer shows; undefined where there are none. */
export function hiddenMembers(type: FieldType): readonly string[] | undefined {
  const found = pathsOfHidden(type);
  return found.length === 0 ? undefined : found;
}

function pathsOfHidden(type: FieldType): readonly string[] {
  if (typeof type === 'string' || 'choice' in type) return [];
  if ('list' in type) return pathsOfHidden(type.list);
  if ('map' in type) return pathsOfHidden(type.map).map((path) => `*.${path}`);
  return Object.entries(type.members).flatMap(([name, member]) => {
    if (typeof member === 'string') return [];
    return member.writeOnly === true ? [name] : pathsOfHidden(member.type ?? 'string').map((path) => `${name}.${path}`);
  });
}
