import type { Expression, MapEntry } from '../../model/expression.js';
import type { Entries } from './shape.js';

/** `!unset`: as if the key were not there at all, over a default or the settings a stack overrides. */
export function isUnset(value: Expression): boolean {
  return value.kind === 'literal' && value.unset === true;
}

/** Entries without those that say `!unset`, at any depth of maps. */
export function withoutUnset(entries: Entries): Entries {
  const kept = new Map<string, MapEntry>();
  let isChanged = false;
  for (const [name, entry] of entries) {
    if (isUnset(entry.value)) {
      isChanged = true;
      continue;
    }
    if (entry.value.kind !== 'map') {
      kept.set(name, entry);
      continue;
    }
    const inner = withoutUnset(entry.value.entries);
    const isSame = inner === entry.value.entries;
    isChanged ||= !isSame;
    kept.set(name, isSame ? entry : { key: entry.key, value: { ...entry.value, entries: inner } });
  }
  return isChanged ? kept : entries;
}
