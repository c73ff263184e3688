import type { EventListener } from '../model/event.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { ProviderError, type RemoteObject } from '../model/provider.js';
import { identityKey, parentIdentity } from '../model/identity.js';
import { isWholeInLists, type FieldRule, type ResourceType } from '../model/resource-type.js';
import { describeObject, keyOf, withoutLiving, type FoundObject } from './found-object.js';
import { byCollection, placeIn, type Place } from '../reads/collection.js';
import { inParallel } from '../reads/in-parallel.js';
import type { Reads } from '../reads/reads.js';
import type { Selection } from './selection.js';

interface ReadContext {
  readonly selection: Selection;
  readonly reads: Reads;
  readonly concurrency: number;
  readonly onEvent: EventListener;
  /** Hears of an object that can't be read: it is left out, and so is what lives in it. */
  readonly onUnread: (diagnostic: Diagnostic) => void;
}

/**
 * Everything the selection wants, read to the last field. Lists first; objects are read one by one only where lists
 * leave fields out. Rejects with ProviderError, also when what a list shows is not there: then one of the two is wrong.
 */
export async function readObjects(context: ReadContext): Promise<readonly FoundObject[]> {
  const progress = new ReadProgress(context.onEvent);
  const matching: FoundObject[] = [];
  const dropped = new Set<string>();
  for (const type of context.selection.read) {
    for (const object of await listType(context, type, matching, progress)) {
      if (context.selection.matches(type, object.identity.id, object.values)) matching.push(object);
      else dropped.add(keyOf(object));
    }
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
  return withoutLiving(
    read.filter((object) => object !== undefined),
    unread,
  );
}

/** An answer about one object that is not what the description says speaks against that object alone. */
async function readOrTold(context: ReadContext, object: FoundObject): Promise<FoundObject | undefined> {
  let full: FoundObject | undefined;
  try {
    full = await readFully(context, object);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'unexpected-answer') throw error;
    context.onUnread(unreadObject(object.type, object.identity.id, error.message));
    return undefined;
  }
  // Two answers that contradict each other: the list may be wrong about others, too.
  if (full === undefined) throw contradictory(object);
  return full;
}

function unreadObject({ name }: ResourceType, id: string, why: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'export-object-unread',
    summary: `${name} (id ${id}) was left out, with what is below it: it can't be read. ${why}`,
    hint: 'Correct the object on the platform, or leave it unmanaged; then export again.',
  };
}

/** All objects of a type, or those that live in the objects found before. */
async function listType(
  context: ReadContext,
  type: ResourceType,
  found: readonly FoundObject[],
  progress: ReadProgress,
): Promise<readonly FoundObject[]> {
  const above = found.filter((object) => object.type.token === type.parent?.type);
  const places = placesOf(
    type,
    above.filter((object) => !showsNone(type, object)),
  );
  progress.expect(places.length);
  const lists = await inParallel(places, context.concurrency * 2, async (place) => {
    const { objects } = await context.reads.look({
      ...place,
      of: 'everything',
      onUnread: (id, holds) => {
        context.onUnread(unreadObject(type, id, `A list shows ${holds}.`));
      },
    });
    progress.done();
    return objects;
  });
  const parents = new Set(above.map(keyOf));
  return lists
    .flat()
    .map((object) => asFound(type, object))
    .filter(({ identity }) => {
      const parent = parentIdentity(type, identity);
      return parent === undefined || parents.has(identityKey(type.parent?.type ?? '', parent));
    });
}

/** What holds a collection shows one of it, and shows that there is none. */
function showsNone({ collection: { shownIn } }: ResourceType, { values }: FoundObject): boolean {
  return shownIn !== undefined && values[shownIn] === null;
}

/** The collections of a type: one at the top, or one in each object that it lives in. What that does not select, nobody finds. */
function placesOf(type: ResourceType, above: readonly FoundObject[]): readonly Place[] {
  if (type.collection.scope.length === 0) return [{ type, scope: {} }];
  const places = above.flatMap(({ identity }) => placeIn(type, identity) ?? []);
  return byCollection(places, (place) => place);
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

function contradictory(object: FoundObject): ProviderError {
  return new ProviderError('unexpected-answer', [
    {
      severity: 'error',
      code: 'contradictory-answers',
      summary: `A list shows the ${describeObject(object)}, and reading it says that it does not exist.`,
      hint: 'Somebody may be deleting it right now. Export again a little later.',
    },
  ]);
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
