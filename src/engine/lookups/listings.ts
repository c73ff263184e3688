import { collectionKey } from '../model/identity.js';
import type { Listing, Provider } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { JsonObject } from '../model/value.js';
import { canonicalJson } from '../model/canonical.js';

interface Asked {
  readonly having: Map<string, JsonObject>;
  readonly listing: Promise<Listing>;
}

/** Reads lists for lookups: all that ask for one list in one turn of the program share one reading of it. */
export class Listings {
  readonly #asked = new Map<string, Asked>();

  /** Objects of a collection, at least all that have these values. */
  ask(
    provider: Provider,
    type: ResourceType,
    scope: Readonly<Record<string, string>>,
    having: JsonObject,
  ): Promise<Listing> {
    const key = collectionKey(type, scope);
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      const wanted = new Map<string, JsonObject>();
      const listing = new Promise<void>((turn) => setImmediate(turn)).then(() => {
        this.#asked.delete(key);
        // Who wants different things of one list reads all of it, once.
        const [only, ...others] = wanted.values();
        return provider.list(
          type,
          scope,
          others.length > 0 || only === undefined || Object.keys(only).length === 0 ? {} : { having: only },
        );
      });
      this.#asked.set(key, (asked = { having: wanted, listing }));
    }
    asked.having.set(canonicalJson(having), having);
    return asked.listing;
  }
}
