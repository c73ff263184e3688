import type { EventListener } from '@platform-sync/core/model/event';
import { ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { isWholeInLists, type FieldRule, type ResourceType } from '@platform-sync/core/model/resource-type';
import { keyOf, withoutLiving, type FoundObject } from './found-object.js';
import { isUnlisted, type Unread } from './left-out.js';
import { byCollection, placeIn, type Place } from '../reads/collection.js';
import { inParallel } from '../reads/in-parallel.js';
import type { Reads } from '../reads/reads.js';
import { mustBePassing } from '../refresh/list-collection.js';
import type { Selection } from './selection.js';

interface ReadContext {
  readonly selection: Selection;
  readonly reads: Reads;
  readonly concurrency: number;
  readonly onEvent: EventListener;
  /** Hears of an object, or of a list, that can't be read: it is left out, and so is what lives in it. */
  readonly onUnread: (unread: Unread) => void;
}

interface ReadResult {
  /** What lists show of what is wanted, whether it could be read or not. */
  readonly listed: readonly FoundObject[];
  readonly objects: readonly FoundObject[];
}

/**
 * Everything the selection wants, read to the last field. Lists first; objects are read one by one only where lists
 * leave fields out. What can't be read is told and left out. Rejects with ProviderError where nothing could be read.
 */
export async function readObjects(context: ReadContext): Promise<ReadResult> {
  const progress = new ReadProgress(context.onEvent);
  const matching: FoundObject[] = [];
  const dropped = new Set<string>();
  const failures: ProviderError[] = [];
  let isRead = false;
  for (const types of byLevel(context.selection.read)) {
    const places = types.flatMap((type) => placesIn(type, matching));
    progress.expect(places.length);
    const lists = await inParallel(places, context.concurrency * 2, async (place) => {
      const listed = await listOrTold(context, place);
      progress.done();
      return listed;
    });
    const parents = new Set(matching.map(keyOf));
    for (const object of lists.flatMap((list) => (list instanceof ProviderError ? [] : list))) {
      const { type, identity, values } = object;
      const parent = parentIdentity(type, identity);
      if (parent !== undefined && !parents.has(identityKey(type.parent?.type ?? '', parent))) continue;
      if (context.selection.matches(type, identity.id, values)) matching.push(object);
      else dropped.add(keyOf(object));
    }
    failures.push(...lists.filter((list) => list instanceof ProviderError));
    isRead ||= lists.some((list) => !(list instanceof ProviderError));
    // Who can't be reached is not asked for every type there is.
    if (!isRead && failures[0] !== undefined) throw failures[0];
  }
  const kept = withoutLiving(matching, dropped).filter(({ type }) => context.selection.written.includes(type));
  progress.expect(kept.length);
  const unread = new Set<string>();
  const read = await inParallel(kept, context.concurrency * 2, async (object) => {
    const full = await readOrTold(context, object);
    if (full === undefined) unread.add(keyOf(object));
    progress.done();
    return full;
  });
  const objects = withoutLiving(
    read.filter((object) => object !== undefined),
    unread,
  );
  return { listed: kept, objects };
}

/** What lists show and nobody could read, or lives in such an object. */
export function unreadOf({ listed, objects }: ReadResult): readonly FoundObject[] {
  const read = new Set(objects.map(keyOf));
  return listed.filter((object) => !read.has(keyOf(object)));
}

/** Types that nothing stands above, then those that live in them, and so on. */
function byLevel(types: readonly ResourceType[]): readonly (readonly ResourceType[])[] {
  const levels: ResourceType[][] = [];
  const depths = new Map<string, number>();
  for (const type of types) {
    const above = type.parent === undefined ? undefined : depths.get(type.parent.type);
    const depth = above === undefined ? 0 : above + 1;
    depths.set(type.token, depth);
    (levels[depth] ??= []).push(type);
  }
  return levels;
}

/** What goes wrong about one object speaks against that object alone. */
async function readOrTold(context: ReadContext, object: FoundObject): Promise<FoundObject | undefined> {
  const { type, identity } = object;
  try {
    const full = await readFully(context, object);
    if (full === undefined)
      context.onUnread({ type, id: identity.id, why: 'A list shows it, but reading it says that it does not exist.' });
    return full;
  } catch (error) {
    context.onUnread({ type, id: identity.id, why: mustBePassing(error).message });
    return undefined;
  }
}

/** A list that is refused, or none, speaks against what it would hold. */
async function listOrTold(
  context: ReadContext,
  { type, scope }: Place,
): Promise<readonly FoundObject[] | ProviderError> {
  try {
    const { objects } = await context.reads.look({
      ...{ type, scope, of: 'everything' },
      onUnread: (id, holds) => {
        context.onUnread({ type, id, why: `A list shows ${holds}.` });
      },
    });
    return objects.map((object) => asFound(type, object));
  } catch (error) {
    const failure = mustBePassing(error);
    context.onUnread({ type, why: failure.message });
    return failure;
  }
}

/** Where objects of a type may be: once at the top, or in each of the objects found that they can live in. */
function placesIn(type: ResourceType, found: readonly FoundObject[]): readonly Place[] {
  if (isUnlisted(type)) return [];
  if (type.collection.scope.length === 0) return [{ type, scope: {} }];
  const above = found.filter((object) => object.type.token === type.parent?.type && !showsNone(type, object));
  return byCollection(
    above.flatMap(({ identity }) => placeIn(type, identity) ?? []),
    (place) => place,
  );
}

/** What holds a collection shows one of it, and shows that there is none. */
function showsNone({ collection: { shownIn } }: ResourceType, { values }: FoundObject): boolean {
  return shownIn !== undefined && values[shownIn] === null;
}

/** Undefined when it is denied. */
async function readFully({ selection, reads }: ReadContext, object: FoundObject): Promise<FoundObject | undefined> {
  const { type, identity } = object;
  const rules = Object.values(type.fields);
  const read = isWholeInLists(type) ? { identity, values: object.values } : await reads.read(type, identity);
  if (read === undefined) return undefined;
  const full = asFound(type, read);
  // What is written as an object of its own is not said twice.
  const isApart = ({ keptAs }: FieldRule): boolean => selection.written.some(({ token }) => token === keptAs);
  if (!rules.some((rule) => rule.writeOnly && !isApart(rule))) return full;
  return {
    ...full,
    values: { ...full.values, ...(await (await reads.providerOf(type)).readWriteOnly(type, identity)) },
  };
}

function asFound(type: ResourceType, { identity, values }: RemoteObject): FoundObject {
  return { type, identity, values: { ...identity.scope, ...values } };
}

/** Lists and objects both count; the total grows while lists tell what there is. */
class ReadProgress {
  readonly #emit: EventListener;
  #total = 0;
  #done = 0;

  constructor(emit: EventListener) {
    this.#emit = emit;
    emit({ type: 'reading', collections: 0, objects: 0 });
  }

  expect(more: number): void {
    this.#total += more;
  }

  done(): void {
    this.#done += 1;
    this.#emit({ type: 'read', done: this.#done, total: this.#total });
  }
}
