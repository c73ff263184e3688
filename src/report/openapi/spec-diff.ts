import type { JsonObject } from '../../engine/model/value.js';
import { sameJson } from '../diff/structural-diff.js';
import { change } from './change.js';
import type { SpecChange, SpecDiff } from './change.js';
import type { Effect } from './rules.js';

// A schema that every operation shares multiplies: the first thousand say it, and not all are even kept.
const maxChanges = 1000;
const maxKept = 20_000;

const weights: Readonly<Record<Effect, number>> = { breaks: 0, 'may-break': 1, safe: 2 };

interface Operations<T> {
  /** True when the servers differ. */
  readonly servers: boolean;
  readonly old: ReadonlyMap<string, T>;
  readonly now: ReadonlyMap<string, T>;
  /** What differs in an operation that both have. */
  readonly compare: (old: T, now: T) => readonly SpecChange[];
}

/** What breaks callers first; beyond the first thousand changes only their number. */
export function specDiff<T extends { readonly name: string }>({ servers, old, now, compare }: Operations<T>): SpecDiff {
  const changes: SpecChange[] = servers ? [change('servers-changed', undefined, 'servers')] : [];
  let total = changes.length;
  const keep = (found: readonly SpecChange[]): void => {
    total += found.length;
    if (changes.length < maxKept) for (const one of found) changes.push(one);
  };
  const operations = { added: 0, removed: 0, changed: 0 };
  for (const [key, operation] of old) {
    const other = now.get(key);
    const found = other === undefined ? [change('operation-removed', operation)] : compare(operation, other);
    if (other === undefined) operations.removed += 1;
    else if (found.length > 0) operations.changed += 1;
    keep(found);
  }
  for (const [key, operation] of now) {
    if (old.has(key)) continue;
    operations.added += 1;
    keep([change('operation-added', operation)]);
  }
  changes.sort((a, b) => weights[a.effect] - weights[b.effect]);
  return { changes: changes.slice(0, maxChanges), more: Math.max(0, total - maxChanges), operations };
}

/** Whether one of the members that say where an API is found differs. */
export function haveOtherServers(before: JsonObject, after: JsonObject, members: readonly string[]): boolean {
  return !members.every((name) => sameJson(before[name] ?? null, after[name] ?? null));
}
