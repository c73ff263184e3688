import { DerivedMap } from './derived-map.js';

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
