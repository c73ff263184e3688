import type { JsonObject } from '@platform-sync/core/model/value';
import type { Need } from './look.js';

interface Wanted {
  /** Objects that a refresh looks for, by `identityKey`; undefined: it does not look there. */
  objects?: ReadonlySet<string> | undefined;
  isRead: boolean;
  /** What lookups and searches for keys narrow the list by, by its text; `{}`: by nothing. */
  readonly filters: Map<string, JsonObject>;
}

/** What will be asked of each list, by `collectionKey`, as far as that is known before somebody asks. */
export class Expected {
  readonly #wanted = new Map<string, Wanted>();

  /** A refresh will look for these objects of the list. */
  objects(key: string, objects: ReadonlySet<string>): void {
    const wanted = this.#of(key);
    wanted.objects = objects;
    wanted.isRead = true;
  }

  /** Lookups or searches for keys will ask for the objects that a filter leaves. */
  filter(key: string, text: string, filter: JsonObject): void {
    this.#of(key).filters.set(text, filter);
  }

  isRead(key: string): boolean {
    return this.#wanted.get(key)?.isRead ?? false;
  }

  /** The need, with what others will want of the list. Objects are expected until somebody asks for them. */
  with(key: string, need: Need): Need {
    const wanted = this.#wanted.get(key);
    if (wanted === undefined) return need;
    const { filters, objects } = wanted;
    const isOfObjects = typeof need.of === 'object';
    if (isOfObjects) wanted.objects = undefined;
    if (need.of === 'everything' || filters.has('{}')) return { ...need, of: 'everything' };
    const besides = (need.besides ?? 0) + filters.size;
    return typeof need.of === 'number' && objects !== undefined
      ? { ...need, of: objects, besides: besides + need.of }
      : { ...need, besides };
  }

  /** The filters of those who ask, and of those who will; they are expected no longer. */
  narrowed(key: string, asked: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, JsonObject> {
    const wanted = this.#wanted.get(key);
    if (wanted === undefined) return asked;
    const all = new Map([...wanted.filters, ...asked]);
    wanted.filters.clear();
    return all;
  }

  #of(key: string): Wanted {
    let wanted = this.#wanted.get(key);
    if (wanted === undefined) this.#wanted.set(key, (wanted = { isRead: false, filters: new Map() }));
    return wanted;
  }
}
