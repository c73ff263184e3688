import type { ProviderPackage } from '@platform-sync/core/model/provider';
import type { Json, JsonObject } from '@platform-sync/core/model/value';

export interface ConformanceChange {
  readonly to: Json;
  readonly action: 'update' | 'replace';
  /** Inputs that are not declared in this case, because they would not be right together with the new value. */
  readonly without?: readonly string[];
  /** Inputs that are declared otherwise in this case. */
  readonly with?: JsonObject;
  /** Why this change can't be tried; then only the rule itself is looked at. */
  readonly untried?: string;
}

/**
 * What is known of one resource type from its service's own documentation, and nothing that comes from its definition: the
 * suite holds the one against the other.
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
  /** The service's name for the collection. */
  readonly collection: string;
  /** The import id, out of the object's id and the ids of what it needs. */
  readonly importId: (id: string, ids: Readonly<Record<string, string>>) => string;
}

/** Facts that the suite's walks don't show, for rows that are held against a definition as such. */
export interface ConformanceFacts {
  /** Inputs whose values must never be shown. */
  readonly secret?: readonly string[];
  /** Inputs that must be declared. */
  readonly required?: readonly string[];
  /** The object as the service keeps it after `properties` were applied; members that ids fill are left out. */
  readonly stored?: JsonObject;
  /** The fields by which people know an object, between spaces. */
  readonly key?: string;
  /** Groups of fields that the service refuses twice, each as names between spaces. */
  readonly unique?: readonly string[];
  /** The field of what it lives in, or nothing. */
  readonly parent?: readonly string[];
  /** Names of the types whose objects the service deletes with it. */
  readonly dies?: readonly string[];
  /** Fields that say who sees it. */
  readonly shows?: readonly string[];
  /** Further resources that changed inputs point at. */
  readonly others?: Readonly<Record<string, JsonObject>>;
  /** Properties of the nth of many, for types that have a list. */
  readonly another?: (nth: number) => JsonObject;
  /** Resources that the nth of many needs beside `needs`, by key: where objects of many parents share a list. */
  readonly anotherNeeds?: (nth: number) => Readonly<Record<string, JsonObject>>;
  /** Its ids are whole numbers: one that no number holds exactly must be told exactly, or not be taken at all. Needs `nextId`. */
  readonly numbered?: true;
  /** What is left after the object was deleted: of singletons their defaults. Default: nothing. */
  readonly remains?: JsonObject;
}

export type ConformanceCase = ConformanceRow & ConformanceFacts;

/** The ids above an object, by field. */
type Scope = Readonly<Record<string, string>>;

/** A service to try things on, and a hand in it that is not the provider's. */
export interface ConformanceService {
  /** Environment of every run: addresses and tokens. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Back to the beginning. */
  reset(): Promise<void>;
  /** The object as the service keeps it; undefined when it has none. */
  stored(collection: string, id: string, scope: Scope): Promise<JsonObject | undefined>;
  /** Changes an object as its own console would. */
  edit(collection: string, id: string, changes: JsonObject, scope: Scope): Promise<void>;
  remove(collection: string, id: string, scope: Scope): Promise<void>;
  /** The id of the next object that is made in a collection, in digits; for rows that are `numbered`. */
  nextId?(collection: string, id: string): Promise<void>;
  /** Calls to other addresses that answers name (a next page): none is to be made. Looked at after every walk. */
  elsewhere?(): readonly string[];
  /** The member that holds a field. Default: its name in snake_case. */
  readonly memberOf?: (field: string) => string;
}

export interface ConformanceOptions {
  readonly package: ProviderPackage;
  readonly service: ConformanceService;
  readonly cases: readonly ConformanceCase[];
  /** Short tokens of the types to try; default: those of all cases. */
  readonly types?: readonly string[];
  /** Ends with the first problem. */
  readonly stopAtFirst?: boolean;
  /** Milliseconds that pass while a run waits for what it wrote to show; default: real ones. A pretended service needs none. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** One thing that is otherwise than the row says. */
export interface ConformanceProblem {
  readonly type: string;
  /** `changed`, `removed`, `drifted` … */
  readonly walk: string;
  readonly field?: string;
  readonly message: string;
}
