import { CompactMap } from '../../model/compact-map.js';
import type { SourceRange } from '../../model/place-in-file.js';
import type { Entries } from '../read/shape.js';

/** Where the keys of a map stand: of the map itself, which is as large as what it says, nothing is kept. */
export class KeyPlaces implements Pick<ReadonlyMap<string, SourceRange>, 'get' | 'has'> {
  /** Where each starts; a key that is as long as its name ends where that ends. */
  readonly #places: CompactMap<number | SourceRange>;
  readonly #file: string;

  private constructor(places: CompactMap<number | SourceRange>, file: string) {
    this.#places = places;
    this.#file = file;
  }

  static of(entries: Entries): KeyPlaces {
    const [first] = entries.values();
    const file = first?.key.file ?? '';
    const places = CompactMap.of(entries).with(({ key }, name) =>
      key.file === file && key.end - key.start === name.length ? key.start : key,
    );
    return new KeyPlaces(places, file);
  }

  get(name: string): SourceRange | undefined {
    const place = this.#places.get(name);
    return typeof place === 'number' ? { file: this.#file, start: place, end: place + name.length } : place;
  }

  has(name: string): boolean {
    return this.#places.has(name);
  }
}
