import { isList, type JsonObject } from '@platform-sync/core/model/value';
import { isRecord } from './value.js';
import type { FieldRule } from '@platform-sync/core/model/resource-type';

/** The rules of a schema in words: `one of a, b`, `at most 40 characters`. */
export function limits(schema: JsonObject): readonly string[] {
  const range = (what: string, one: string, many: string): readonly string[] => {
    const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
    if (least === undefined && most === undefined) return [];
    const ends = [
      ...(least === undefined ? [] : [`at least ${String(least)}`]),
      ...(most === undefined ? [] : [`at most ${String(most)}`]),
    ];
    return [`${ends.join(', ')} ${(most ?? least) === 1 ? one : many}`];
  };
  const choices = isList(schema['enum']) ? [`one of ${schema['enum'].map(String).join(', ')}`] : [];
  const { items } = schema;
  const each = isRecord(items) && isList(items['enum']) ? [`each one of ${items['enum'].map(String).join(', ')}`] : [];
  const bounds = (['minimum', 'maximum'] as const).flatMap((name) =>
    schema[name] === undefined ? [] : [`${name === 'minimum' ? 'at least' : 'at most'} ${String(schema[name])}`],
  );
  return [
    ...choices,
    ...each,
    ...range('Length', 'character', 'characters'),
    ...range('Items', 'item', 'items'),
    ...range('Properties', 'entry', 'entries'),
    ...bounds,
  ];
}

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
