/** What every stored object has. Rows are kept as the wire spells them, plus what links them to their parent. */
export type Row = { readonly id: string; readonly created_at: string; readonly updated_at: string };

type ChangeListener = (collection: string, id: string, row: Row | undefined) => void;

/** The part of a collection that works for rows of any type: dump, outside edits, loading. */
export interface AnyCollection {
  readonly name: string;
  get(id: string): Row | undefined;
  all(): readonly Row[];
  put(row: Row): void;
  delete(id: string): void;
}

/** Objects of one kind in creation order, with indexes that are kept as rows come and go. */
export class Collection<T extends Row, K extends string = never> {
  readonly name: string;
  readonly #rows = new Map<string, T>();
  readonly #keys: readonly (readonly [K, (row: T) => string | undefined])[];
  readonly #indexes = new Map<K, Map<string, Set<string>>>();
  readonly #changed: ChangeListener;
  #all: readonly T[] | undefined;

  /** `indexes`: what each index finds a row by; undefined leaves the row out. */
  constructor(name: string, indexes: Readonly<Record<K, (row: T) => string | undefined>>, changed: ChangeListener) {
    this.name = name;
    this.#keys = Object.entries(indexes) as unknown as readonly (readonly [K, (row: T) => string | undefined])[];
    for (const [index] of this.#keys) this.#indexes.set(index, new Map());
    this.#changed = changed;
  }

  get(id: string): T | undefined {
    return this.#rows.get(id);
  }

  /** All rows in creation order. */
  all(): readonly T[] {
    this.#all ??= [...this.#rows.values()];
    return this.#all;
  }

  find(index: K, key: string): readonly T[] {
    const ids = this.#indexes.get(index)?.get(key);
    if (ids === undefined) return [];
    const found: T[] = [];
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /** The first row under the key, for indexes that are unique. */
  first(index: K, key: string): T | undefined {
    const ids = this.#indexes.get(index)?.get(key);
    for (const id of ids ?? []) return this.#rows.get(id);
    return undefined;
  }

  /** Adds a row, or replaces the one with the same id in place. */
  put(row: T): void {
    const old = this.#rows.get(row.id);
    for (const [index, keyOf] of this.#keys) this.#move(index, row.id, old && keyOf(old), keyOf(row));
    this.#rows.set(row.id, row);
    this.#all = undefined;
    this.#changed(this.name, row.id, row);
  }

  delete(id: string): void {
    const old = this.#rows.get(id);
    if (old === undefined) return;
    for (const [index, keyOf] of this.#keys) this.#move(index, id, keyOf(old), undefined);
    this.#rows.delete(id);
    this.#all = undefined;
    this.#changed(this.name, id, undefined);
  }

  #move(index: K, id: string, from: string | undefined, to: string | undefined): void {
    if (from === to) return;
    const entries = this.#indexes.get(index);
    if (entries === undefined) return;
    if (from !== undefined) {
      const ids = entries.get(from);
      ids?.delete(id);
      if (ids?.size === 0) entries.delete(from);
    }
    if (to !== undefined) {
      const ids = entries.get(to);
      if (ids === undefined) entries.set(to, new Set([id]));
      else ids.add(id);
    }
  }
}
