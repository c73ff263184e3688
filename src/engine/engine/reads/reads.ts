import { canonicalJson } from '@platform-sync/core/model/canonical';
import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { collectionKey, identityKey } from '@platform-sync/core/model/identity';
import type { Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import type { World } from '@platform-sync/core/model/world';
import { type Place, selecting } from './collection.js';
import { atMost } from './in-parallel.js';
import { isEnough, look, type Look, type Need } from './look.js';

export interface ReadsContext {
  readonly providerOf: (type: ResourceType) => Promise<Provider>;
  /** Requests that the provider sends at a time; somewhat more are begun. */
  readonly concurrency: number;
  /** What lists were asked for ahead with, and what they may share answers with; see `Provider.ahead`. Left out: they share none. */
  readonly together?: object | undefined;
  /** Something may be written between any two calls: who asks in one turn shares an answer, and nobody else. */
  readonly isFresh?: boolean;
  /** Other runs read the same lists: each is read to its end once, for all of them. */
  readonly isShared?: boolean;
  /** Aborted: what is under way ends. */
  readonly signal?: AbortSignal | undefined;
  readonly turn: World['turn'];
}

/**
 * What one run reads before it writes. Each list and each object is asked for once, whoever needs it, and whoever needs it hears
 * what went wrong. All calls reject with ProviderError.
 */
export class Reads {
  readonly providerOf: ReadsContext['providerOf'];
  readonly signal: ReadsContext['signal'];
  /** What will be asked of lists, as far as that is known before. */
  readonly expected = new Expected();
  readonly #together: object | undefined;
  readonly #begin: <R>(work: () => Promise<R>) => Promise<R>;
  readonly #lists = new Map<string, Promise<Look>>();
  readonly #objects = new Map<string, Promise<RemoteObject | undefined>>();
  /** Of these, those that an answer has shown. */
  readonly #shown = new Set<string>();
  /** What lists showed that were read for a second answer, by `collectionKey`: it came later than what is kept. */
  readonly #shownLater = new Map<string, RemoteObject[]>();
  readonly #secondAnswers = new Map<string, Promise<RemoteObject | undefined>>();
  /** Those who ask for objects of a list in the same turn, by `collectionKey`. */
  readonly #asking = new Map<string, Asking>();
  readonly #isFresh: boolean;
  readonly #isShared: boolean;
  readonly #turn: World['turn'];
  #kept: ReadonlySet<string> | 'all' = 'all';

  constructor({ providerOf, concurrency, together, isFresh = false, isShared = false, signal, turn }: ReadsContext) {
    this.providerOf = providerOf;
    this.signal = signal;
    this.#together = together;
    this.#begin = atMost(concurrency * 2);
    this.#isFresh = isFresh;
    this.#isShared = isShared;
    this.#turn = turn;
  }

  /** Nothing but these types (tokens) will be asked for a second time: of others, at most the beginnings of lists are kept. */
  keepOnly(types: ReadonlySet<string>): void {
    this.#kept = types;
  }

  /** A collection, as far as the need goes, or further where others need it. */
  look(need: Need): Promise<Look> {
    const key = collectionKey(need.type, need.scope);
    const before = this.#lists.get(key);
    const expected = this.expected.with(key, need);
    // What lives in an object is its stack's alone.
    const isForAll = this.#isShared && Object.keys(need.scope).length === 0;
    const whole = isForAll ? { ...expected, of: 'everything' as const } : expected;
    const told = before === undefined ? this.#list(whole) : before.then((known) => this.#further(known, whole));
    return this.#remember(this.#lists, key, need.type, told, ({ morePages }) => morePages > 0);
  }

  get #options(): { readonly signal?: AbortSignal } {
    return defined({ signal: this.signal });
  }

  /** The collection by another list, for a second answer. */
  async lookAgain(need: Need): Promise<Look> {
    const told = await this.#begin(() => look(this.providerOf(need.type), need, this.#options));
    this.#later(need).onListed(told.objects);
    return told;
  }

  /** What only lists showed that were read since for a second answer. */
  shownLater({ type, scope }: Place): readonly RemoteObject[] {
    return this.#shownLater.get(collectionKey(type, scope)) ?? [];
  }

  /** What is kept of the collection: its list, and the one that was narrowed to what has these values. */
  async listsOf(type: ResourceType, scope: Identity['scope'], values: JsonObject): Promise<readonly Look[]> {
    const key = collectionKey(type, scope);
    const kept = [key, narrowKey(key, narrowing(type, values))].flatMap((each) => this.#lists.get(each) ?? []);
    const told = await Promise.allSettled(kept);
    return told.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  }

  #later({ type, scope }: Place): { readonly onListed: (objects: readonly RemoteObject[]) => void } {
    const key = collectionKey(type, scope);
    return {
      onListed: (objects) => void this.#shownLater.set(key, [...(this.#shownLater.get(key) ?? []), ...objects]),
    };
  }

  /** Somebody will ask for the objects of a collection that have these values. */
  expectHaving(type: ResourceType, scope: Identity['scope'], values: JsonObject): void {
    const wanted = narrowing(type, values);
    this.expected.filter(collectionKey(type, scope), canonicalJson(wanted), wanted);
  }

  /** Objects of a collection, at least all that have these values. */
  async having(type: ResourceType, scope: Identity['scope'], values: JsonObject): Promise<readonly RemoteObject[]> {
    const key = collectionKey(type, scope);
    const wanted = narrowing(type, values);
    let asking = this.#asking.get(key);
    if (asking === undefined) {
      const filters = new Map<string, JsonObject>();
      const place = { type, scope: selecting(type, scope) };
      const told = this.#turn().then(() => {
        this.#asking.delete(key);
        return this.#listFor(key, place, filters);
      });
      this.#asking.set(key, (asking = { filters, told }));
    }
    asking.filters.set(canonicalJson(wanted), wanted);
    return (await (await asking.told)(wanted)).objects;
  }

  /** All objects with the natural key of these inputs. */
  async find(type: ResourceType, scope: Identity['scope'], inputs: JsonObject): Promise<readonly RemoteObject[]> {
    const provider = await this.providerOf(type);
    const through = {
      list: (place: Identity['scope'], values: JsonObject) => this.having(type, place, values),
      read: (identity: Identity) => this.read(type, identity),
    };
    return provider.find(type, scope, inputs, { through, ...this.#options });
  }

  /** The same by a list that is read anew, for a second answer. */
  findAgain(type: ResourceType, scope: Identity['scope'], inputs: JsonObject): Promise<readonly RemoteObject[]> {
    return this.#begin(async () =>
      (await this.providerOf(type)).find(type, scope, inputs, {
        ...this.#later({ type, scope }),
        ...this.#options,
      }),
    );
  }

  /** One object; undefined when it is proven not to exist. */
  read(type: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
    const key = identityKey(type.token, identity);
    const told = this.#objects.get(key) ?? this.#object(type, identity);
    told.then(
      (object) => object && this.#shown.add(key),
      () => undefined,
    );
    return this.#remember(this.#objects, key, type, told);
  }

  /** It was read by itself, and is known yet. */
  hasShown(type: ResourceType, identity: Identity): boolean {
    const key = identityKey(type.token, identity);
    return this.#shown.has(key) && this.#objects.has(key);
  }

  /** The object by another call, for a second answer: the same for all who want one. */
  readAgain(type: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
    const key = identityKey(type.token, identity);
    const told = this.#secondAnswers.get(key) ?? this.#object(type, identity);
    return this.#remember(this.#secondAnswers, key, type, told);
  }

  /** A second answer was asked for, so another one costs nothing. */
  hasSecondAnswer(type: ResourceType, identity: Identity): boolean {
    return this.#secondAnswers.has(identityKey(type.token, identity));
  }

  #object(type: ResourceType, identity: Identity): Promise<RemoteObject | undefined> {
    return this.#begin(async () =>
      (await this.providerOf(type)).read(type, identity, {
        ...this.#later({ type, scope: identity.scope }),
        ...this.#options,
      }),
    );
  }

  /** Keeps what was asked for until it is told, and longer where somebody may ask again: for these types, or for the rest of it. */
  #remember<T>(
    known: Map<string, Promise<T>>,
    key: string,
    { token }: ResourceType,
    told: Promise<T>,
    hasRest: (value: T) => boolean = () => false,
  ): Promise<T> {
    if (this.#isFresh) return told;
    known.set(key, told);
    const forget = (value: T): void => {
      if (!hasRest(value) && known.get(key) === told) known.delete(key);
    };
    if (this.#kept !== 'all' && !this.#kept.has(token)) told.then(forget, () => undefined);
    return told;
  }

  #list(need: Need): Promise<Look> {
    const options = defined({ together: this.#together, signal: this.signal });
    return this.#begin(() => look(this.providerOf(need.type), need, options));
  }

  async #further(known: Look, need: Need): Promise<Look> {
    const { rest } = known;
    if (known.morePages === 0 || isEnough(need, known)) return known;
    if (rest === undefined) return this.#list({ ...need, of: 'everything' });
    return { ...(await this.#begin(rest)), morePages: 0 };
  }

  /** One list for all who ask, where that is fewer calls than one for each of the filters. */
  async #listFor(
    key: string,
    place: Place,
    filters: ReadonlyMap<string, JsonObject>,
  ): Promise<(filter: JsonObject) => Promise<Look>> {
    const all = this.expected.narrowed(key, filters);
    const isWhole = all.has('{}');
    const isLone = all.size === 1 && !this.#lists.has(key) && !this.expected.isRead(key);
    const told = isLone && !isWhole ? undefined : await this.look({ ...place, of: isWhole ? 'everything' : all.size });
    if (told?.morePages === 0) return () => Promise.resolve(told);
    return (filter) => this.#narrow(key, place, filter);
  }

  #narrow(key: string, { type, scope }: Place, having: JsonObject): Promise<Look> {
    const narrow = narrowKey(key, having);
    const told =
      this.#lists.get(narrow) ??
      this.#begin(async () => {
        const listing = await (
          await this.providerOf(type)
        ).list(type, scope, {
          having,
          ...this.#options,
        });
        return { ...listing, morePages: 0 };
      });
    return this.#remember(this.#lists, narrow, type, told);
  }
}

function narrowKey(key: string, having: JsonObject): string {
  return `${key} ${canonicalJson(having)}`;
}

interface Asking {
  readonly filters: Map<string, JsonObject>;
  readonly told: Promise<(filter: JsonObject) => Promise<Look>>;
}

/** Of the values, those by which the service leaves others out. */
function narrowing({ collection: { narrowedBy = [] } }: ResourceType, values: JsonObject): JsonObject {
  const having = narrowedBy.flatMap((field): readonly (readonly [string, Json])[] => {
    const value = values[field];
    return typeof value === 'string' && value !== '' ? [[field, value]] : [];
  });
  return Object.fromEntries(having);
}

interface Wanted {
  /** Objects that a refresh looks for, by `identityKey`; undefined: it does not look there. */
  objects?: ReadonlySet<string> | undefined;
  isRead: boolean;
  /** What lookups and searches for keys narrow the list by, by its text; `{}`: by nothing. */
  readonly filters: Map<string, JsonObject>;
}

/** What will be asked of each list, by `collectionKey`, as far as that is known before somebody asks. */
class Expected {
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
