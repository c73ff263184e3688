/** A map whose keys are known and whose values are made when they are first asked for. */
export class LazyMap<V> implements ReadonlyMap<string, V> {
  readonly #keys: ReadonlySet<string>;
  readonly #make: (key: string) => V;
  readonly #made = new Map<string, V>();

  constructor(keys: Iterable<string>, make: (key: string) => V) {
    this.#keys = new Set(keys);
    this.#make = make;
  }

  get size(): number {
    return this.#keys.size;
  }

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  get(key: string): V | undefined {
    if (!this.#keys.has(key)) return undefined;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = this.#make(key);
    this.#made.set(key, made);
    return made;
  }

  keys(): MapIterator<string> {
    return this.#keys.values();
  }

  *entries(): MapIterator<[string, V]> {
    for (const key of this.#keys) yield [key, this.#at(key)];
  }

  *values(): MapIterator<V> {
    for (const key of this.#keys) yield this.#at(key);
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(run: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) run(value, key, this);
  }

  #at(key: string): V {
    return valueIn(this, key);
  }
}

/** The value of a key that is there; that it is not is a bug. */
export function valueIn<V>(map: ReadonlyMap<string, V>, key: string): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`bug: there is nothing for ${key}`);
  return value;
}
