import type { Expression, MapEntry } from '../../model/expression.js';
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
