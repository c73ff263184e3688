import { DerivedMap } from './derived-map.js';

/** The keys of all maps that have the same in the same order. Kept for good: made for names of fields, of which there are few. */
export class Keys {
  static readonly none = new Keys([]);
  readonly names: readonly string[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #longer = new Map<string, Keys>();

  private constructor(names: readonly string[]) {
    this.names = names;
    this.#places = new Map(names.map((name, place) => [name, place]));
  }

  static of(names: Iterable<string>): Keys {
    let keys = Keys.none;
    for (const name of names) keys = keys.with(name);
    return keys;
  }

  place(name: string): number | undefined {
    return this.#places.get(name);
  }

  with(name: string): Keys {
    const known = this.#longer.get(name);
    if (known !== undefined) return known;
    const made = new Keys([...this.names, name]);
    this.#longer.set(name, made);
    return made;
  }
}

/** A map by names of fields that takes what its values take: a `Map` of four entries takes 200 bytes, one of five 300. */
export class CompactMap<V> extends DerivedMap<V> {
  readonly order: Keys;
  readonly #values: readonly V[];

  private constructor(keys: Keys, values: readonly V[]) {
    super();
    this.order = keys;
    this.#values = values;
  }

  static of<V>(map: ReadonlyMap<string, V>): CompactMap<V> {
    return map instanceof CompactMap ? map : new CompactMap(Keys.of(map.keys()), [...map.values()]);
  }

  /** The same keys with other values. */
  with<T>(make: (value: V, key: string) => T): CompactMap<T> {
    return new CompactMap(this.order, this.list(make));
  }

  /** What is made of each, in the order of the keys. */
  list<T>(make: (value: V, key: string) => T): readonly T[] {
    const { names } = this.order;
    return this.#values.map((value, place) => make(value, names[place] ?? ''));
  }

  /** With other values of these keys; what has none yet stands behind the others. */
  and(given: readonly (readonly [name: string, value: V])[]): CompactMap<V> {
    let keys = this.order;
    const values = [...this.#values];
    const more: V[] = [];
    for (const [name, value] of given) {
      const place = keys.place(name);
      if (place === undefined) {
        keys = keys.with(name);
        more.push(value);
      } else if (place < values.length) values[place] = value;
      else more[place - values.length] = value;
    }
    // A list that grows would take room for more than is there.
    return new CompactMap(keys, values.concat(more));
  }

  get size(): number {
    return this.#values.length;
  }

  has(key: string): boolean {
    return this.order.place(key) !== undefined;
  }

  get(key: string): V | undefined {
    const place = this.order.place(key);
    return place === undefined ? undefined : this.#values[place];
  }

  keys(): MapIterator<string> {
    return this.order.names.values();
  }

  override forEach(run: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    const { names } = this.order;
    this.#values.forEach((value, place) => {
      run(value, names[place] ?? '', this);
    });
  }

  // A list is walked faster than a generator.
  override entries(): MapIterator<[string, V]> {
    const { names } = this.order;
    return this.#values.map((value, place): [string, V] => [names[place] ?? '', value]).values();
  }

  override values(): MapIterator<V> {
    return this.#values.values();
  }
}
