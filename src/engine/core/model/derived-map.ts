/** What a map can do that follows from its keys and what each stands for. */
export abstract class DerivedMap<V> implements ReadonlyMap<string, V> {
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
