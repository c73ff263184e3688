import type { FieldRule } from '@platform-sync/core/model/resource-type';

/** Which changes of a field replace the object. */
export function replacingNotes({
  onChange,
  updatesOnly = {},
}: Pick<FieldRule, 'onChange' | 'updatesOnly'>): readonly string[] {
  if (onChange !== 'update') return ['a change replaces the object'];
  const { kinds = {}, fixed = [] } = updatesOnly;
  const unless = Object.entries(kinds).map(([path, taken]) =>
    taken.length === 0
      ? `a change replaces the object where there is a ${path}`
      : `a change replaces the object, unless ${path} is ${taken.join(' or ')} before and after`,
  );
  return [...unless, ...(fixed.length === 0 ? [] : [`a change of ${fixed.join(' or ')} replaces the object`])];
}
