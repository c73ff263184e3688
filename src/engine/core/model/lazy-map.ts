/** What a map can do that follows from its keys and what each stands for. */
abstract class DerivedMap<V> implements ReadonlyMap<string, V> {
  abstract get size(): number;
  abstract has(key: string): boolean;
  abstract get(key: string): V | undefined;
  abstract keys(): MapIterator<string>;

  *entries(): MapIterator<[string, V]> {
    for (const key of this.keys()) yield [key, valueIn(this, key)];
  }

  *values(): MapIterator<V> {
    for (const key of this.keys()) yield valueIn(this, key);
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  forEach(run: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) run(value, key, this);
  }
}

/** The value of a key that is there; that it is not is a bug. */
export function valueIn<V>(map: ReadonlyMap<string, V>, key: string): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`bug: there is nothing for ${key}`);
  return value;
}

/** A map whose keys are known and whose values are made when they are first asked for. */
export class LazyMap<V> extends DerivedMap<V> {
  readonly #keys: ReadonlySet<string>;
  readonly #make: (key: string) => V;
  readonly #made = new Map<string, V>();

  constructor(keys: Iterable<string>, make: (key: string) => V) {
    super();
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
    const known = this.#made.get(key);
    if (known !== undefined || !this.#keys.has(key)) return known;
    const made = this.#make(key);
    this.#made.set(key, made);
    return made;
  }

  keys(): MapIterator<string> {
    return this.#keys.values();
  }
}

/** Another map's keys with what is made of its values, each time somebody asks: nothing is kept. */
export class MappedMap<T, V> extends DerivedMap<V> {
  readonly #map: ReadonlyMap<string, T>;
  readonly #make: (value: T) => V;

  constructor(map: ReadonlyMap<string, T>, make: (value: T) => V) {
    super();
    this.#map = map;
    this.#make = make;
  }

  get size(): number {
    return this.#map.size;
  }

  has(key: string): boolean {
    return this.#map.has(key);
  }

  get(key: string): V | undefined {
    const value = this.#map.get(key);
    return value === undefined ? undefined : this.#make(value);
  }

  keys(): MapIterator<string> {
    return this.#map.keys();
  }
}
