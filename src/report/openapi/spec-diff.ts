import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { sameJson } from '../diff/structural-diff.js';
import { change, type Effect, type SpecChange, type SpecDiff } from './rules.js';
import { isUnstable, removalRule } from './sunset.js';
import { isRecord } from '../words/value.js';

// A schema that every operation shares multiplies: the first thousand say it, and not all are even kept.
const maxChanges = 1000;
const maxKept = 20_000;

const weights: Readonly<Record<Effect, number>> = { breaks: 0, 'may-break': 1, safe: 2 };

interface Named {
  readonly name: string;
  readonly source: JsonObject;
}

interface Operations<T> {
  /** What differs in where the API is found, and in what its operations share. */
  readonly whole: readonly SpecChange[];
  readonly old: ReadonlyMap<string, T>;
  readonly now: ReadonlyMap<string, T>;
  readonly today: number;
  /** What differs in an operation that both have. */
  readonly compare: (old: T, now: T) => readonly SpecChange[];
}

/** What breaks callers first; beyond the first thousand changes only their number. */
export function specDiff<T extends Named>({ whole, old, now, today, compare }: Operations<T>): SpecDiff {
  const changes: SpecChange[] = [...whole];
  let total = changes.length;
  const keep = (found: readonly SpecChange[]): void => {
    total += found.length;
    if (changes.length < maxKept) for (const one of found) changes.push(one);
  };
  const operations = { added: 0, removed: 0, changed: 0 };
  for (const [key, operation] of old) {
    const other = now.get(key);
    const differing = other === undefined ? [removal(operation, today)] : compare(operation, other);
    // Whoever calls a draft knows that it may change; that it is one now is news.
    const found = isUnstable(operation.source)
      ? differing.map((one) => ({ ...one, effect: 'safe' as const }))
      : differing;
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

/** What differs in what two sets name: of what is gone and what both have, in the order of the old one, then of what is new. */
export function paired<T>(
  old: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
  tell: {
    readonly gone: (one: T, key: string) => readonly SpecChange[];
    readonly both: (one: T, other: T, key: string) => readonly SpecChange[];
    readonly added: (one: T, key: string) => readonly SpecChange[];
  },
): readonly SpecChange[] {
  const before = [...old].flatMap(([key, one]) => {
    const other = now.get(key);
    return other === undefined ? tell.gone(one, key) : tell.both(one, other, key);
  });
  return [...before, ...[...now].flatMap(([key, one]) => (old.has(key) ? [] : tell.added(one, key)))];
}

function removal(operation: Named, today: number): SpecChange {
  return change(removalRule(operation.source, today, 'operation-removed'), operation);
}

/** What differs in the members that say where an API is found; whoever calls it can go on while old addresses stay. */
export function serversChanges(
  before: JsonObject,
  after: JsonObject,
  members: readonly string[],
): readonly SpecChange[] {
  const differing = members.filter((name) => !sameJson(before[name] ?? null, after[name] ?? null));
  if (differing.length === 0) return [];
  const isMore = differing.every((name) => hasAll(before[name], after[name]));
  return [change(isMore ? 'servers-added' : 'servers-changed', undefined, 'servers')];
}

function hasAll(before: Json | undefined, after: Json | undefined): boolean {
  if (isList(before) && isList(after)) return before.every((one) => after.some((other) => sameJson(one, other)));
  if (!isRecord(before) || !isRecord(after)) return false;
  return Object.entries(before).every(([name, one]) => sameJson(one, after[name] ?? null));
}
