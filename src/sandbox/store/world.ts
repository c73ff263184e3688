import type { JsonObject } from '../json.js';
import { Collection, type Row } from './collection.js';
import { kinds } from './kinds.js';
import { randomSource, shuffled } from './shuffle.js';
import { Timestamps } from './timestamps.js';

/** Keeps rows beyond the process; see `disk.ts`. */
interface RowLog {
  write(collection: string, id: string, row: Row | undefined): void;
  /** Runs the work as one transaction. */
  together(work: () => void): void;
}

/** What a sandbox takes from outside: with the same of it, it is the same every time. */
export interface WorldOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** A fresh UUID. */
  readonly id: () => string;
  /** Seed of every order that a client must not rely on. */
  readonly shuffle?: number | undefined;
}

/** Everything that exists on the imitated platform. */
export class World {
  readonly id: () => string;
  /** Seed of every order that a client must not rely on. */
  readonly shuffle: number | undefined;
  /** By the name they have in control requests. Parents come before what hangs on them. */
  readonly collections: ReadonlyMap<string, Collection>;
  /** Filtered and sorted lists, so that the pages of one walk cost one sort. Any change empties it. */
  readonly views = new Map<string, readonly JsonObject[]>();
  readonly #timestamps: Timestamps;
  readonly #random: () => number;
  #journal: RowLog | undefined;
  #position = 0;
  #traces = 1_000_000_000_000_000;

  constructor({ clock, id, shuffle }: WorldOptions) {
    this.id = id;
    this.shuffle = shuffle;
    this.#timestamps = new Timestamps(clock);
    this.#random = randomSource(shuffle ?? 0);
    const changed = (collection: string, row: string, now: Row | undefined): void => {
      this.views.clear();
      this.#journal?.write(collection, row, now);
    };
    const named = kinds.map(({ name, by }) => new Collection(name, by, changed));
    // Everything else that descriptions tell of, by the path of its collection.
    const others = new Collection('described', ['place'], changed);
    this.collections = new Map([...named, others].map((each) => [each.name, each]));
  }

  rows(name: string): Collection {
    const found = this.collections.get(name);
    if (found === undefined) throw new Error(`there is no collection ${name}`);
    return found;
  }

  now(): string {
    return this.#timestamps.next();
  }

  /** Trace ids are a counter: unique, and no cost in a hot path. */
  readonly trace = (): string => String((this.#traces += 1));

  /** A position after every existing one. */
  nextPosition(): number {
    this.#position += 1;
    return this.#position;
  }

  /** From now on every change is written there too. */
  keep(journal: RowLog): void {
    this.#journal = journal;
  }

  /** Changes that belong together: all of them are kept, or none. */
  together(work: () => void): void {
    if (this.#journal === undefined) work();
    else this.#journal.together(work);
  }

  /** A row from outside (loaded, seeded): the counters move past what it holds. */
  place(collection: Collection, row: Row): void {
    const { updated_at: updated, position } = row;
    if (typeof updated === 'string') this.#timestamps.notBefore(updated);
    if (typeof position === 'number' && position > this.#position) this.#position = position;
    collection.put(row);
  }

  clear(): void {
    this.together(() => {
      for (const collection of this.collections.values()) {
        for (const row of collection.all()) collection.delete(row.id);
      }
    });
  }

  /** Values whose order the platform does not keep: reversed, or shuffled when a seed is set. */
  disorder<T>(items: readonly T[]): readonly T[] {
    if (items.length < 2) return items;
    return this.shuffle === undefined ? [...items].reverse() : shuffled(items, this.#random);
  }

  /** Values whose order may be anything, although it usually is this one. */
  anyOrder<T>(items: readonly T[]): readonly T[] {
    return this.shuffle === undefined || items.length < 2 ? items : shuffled(items, this.#random);
  }
}
