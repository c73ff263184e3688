import type { Address } from '@platform-sync/core/model/address';
import { sameJson } from '@platform-sync/core/model/canonical';
import type { Plan, Unmanaged } from '@platform-sync/core/model/plan';
import { collectionKey, identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import type { Listing, ListedPage, ListOptions, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import { fieldsWhere, mayHoldSecret, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity, RecordedResource, StackState } from '@platform-sync/core/model/state';
import { defined } from '@platform-sync/core/model/value';
import { byCollection, selecting } from '../reads/collection.js';
import type { BlockNumber } from './blocks.js';
import type { TypeOf } from './ties.js';

/** A list as it was read to its end. */
export interface KnownList {
  readonly type: string;
  readonly scope: Identity['scope'];
  /** Those that show what was recorded as it was recorded, and what nobody manages. */
  readonly pages: readonly KnownPage[];
  /** What the plan said of what nobody manages in it. */
  readonly unmanaged?: Unmanaged;
}

export interface KnownPage extends Omit<ListedPage, 'items'> {
  /** Of its bytes. */
  readonly digest: string;
  readonly ids: readonly string[];
  /** Blocks of what it shows, object by object; a single one where all are of one. `nowhere` for what the catalogue lacks, `stranger`. */
  readonly blocks: readonly BlockNumber[];
  /** Likewise of what is not listed because this page tells of it. */
  readonly along: readonly BlockNumber[];
}

export interface KnownLists {
  readonly lists: readonly KnownList[];
  /** Blocks of which no page is enough: they are read anew, come what may. */
  readonly unseen: readonly BlockNumber[];
}

export const nowhere: BlockNumber = -1;
export const stranger: BlockNumber = -2;

interface HeardList {
  readonly type: ResourceType;
  readonly scope: Identity['scope'];
  readonly pages: ReadonlyMap<string, ListedPage>;
  readonly isWhole: boolean;
}

/** What a run hears that reads everything. */
export class Heard {
  /** By `collectionKey`; one that was read twice is not there. */
  readonly #lists = new Map<string, HeardList | 'twice'>();
  /** Objects that were asked for by themselves, by `identityKey`: their list did not say enough. */
  readonly #alone = new Set<string>();

  listening(provider: Provider): Provider {
    return {
      ...provider,
      list: (type, scope, options = {}) => this.#list(provider, type, scope, options),
      read: (...call) => {
        const [{ token }, identity] = call;
        this.#alone.add(identityKey(token, identity));
        return provider.read(...call);
      },
    };
  }

  async #list(
    provider: Provider,
    type: ResourceType,
    scope: Identity['scope'],
    options: ListOptions,
  ): Promise<Listing> {
    const key = collectionKey(type, scope);
    const isFirst = !this.#lists.has(key);
    this.#lists.set(key, 'twice');
    const pages = new Map<string, ListedPage>();
    const decoded = (digest: string, page: ListedPage): void => void pages.set(digest, page);
    const listing = await provider.list(type, scope, { ...options, pages: { known: () => undefined, decoded } });
    const isWhole = options.having === undefined && isAllOf(listing, pages);
    if (isFirst) this.#lists.set(key, { type, scope: selecting(type, scope), pages, isWhole });
    return listing;
  }

  /** What of it later runs may take for what they hear again; undefined where the plan tells of what none of it says. */
  known(
    { records, unmanaged }: { readonly records: StackState['resources']; readonly unmanaged: Plan['unmanaged'] },
    typeOf: TypeOf,
    blockOf: (address: Address) => BlockNumber | undefined,
  ): KnownLists | undefined {
    const places = byPlaces(records.values(), typeOf);
    const recordIn = (place: string, { id, scope }: Identity): RecordedResource | undefined => {
      const found = places.get(place)?.get(id);
      return found && isSameScope(found.identity.scope, scope) ? found : undefined;
    };
    const recordOf = (token: string, identity: Identity): RecordedResource | undefined => {
      const type = typeOf(token);
      return type && recordIn(collectionKey(type, identity.scope), identity);
    };
    // What is of no record, by `identityKey`.
    const seen = new Map<RecordedResource | string, { readonly along: BlockNumber[] }>();
    const lists: KnownList[] = [];
    const told = new Map(unmanaged.map((each) => [`${each.type} ${each.under ?? ''}`, each]));
    for (const [place, list] of this.#lists) {
      if (list === 'twice' || !list.isWhole || isSecret(list.type)) continue;
      const { type, scope } = list;
      const pages = [...list.pages].flatMap(([digest, { items, ...facts }]) => {
        const [whose, ids, along]: [(RecordedResource | string)[], string[], BlockNumber[]] = [[], [], []];
        const blocks: BlockNumber[] = [];
        // What is of no record's kind, stands elsewhere or was not enough is looked at each time, and its page with it.
        for (const item of items) {
          if (!('identity' in item)) return [];
          const { identity } = item;
          if (!isSameScope(identity.scope, scope) || this.#wasAlone(type, identity)) return [];
          const record = recordIn(place, identity);
          if (record !== undefined && !isAsRecorded(type, item, record)) return [];
          whose.push(record ?? identityKey(type.token, identity));
          ids.push(identity.id);
          blocks.push(record === undefined ? stranger : (blockOf(record.address) ?? nowhere));
        }
        for (const each of whose) seen.set(each, { along });
        return [{ ...facts, digest, ids, along, blocks: new Set(blocks).size === 1 ? blocks.slice(0, 1) : blocks }];
      });
      const above = told.size === 0 ? undefined : parentIdentity(type, list);
      const under = above && recordOf(type.parent?.type ?? '', above)?.address;
      const where = `${type.token} ${under ?? ''}`;
      lists.push({ type: type.token, scope, pages, ...defined({ unmanaged: told.get(where) }) });
      told.delete(where);
    }
    if (told.size > 0) return undefined;
    const unseen = new Set<BlockNumber>();
    for (const record of records.values()) {
      if (seen.has(record)) continue;
      const block = blockOf(record.address);
      if (block === undefined) continue;
      const above = this.#shownIn(record, typeOf(record.type));
      const page = above && seen.get(recordOf(above.type, above) ?? identityKey(above.type, above));
      if (page === undefined) unseen.add(block);
      else if (!page.along.includes(block)) page.along.push(block);
    }
    return { lists, unseen: [...unseen] };
  }

  #wasAlone({ token }: ResourceType, identity: Identity): boolean {
    return this.#alone.size > 0 && this.#alone.has(identityKey(token, identity));
  }

  /** The object that this one lives in, where a list of such shows it, too, and that was enough. */
  #shownIn(
    { identity }: RecordedResource,
    type: ResourceType | undefined,
  ): (Identity & { readonly type: string }) | undefined {
    if (type?.collection.shownIn === undefined || type.parent === undefined || this.#wasAlone(type, identity))
      return undefined;
    const above = parentIdentity(type, identity);
    if (above === undefined || this.#lists.has(collectionKey(type, identity.scope))) return undefined;
    return { ...above, type: type.parent.type };
  }
}

/** Records by `collectionKey` and by id: one text for all that a list shows. */
function byPlaces(
  records: Iterable<RecordedResource>,
  typeOf: TypeOf,
): ReadonlyMap<string, ReadonlyMap<string, RecordedResource>> {
  const typed = [...records].flatMap((record) => {
    const type = typeOf(record.type);
    return type === undefined ? [] : [{ type, record }];
  });
  const collections = byCollection(typed, ({ type, record }) => ({ type, scope: record.identity.scope }));
  return new Map(
    collections.map(({ key, members }) => [key, new Map(members.map(({ record }) => [record.identity.id, record]))]),
  );
}

function isSameScope(one: Identity['scope'], other: Identity['scope']): boolean {
  const fields = Object.keys(one);
  return (
    one === other || (fields.length === Object.keys(other).length && fields.every((each) => one[each] === other[each]))
  );
}

/** The pages show what the list has, each object once: none is of an earlier attempt to read it. */
function isAllOf({ objects, isComplete }: Listing, pages: ReadonlyMap<string, ListedPage>): boolean {
  const [only, ...others] = [...pages.values()];
  // Most lists.
  const isOne = others.length === 0 && only?.items.length === objects.length;
  if (isOne && only.items.every((item, at) => item === objects[at])) return isComplete;
  const all = new Set<unknown>(objects);
  const items = [...pages.values()].flatMap((page) => page.items);
  return isComplete && items.length === all.size && items.every((item) => all.has(item));
}

const listedFields = fieldsWhere(({ inList }) => inList);

function isSecret(type: ResourceType): boolean {
  return listedFields(type).some(mayHoldSecret);
}

function isAsRecorded(type: ResourceType, { identity, values }: RemoteObject, { outputs }: RecordedResource): boolean {
  return listedFields(type).every(
    ({ name }) =>
      name in identity.scope || (name in values === name in outputs && sameJson(values[name], outputs[name])),
  );
}

/** The object as such a page showed it. */
export function asListed(type: ResourceType, { identity, outputs }: RecordedResource): RemoteObject {
  const shown = listedFields(type).filter(({ name }) => name in outputs);
  return { identity, values: Object.fromEntries(shown.map(({ name }) => [name, outputs[name] ?? null])) };
}
