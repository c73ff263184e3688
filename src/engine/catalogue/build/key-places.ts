import { CompactMap, type Keys } from '../../model/compact-map.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { Entries } from '../read/shape.js';

/** Where the keys of a map stand: of the map itself, which is as large as what it says, nothing is kept. */
export class KeyPlaces implements Pick<ReadonlyMap<string, SourceRange>, 'get' | 'has'> {
  readonly #order: Keys;
  /** Where each starts; a key that is as long as its name ends where that ends. */
  readonly #places: readonly (number | SourceRange)[];
  readonly #file: string;

  private constructor(order: Keys, places: readonly (number | SourceRange)[], file: string) {
    this.#order = order;
    this.#places = places;
    this.#file = file;
  }

  static of(given: Entries): KeyPlaces {
    const entries = CompactMap.of(given);
    const [first] = entries.values();
    const file = first?.key.file ?? '';
    const places = entries.list(({ key }, name) =>
      key.file === file && key.end - key.start === name.length ? key.start : key,
    );
    return new KeyPlaces(entries.order, places, file);
  }

  get(name: string): SourceRange | undefined {
    const at = this.#order.place(name);
    const place = at === undefined ? undefined : this.#places[at];
    return typeof place === 'number' ? { file: this.#file, start: place, end: place + name.length } : place;
  }

  has(name: string): boolean {
    return this.#order.place(name) !== undefined;
  }
}
