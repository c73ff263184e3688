import { isList, type JsonObject } from '@platform-sync/core/model/value';
import { isRecord } from './value.js';

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
