import type { Address } from '../model/address.js';
import { compareText } from '../model/address.js';
import { identityKey } from '../model/identity.js';
import type { Identity, RecordedResource } from '../model/state.js';

/** An object that another stack manages. */
export interface ForeignOwner {
  readonly project: string;
  readonly stack: string;
  readonly address: Address;
}

/** The one table of a plan that says who owns which object. */
export class Ownership {
  readonly #owners = new Map<string, Address>();
  readonly #second = new Map<Address, Address>();

  /** `isKept`: addresses of the catalogue come before those that left it, where state has an object twice. */
  constructor(records: Iterable<RecordedResource>, isKept: (address: Address) => boolean) {
    const sorted = [...records].sort((a, b) => compareText(a.address, b.address));
    const ordered = [
      ...sorted.filter(({ address }) => isKept(address)),
      ...sorted.filter(({ address }) => !isKept(address)),
    ];
    for (const record of ordered) {
      const key = identityKey(record.type, record.identity);
      const first = this.#owners.get(key);
      if (first === undefined) this.#owners.set(key, record.address);
      else this.#second.set(record.address, first);
    }
    for (const record of ordered) {
      for (const { identity } of record.deposed) {
        const key = identityKey(record.type, identity);
        if (!this.#owners.has(key)) this.#owners.set(key, record.address);
      }
    }
  }

  /** The address in state whose object it is. */
  ownerOf(type: string, identity: Identity): Address | undefined {
    return this.#owners.get(identityKey(type, identity));
  }

  /** For a record about an object that another record is about, too: the address of that one. */
  ownedBefore(address: Address): Address | undefined {
    return this.#second.get(address);
  }

  /** Makes an address the owner of an object that had none; else who owns it. */
  claim(type: string, identity: Identity, address: Address): Address {
    const key = identityKey(type, identity);
    const owner = this.#owners.get(key) ?? address;
    this.#owners.set(key, owner);
    return owner;
  }
}
