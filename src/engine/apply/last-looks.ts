import { collectionKey, identityKey } from '../model/identity.js';
import { ProviderError } from '../model/provider.js';
import type { RemoteObject } from '../model/provider.js';
import type { ResourceType } from '../model/resource-type.js';
import type { Identity } from '../model/state.js';
import { callOptions } from './context.js';
import type { ApplyContext } from './context.js';

/** How long a look counts, beyond ten times what it took. */
const freshMs = 10_000;

interface Look {
  readonly objects: Promise<ReadonlyMap<string, RemoteObject>>;
  /** When it is too old, on the clock that only runs forward. */
  until: number;
}

/** Last looks at what is to be deleted: those at objects of one collection share a list that is a moment old. */
export class LastLooks {
  readonly #context: ApplyContext;
  /** Objects to be deleted by a call of their own, by `collectionKey`. */
  readonly #wanted = new Map<string, Set<string>>();
  readonly #looks = new Map<string, Look>();

  constructor(context: ApplyContext) {
    this.#context = context;
    for (const { kind, address } of context.operations) {
      const proposal = context.proposals.get(address);
      if (kind !== 'delete' || proposal?.actual === undefined || proposal.recorded === undefined) continue;
      const type = context.typeOf(proposal.recorded.type);
      const key = collectionKey(type, proposal.actual.identity.scope);
      const wanted = this.#wanted.get(key) ?? new Set();
      this.#wanted.set(key, wanted.add(identityKey(type.token, proposal.actual.identity)));
    }
  }

  /** The object as a list shows it that others need, too; undefined where it must be read. */
  async at(type: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
    const key = collectionKey(type, identity.scope);
    const own = identityKey(type.token, identity);
    const wanted = this.#wanted.get(key);
    const canBeShared = type.collection.listed !== false && type.revision !== undefined;
    const isShared = canBeShared && (this.#isFresh(key) || (wanted?.size ?? 0) > 1);
    try {
      return isShared ? (await this.#look(key, type, identity.scope, wanted)).get(own) : undefined;
    } catch (error) {
      // What can't be listed may be read all the same.
      if (!(error instanceof ProviderError)) throw error;
      return undefined;
    } finally {
      wanted?.delete(own);
    }
  }

  /** Everything in a collection now, by `identityKey`. Rejects with ProviderError. */
  all(type: ResourceType, scope: Identity['scope']): Promise<ReadonlyMap<string, RemoteObject>> {
    return this.#look(`all ${collectionKey(type, scope)}`, type, scope, undefined);
  }

  /** `wanted`: it is enough to see these, as far as that takes fewer calls than asking for each. */
  async #look(
    key: string,
    type: ResourceType,
    scope: Identity['scope'],
    wanted: ReadonlySet<string> | undefined,
  ): Promise<ReadonlyMap<string, RemoteObject>> {
    const before = this.#looks.get(key);
    if (before !== undefined && this.#isFresh(key)) return before.objects;
    const look: Look = { objects: this.#list(type, scope, wanted), until: Infinity };
    this.#looks.set(key, look);
    const start = performance.now();
    try {
      const objects = await look.objects;
      look.until = performance.now() + 10 * (performance.now() - start) + freshMs;
      return objects;
    } catch (error) {
      this.#looks.delete(key);
      throw error;
    }
  }

  #isFresh(key: string): boolean {
    return performance.now() < (this.#looks.get(key)?.until ?? 0);
  }

  async #list(
    type: ResourceType,
    scope: Identity['scope'],
    wanted: ReadonlySet<string> | undefined,
  ): Promise<ReadonlyMap<string, RemoteObject>> {
    const keyOf = ({ identity }: RemoteObject): string => identityKey(type.token, identity);
    const provider = await this.#context.providerOf(type);
    const selected = Object.fromEntries(type.collection.scope.map((field) => [field, scope[field] ?? '']));
    const { objects } = await provider.list(type, selected, {
      ...callOptions(this.#context),
      isEnough: ({ objects: seen, morePages }) =>
        wanted !== undefined && wanted.size - seen.filter((object) => wanted.has(keyOf(object))).length < morePages,
    });
    return new Map(objects.map((object) => [keyOf(object), object]));
  }
}
