import { DerivedMap } from './derived-map.js';

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
