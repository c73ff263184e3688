import type { JsonObject } from '../json.js';

/** A stored object: as the wire spells it, with what links it to its parent. */
export type Row = JsonObject & { readonly id: string };

type ChangeListener = (collection: string, id: string, row: Row | undefined) => void;

/** Objects of one kind in creation order, with indexes by members that are kept as rows come and go. */
export class Collection {
  readonly name: string;
  readonly #rows = new Map<string, Row>();
  readonly #indexes: ReadonlyMap<string, Map<string, Set<string>>>;
  readonly #changed: ChangeListener;
  #all: readonly Row[] | undefined;

  constructor(name: string, members: readonly string[], changed: ChangeListener) {
    this.name = name;
    this.#indexes = new Map(members.map((member) => [member, new Map<string, Set<string>>()]));
    this.#changed = changed;
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** All rows in creation order. */
  all(): readonly Row[] {
    this.#all ??= [...this.#rows.values()];
    return this.#all;
  }

  /** The rows whose member is a text: by an index where there is one. */
  find(member: string, text: string): readonly Row[] {
    const index = this.#indexes.get(member);
    if (member === 'id') return this.#present([text]);
    if (index === undefined) return this.all().filter((row) => row[member] === text);
    return this.#present(index.get(text) ?? []);
  }

  #present(ids: Iterable<string>): readonly Row[] {
    const found: Row[] = [];
    for (const id of ids) {
      const row = this.#rows.get(id);
      if (row !== undefined) found.push(row);
    }
    return found;
  }

  /** Adds a row, or replaces the one with the same id in place. */
  put(row: Row): void {
    const old = this.#rows.get(row.id);
    for (const member of this.#indexes.keys()) this.#move(member, row.id, old?.[member], row[member]);
    this.#rows.set(row.id, row);
    this.#all = undefined;
    this.#changed(this.name, row.id, row);
  }

  delete(id: string): void {
    const old = this.#rows.get(id);
    if (old === undefined) return;
    for (const member of this.#indexes.keys()) this.#move(member, id, old[member], undefined);
    this.#rows.delete(id);
    this.#all = undefined;
    this.#changed(this.name, id, undefined);
  }

  #move(member: string, id: string, from: unknown, to: unknown): void {
    const entries = this.#indexes.get(member);
    if (from === to || entries === undefined) return;
    if (typeof from === 'string') {
      const ids = entries.get(from);
      ids?.delete(id);
      if (ids?.size === 0) entries.delete(from);
    }
    if (typeof to === 'string') entries.set(to, (entries.get(to) ?? new Set()).add(id));
  }
}
