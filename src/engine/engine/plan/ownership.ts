import { type Address, compareText } from '@platform-sync/core/model/address';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { Identity, RecordedResource, StackKey } from '@platform-sync/core/model/state';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import { markField, markIn, markParts, stackOf } from '@platform-sync/core/model/ownership-mark';
import type { JsonObject } from '@platform-sync/core/model/value';
import type { Matching } from './matching.js';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** An object that another stack manages. */
export interface ForeignOwner {
  readonly project: string;
  readonly stack: string;
  readonly address: Address;
  /** It is still to delete the object. */
  readonly ends?: true;
}

interface Owned {
  readonly type: string;
  readonly identity: Identity;
  readonly address: Address;
}

/** The one table of a plan that says who owns which object. */
export class Ownership {
  /** The first by id alone, which is a text that is there already: most have an id of their own. */
  readonly #owners = new Map<string, Owned>();
  /** By `identityKey`: those whose id another object has, too. */
  readonly #others = new Map<string, Address>();
  readonly #second = new Map<Address, Address>();

  /**
   * `isKept`: where state has an object twice, addresses of the catalogue come before what comes from another stack, and that before
   * those that left the catalogue.
   */
  constructor(records: Iterable<RecordedResource>, isKept: (address: Address) => boolean) {
    const rank = (address: Address): number => (isKept(address) ? 0 : address.includes(':') ? 1 : 2);
    const ordered = [...records].sort((a, b) => rank(a.address) - rank(b.address) || compareText(a.address, b.address));
    for (const record of ordered) {
      const first = this.#owner(record);
      if (first === undefined) this.#add(record);
      else this.#second.set(record.address, first);
    }
    for (const { type, address, deposed } of ordered)
      for (const { identity } of deposed) this.claim(type, identity, address);
  }

  /** The address in state whose object it is. */
  ownerOf(type: string, identity: Identity): Address | undefined {
    return this.#owner({ type, identity });
  }

  /** For a record about an object that another record is about, too: the address of that one. */
  ownedBefore(address: Address): Address | undefined {
    return this.#second.get(address);
  }

  /** Makes an address the owner of an object that had none; else who owns it. */
  claim(type: string, identity: Identity, address: Address): Address {
    const owner = this.#owner({ type, identity });
    if (owner === undefined) this.#add({ type, identity, address });
    return owner ?? address;
  }

  #owner(asked: Omit<Owned, 'address'>): Address | undefined {
    const first = this.#owners.get(asked.identity.id);
    if (first === undefined) return undefined;
    const key = keyOf(asked);
    return keyOf(first) === key ? first.address : this.#others.get(key);
  }

  #add(owned: Owned): void {
    const { id } = owned.identity;
    if (this.#owners.has(id)) this.#others.set(keyOf(owned), owned.address);
    else this.#owners.set(id, owned);
  }
}

function keyOf({ type, identity }: Omit<Owned, 'address'>): string {
  return identityKey(type, identity);
}

/** What the marks of objects say that state does not know. */
export class Marks {
  readonly #stack: string;
  readonly #handedOver: ReadonlySet<string>;
  readonly #seekers = new Map<string, Address>();

  /** `handedOver`: stacks of another program whose objects this one takes over. */
  constructor(
    owner: StackKey,
    desired: Iterable<DesiredResource>,
    matching: Pick<Matching, 'of'>,
    handedOver: ReadonlySet<string> = new Set(),
  ) {
    this.#stack = stackOf(owner);
    this.#handedOver = handedOver;
    for (const { address, properties } of desired) {
      const expression = properties.get(markField);
      if (expression?.kind !== 'literal' || matching.of(address) !== undefined) continue;
      this.#seekers.set(String(expression.value), address);
    }
  }

  /** The stack and address of another stack whose mark an object bears. */
  elsewhere(values: JsonObject): { readonly stack: string; readonly address: string } | undefined {
    const mark = markIn(values[markField]);
    if (mark === undefined) return undefined;
    const parts = markParts(mark);
    return parts.stack === '' || parts.stack === this.#stack || this.#handedOver.has(parts.stack) ? undefined : parts;
  }

  /** The resource without a record whose mark an object bears: that one's it is, whoever has its key now. */
  meantFor(values: JsonObject): Address | undefined {
    return this.#seekers.get(markIn(values[markField]) ?? '');
  }
}

/** The fields that name what an object lives in. */
export function placeFields({ collection, parent }: ResourceType): readonly string[] {
  return parent === undefined ? collection.scope : [...new Set([...collection.scope, parent.field])];
}

/** The ids that select an object's place on the platform, out of its declared fields. */
export function scopeOf(type: ResourceType, inputs: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    placeFields(type).flatMap((name) => (typeof inputs[name] === 'string' ? [[name, inputs[name]]] : [])),
  );
}

/** The address in whose object the collection with this scope lies; undefined for a top-level collection. */
export function collectionOwner(
  type: ResourceType,
  scope: Readonly<Record<string, string>>,
  ownership: Ownership,
): Address | undefined {
  const above = type.collection.scope.length === 0 ? undefined : parentIdentity(type, { scope });
  return above === undefined ? undefined : ownership.ownerOf(type.parent?.type ?? '', above);
}
