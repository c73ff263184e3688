import type { EventListener } from '@platform-sync/core/model/event';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import type { Unmanaged } from '@platform-sync/core/model/plan';
import type { KnownPages, ListedPage, Listing, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import { listsThatMustLack, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import { inParallel } from '../reads/in-parallel.js';
import { isEnough } from '../reads/look.js';
import type { BlockNumber } from './blocks.js';
import { asListed, type KnownList, type KnownPage, nowhere, stranger } from './lists.js';

/** The values of an object that nobody has decoded: they are as they were. */
const undecoded: JsonObject = Object.freeze({});

interface SweepContext {
  readonly typeOf: (token: string) => ResourceType | undefined;
  readonly providerOf: (token: string) => Provider | undefined;
  readonly width: number;
  /** Blocks of which a record was written since: what pages said of it proves nothing any more. */
  readonly moved: ReadonlySet<BlockNumber> | 'none';
  /** So many blocks are not as they were that all is read anew. */
  readonly limit: number;
  readonly onEvent: EventListener | undefined;
}

interface Told {
  readonly list: KnownList;
  readonly answers: PageAnswers;
  readonly listing: Promise<Listing>;
}

/** Who a part asks for what is not in these lists, and who still has their answers: what nobody manages is decoded when a part needs it. */
interface Sources {
  readonly provider: Provider;
  readonly again: () => Promise<Provider>;
  /** Records of the part, by `identityKey`. */
  readonly records: () => Promise<ReadonlyMap<string, RecordedResource>>;
}

/** Lists that were asked for once more: what they are made of now, and which blocks that is about. */
export class Sweep {
  /** Blocks of which a page said something else, or nothing any more. */
  readonly changed = new Set<BlockNumber>();
  /** Those that no part has asked for, by `collectionKey`. */
  readonly #told = new Map<string, Told>();
  readonly #together = {};

  /** Asks for lists; undefined where too much is not as it was. */
  static async over(lists: readonly KnownList[], context: SweepContext): Promise<Sweep | undefined> {
    const sweep = new Sweep();
    const { width, limit, onEvent } = context;
    let done = 0;
    await inParallel(lists, width, async (list) => {
      if (sweep.changed.size <= limit) await sweep.#ask(list, context);
      onEvent?.({ type: 'read', done: (done += 1), total: lists.length });
    });
    return sweep.changed.size > limit ? undefined : sweep;
  }

  async #ask(list: KnownList, { typeOf, providerOf, moved }: SweepContext): Promise<void> {
    const [type, provider] = [typeOf(list.type), providerOf(list.type)];
    if (type === undefined || provider === undefined) throw new Error(`there is nobody to ask for ${list.type}`);
    const { scope } = list;
    const answers = new PageAnswers(list, moved);
    // As far as a run reads that knows nothing.
    const wanted = (): ReadonlySet<string> | 'everything' =>
      listsThatMustLack(type.absence) === 2
        ? 'everything'
        : new Set(answers.managed().map((id) => identityKey(type.token, { id, scope })));
    const listing = provider.list(type, scope, {
      together: this.#together,
      pages: answers,
      isEnough: (start) => isEnough({ type, scope, of: wanted() }, start),
    });
    this.#told.set(collectionKey(type, scope), { list, answers, listing });
    // What went wrong is told to whoever asks for the list.
    const isWhole = await listing.then(
      ({ isComplete }) => isComplete,
      () => false,
    );
    for (const block of answers.changed(isWhole)) this.changed.add(block);
  }

  /** What nobody manages in lists that no part has asked for; undefined where one of those is another now. */
  unmanaged(): readonly Unmanaged[] | undefined {
    const left = [...this.#told.values()];
    if (left.some(({ answers }) => !answers.isSame)) return undefined;
    return left.flatMap(({ list }) => list.unmanaged ?? []);
  }

  /** The provider as a part sees it, whose objects alone are there beside what nobody manages. */
  ofPart({ provider, again, records }: Sources): Provider {
    return {
      ...provider,
      list: async (type, scope, options = {}) => {
        const key = collectionKey(type, scope);
        const told = options.having === undefined ? this.#told.get(key) : undefined;
        if (told === undefined) return provider.list(type, scope, options);
        this.#told.delete(key);
        const { answers } = told;
        const listing = await told.listing;
        const isUnknown = ({ identity, values }: RemoteObject): boolean =>
          values === undecoded && answers.isStranger(identity.id);
        const isNeeded = listing.objects.some(isUnknown);
        return ofPart(type, answers, isNeeded ? await (await again()).list(type, scope) : listing, await records());
      },
      ahead: async (type, scope, options) => {
        if (!this.#told.has(collectionKey(type, scope))) await provider.ahead?.(type, scope, options);
      },
      // It is whose it was.
      close: () => Promise.resolve(),
    };
  }
}

/** Without what is managed elsewhere in the project. */
function ofPart(
  type: ResourceType,
  answers: PageAnswers,
  { rest: _rest, ...told }: Listing,
  records: ReadonlyMap<string, RecordedResource>,
): Listing {
  const objects = told.objects.flatMap((object): readonly RemoteObject[] => {
    const record = records.get(identityKey(type.token, object.identity));
    if (record === undefined) return answers.isManaged(object.identity.id) ? [] : [object];
    return [object.values === undecoded ? asListed(type, record) : object];
  });
  return { ...told, objects, total: told.isComplete ? objects.length : told.total };
}

/** Which pages of a list are as they were, and what the others were about. */
class PageAnswers implements KnownPages {
  readonly #list: KnownList;
  readonly #pages: ReadonlyMap<string, KnownPage>;
  readonly #same = new Set<KnownPage>();
  readonly #others: ListedPage[] = [];
  #blocks: ReadonlyMap<string, BlockNumber> | undefined;

  constructor(list: KnownList, moved: SweepContext['moved']) {
    const isMoved = (block: BlockNumber): boolean => moved !== 'none' && (block === nowhere || moved.has(block));
    const lasting = list.pages.filter(({ blocks, along }) => !blocks.some(isMoved) && !along.some(isMoved));
    this.#list = list;
    this.#pages = new Map(lasting.map((page) => [page.digest, page]));
  }

  readonly known = (digest: string): ListedPage | undefined => {
    const page = this.#pages.get(digest);
    if (page === undefined) return undefined;
    this.#same.add(page);
    const { scope } = this.#list;
    const items = page.ids.map((id) => ({ identity: { id, scope }, values: undecoded }));
    return { items, ...defined({ total: page.total, next: page.next }) };
  };

  readonly decoded = (_digest: string, page: ListedPage): void => void this.#others.push(page);

  /** Nothing else was said than before. */
  get isSame(): boolean {
    return this.#others.length === 0 && this.#same.size === this.#list.pages.length;
  }

  get #blockOf(): ReadonlyMap<string, BlockNumber> {
    return (this.#blocks ??= new Map(
      this.#list.pages.flatMap(({ ids, blocks }) =>
        ids.map((id, at) => [id, blocks[at] ?? blocks[0] ?? stranger] as const),
      ),
    ));
  }

  managed(): readonly string[] {
    return [...this.#blockOf].flatMap(([id, block]) => (block === stranger ? [] : [id]));
  }

  isManaged(id: string): boolean {
    return (this.#blockOf.get(id) ?? stranger) !== stranger;
  }

  isStranger(id: string): boolean {
    return this.#blockOf.get(id) === stranger;
  }

  /** Blocks of pages that are not as they were, and of what others show now. */
  changed(isWhole: boolean): readonly BlockNumber[] {
    if (isWhole && this.isSame) return [];
    const others = this.#list.pages.filter((page) => !isWhole || !this.#same.has(page));
    const shown = this.#others.flatMap(({ items }) =>
      items.flatMap((item) => ('identity' in item ? (this.#blockOf.get(item.identity.id) ?? []) : [])),
    );
    const were = others.flatMap(({ blocks, along }) => [...blocks, ...along]);
    return [...were, ...shown].filter((block) => block >= 0);
  }
}

/** True for a list that holds more than what is read anew in any case. */
export function isBeside({ pages }: KnownList, numbers: ReadonlySet<BlockNumber>): boolean {
  return pages.some(({ blocks, along }) => [...blocks, ...along].some((block) => block >= 0 && !numbers.has(block)));
}
