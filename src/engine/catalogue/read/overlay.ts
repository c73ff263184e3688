import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { Entries } from './shape.js';

/** One block over another: maps merge, of everything else the upper one stands, with its place. */
export function overlayEntries(below: Entries, above: Entries): Entries {
  const merged = new Map<string, MapEntry>(below);
  for (const [name, entry] of above) {
    const under = below.get(name);
    merged.set(name, under === undefined ? entry : { key: entry.key, value: overlay(under.value, entry.value) });
  }
  return merged;
}

export function overlay(below: Expression, above: Expression): Expression {
  if (below.kind !== 'map' || above.kind !== 'map') return above;
  return { kind: 'map', entries: overlayEntries(below.entries, above.entries), at: above.at };
}

/** `!unset`: as if the key were not there at all, over a default or the settings a stack overrides. */
export function isUnset(value: Expression): boolean {
  return value.kind === 'literal' && value.unset === true;
}

/** Entries without those that say `!unset`, at any depth of maps. */
export function withoutUnset(entries: Entries): Entries {
  return hasUnset(entries) ? without(entries) : entries;
}

/** Hardly any has: none of them is copied, or walked with its keys. */
function hasUnset(entries: Entries): boolean {
  for (const { value } of entries.values())
    if (isUnset(value) || (value.kind === 'map' && hasUnset(value.entries))) return true;
  return false;
}

function without(entries: Entries): Entries {
  let kept: Map<string, MapEntry> | undefined;
  for (const [name, { key, value }] of entries) {
    if (isUnset(value)) (kept ??= new Map(entries)).delete(name);
    if (value.kind !== 'map') continue;
    const inner = withoutUnset(value.entries);
    if (inner !== value.entries) (kept ??= new Map(entries)).set(name, { key, value: { ...value, entries: inner } });
  }
  return kept ?? entries;
}
