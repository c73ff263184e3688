import type { Identity } from '@platform-sync/core/model/state';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

export interface ConformanceChange {
  readonly to: Json;
  readonly action: 'update' | 'replace';
  /** Inputs that are not declared in this case, because they would not be right together with the new value. */
  readonly without?: readonly string[];
  /** Inputs that are declared otherwise in this case. */
  readonly with?: JsonObject;
  /** Why this change can't be tried alone; then only the rule itself is looked at. */
  readonly untried?: string;
}

/**
 * How one resource type takes part in the conformance suite. A new type joins by adding its row to `rows.ts`; the
 * suite fails as long as a type has none, or a row leaves one of its type's inputs out.
 */
export interface ConformanceRow {
  /** Short token: `platform:Api`. */
  readonly type: string;
  /** Resources it needs, by key, as in a catalogue. */
  readonly needs: Readonly<Record<string, JsonObject>>;
  /** Every input the type has (of a group of which only one may stand: one). */
  readonly properties: JsonObject;
  /** For each input: another value, and what a change to it must do. */
  readonly changes: Readonly<Record<string, ConformanceChange>>;
  /** For each input that may be left out: what the platform has after its line is removed, in wire form; `kept` = it stays; `untried`. */
  readonly removals: Readonly<Record<string, { readonly leaves: Json } | 'kept' | 'untried'>>;
  /** For each input that the platform shows: a change behind our back, in wire form. */
  readonly drift: Readonly<Record<string, JsonObject>>;
  /** Inputs that can't drift, with the reason. */
  readonly driftless: Readonly<Record<string, string>>;
  /** The sandbox's name for the collection. */
  readonly collection: string;
  /** The sandbox's id of the object; left out: the object's own. */
  readonly storedId?: (id: string, scope: Identity['scope']) => string;
  /** The edit after which the object counts as gone, where that is not that the sandbox has none of it. */
  readonly gone?: JsonObject;
  /** Of what is always there: what the sandbox has after the end, in wire form. */
  readonly remains?: JsonObject;
  /** Guards that stand in the way of what the suite does. */
  readonly guards?: readonly string[];
  /** The import id, out of the object's id and the ids of what it needs. */
  readonly importId: (id: string, ids: Readonly<Record<string, string>>) => string;
}

/** Where the sandbox keeps a row's object for control requests. */
export function sandboxPlace(
  { collection, storedId }: Pick<ConformanceRow, 'collection' | 'storedId'>,
  { id, scope }: Identity,
): string {
  return `/_sandbox/objects/${collection}/${encodeURIComponent(storedId?.(id, scope) ?? id)}`;
}

/** Why no test deletes an object behind our back: to stand in that test's name. */
export function neverGone({ remains }: Pick<ConformanceRow, 'remains'>): string {
  return remains === undefined ? '' : ' (left out: nobody can delete settings that every place has)';
}
