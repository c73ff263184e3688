import { strongComponents } from '../model/strong-components.js';

/** What waits for itself through others, ring by ring. What merely waits for a ring, or is waited for by one, is in none. */
export function waitCycles(waits: ReadonlyMap<string, ReadonlySet<string>>): readonly ReadonlySet<string>[] {
  return strongComponents(waits.keys(), (id) => waits.get(id) ?? [])
    .filter(({ length }) => length > 1)
    .map((ring) => new Set(ring));
}
