import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import { type Listing, type Provider, type RemoteObject, ProviderError } from '@platform-sync/core/model/provider';
import type { FieldRule, ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { sameValue } from '@platform-sync/core/value/equality';
import type { JsonObject } from '@platform-sync/core/model/value';
import { outputsOf } from '../resource-types.js';

/** Longest age of a page that still answers a read, milliseconds: long enough for a refresh of ten thousand objects. */
const freshMs = 60_000;

interface Shelf {
  /** Reads of objects in this collection so far. */
  asked: number;
  /** Pages it takes to read it, as far as known. */
  pages: number;
  since: number;
  listing?: Promise<ReadonlyMap<string, RemoteObject> | undefined>;
}

export interface SharedRead {
  readonly provider: Provider;
  readonly type: ResourceType;
  readonly identity: Identity;
  /** What the engine knows of it: the fields that lists don't carry are as they were while its revision is. */
  readonly olds: JsonObject;
}

/**
 * Reads of many objects, which the engine asks for one by one, answered from the pages of lists. A list is read once as many
 * objects were asked for as it has pages, so that neither a lone object nor a thousand of them cost much more than the
 * least. A list only ever says that an object is there, and how: what it lacks is read by itself.
 */
export class SharedReads {
  readonly #shelves = new Map<string, Shelf>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** After a write nothing read before it counts. */
  forget(): void {
    this.#shelves.clear();
  }

  async read({ provider, type, identity, olds }: SharedRead): Promise<RemoteObject | undefined> {
    const listed = await this.#listed(provider, type, identity);
    const whole = listed === undefined ? undefined : filledIn(type, listed, olds);
    // What a list says of a change is not believed alone: it may be older than the object.
    return whole === undefined || differs(type, whole, olds) ? provider.read(type, identity) : whole;
  }

  async #listed(provider: Provider, type: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
    if (type.collection.listed === false) return undefined;
    const shelf = this.#shelfOf(type, identity);
    shelf.asked += 1;
    if (shelf.listing === undefined) {
      if (shelf.asked <= shelf.pages) return undefined;
      shelf.listing = this.#list(provider, type, identity, shelf);
    }
    return (await shelf.listing)?.get(identityKey(type.token, identity));
  }

  #shelfOf(type: ResourceType, { scope }: Identity): Shelf {
    const key = collectionKey(type, scope);
    const known = this.#shelves.get(key);
    if (known !== undefined && this.#now() - known.since < freshMs) return known;
    const shelf: Shelf = { asked: 0, pages: 1, since: this.#now() };
    this.#shelves.set(key, shelf);
    return shelf;
  }

  /** What the list shows; undefined where it can't be had, so that each read says by itself what is wrong. */
  async #list(
    provider: Provider,
    type: ResourceType,
    { scope }: Identity,
    shelf: Shelf,
  ): Promise<ReadonlyMap<string, RemoteObject> | undefined> {
    const place = Object.fromEntries(type.collection.scope.map((field) => [field, scope[field] ?? '']));
    try {
      const listing: Listing = await provider.list(type, place, {
        isEnough: ({ morePages }) => {
          shelf.pages = morePages + 1;
          return morePages > shelf.asked;
        },
      });
      // Further pages are read when as many objects were asked for as there are pages.
      if (!listing.isComplete && shelf.pages > 1) delete shelf.listing;
      return new Map(listing.objects.map((object) => [identityKey(type.token, object.identity), object]));
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return undefined;
    }
  }
}

/** The object with the fields that lists leave out; undefined where only a read of its own shows them. */
function filledIn(type: ResourceType, { identity, values }: RemoteObject, olds: JsonObject): RemoteObject | undefined {
  const missing = Object.values(type.fields).filter((rule) => isLeftOut(rule, values));
  if (missing.length === 0) return { identity, values };
  const revision = type.revision === undefined ? undefined : values[type.revision];
  if (revision === undefined || revision !== olds[type.revision ?? '']) return undefined;
  const kept = missing.flatMap(({ name }) => (olds[name] === undefined ? [] : [[name, olds[name]] as const]));
  return { identity, values: { ...Object.fromEntries(kept), ...values } };
}

/** Does it differ, in a field that programs may declare, from what the engine knows? True for what it knows nothing of. */
function differs(type: ResourceType, object: RemoteObject, olds: JsonObject): boolean {
  const { values } = object;
  const shown = outputsOf(type, object, {});
  return Object.values(type.fields).some((rule) => {
    if (!rule.input || rule.writeOnly || !(rule.name in values)) return false;
    return !sameValue(rule, shown[rule.name], olds[rule.name]);
  });
}

function isLeftOut({ inList, writeOnly, name }: FieldRule, values: JsonObject): boolean {
  return !inList && !writeOnly && !(name in values);
}
