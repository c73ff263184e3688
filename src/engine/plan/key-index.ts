import { addTo } from '../model/graph.js';
import type { Address } from '../model/address.js';
import { collectionKey } from '../model/identity.js';
import { markField, markIn } from '../model/ownership-mark.js';
import type { RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Identity } from '../model/state.js';
import { resourceType, type ProposalInput } from './proposal.js';
import { heldKey, markKey, uniqueKeyOf } from './unique-key.js';

type KeyInput = Pick<ProposalInput, 'types' | 'state' | 'snapshot'>;

/** Who has which natural key on the platform, as far as it was looked at. */
export class KeyIndex {
  readonly #input: KeyInput;
  #records: ReadonlyMap<string, Address> | undefined;
  readonly #strangers = new Map<string, RemoteObject[]>();
  readonly #whole = new Set<string>();

  constructor(input: KeyInput) {
    this.#input = input;
    for (const { type: token, scope, morePages, objects } of input.snapshot.listed) {
      const type = resourceType(input, token);
      if (morePages === 0) this.#whole.add(collectionKey(type, scope));
      for (const object of objects) {
        const mark = markIn(object.values[markField]);
        const keys = [
          heldKey(type, object.identity.scope, object.values),
          mark === undefined ? undefined : markKey(type, mark),
        ];
        for (const key of keys) if (key !== undefined) addTo(this.#strangers, key, object);
      }
    }
  }

  /** The address in state whose object has one of the keys now. */
  recorded(keys: readonly string[]): Address | undefined {
    // Made for the first who asks: where everything has its record, nobody does.
    const records = (this.#records ??= recordedKeys(this.#input));
    return keys.map((key) => records.get(key)).find((address) => address !== undefined);
  }

  /** Listed objects that have the first of the keys that any has, and that state knows nothing of. */
  strangers(keys: readonly string[]): readonly RemoteObject[] {
    return keys.map((key) => this.#strangers.get(key)).find((objects) => objects !== undefined) ?? [];
  }

  /** True when all objects of the collection in which a key is unique were listed. */
  isWhole(type: ResourceType, scope: Identity['scope']): boolean {
    return this.#whole.has(collectionKey(type, scope));
  }
}

function recordedKeys(input: KeyInput): ReadonlyMap<string, Address> {
  const found = new Map<string, Address>();
  for (const record of input.state.resources.values()) {
    const type = resourceType(input, record.type);
    const reading = input.snapshot.readings.get(record.address);
    if (reading?.kind === 'gone' || uniqueKeyOf(type) === undefined) continue;
    // What could not be read is taken to be as recorded.
    const values = reading?.kind === 'found' ? reading.values : record.outputs;
    const key = heldKey(type, record.identity.scope, values);
    if (key !== undefined && !found.has(key)) found.set(key, record.address);
  }
  return found;
}
