import { identityKey } from '@platform-sync/core/model/identity';
import type { AheadOptions, Listing, ListOptions, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { ReadList } from './http/list-reader.js';
import { idOf } from './http/page.js';
import type { Query } from './http/path.js';
import { BadAnswer } from './http/json.js';
import { checkedObject } from './checked-object.js';
import { firstQuery, pageFetcher } from './paging.js';
import { pathOf } from './path.js';
import { hostOf, type RestType, shownName } from './rest-type.js';
import type { Session, Sharing } from './session.js';
import { valueAt } from './member-paths.js';
import { sameOrNothing } from '@platform-sync/core/model/canonical';

/** An item of the list that is an object of another type, or that nobody has touched. */
interface Other {
  readonly other: string;
}

/** A collection. */
export async function readListed(
  session: Session,
  type: ResourceType,
  rest: RestType,
  scope: Readonly<Record<string, string>>,
  { isEnough, together, having = {}, onUnread, pages, ...options }: ListOptions,
): Promise<Listing> {
  const filters = narrowing(rest, having);
  const { definition, style } = rest;
  if (definition.list === undefined) throw new Error(`bug: there is no list of ${definition.name}`);
  // What stands in the path holds for every item; items of a list over all places name theirs.
  const place = Object.fromEntries(type.collection.scope.map((field) => [field, ownMember(scope, field) ?? '']));
  const call = { path: pathOf(definition.list.get, scope), ...hostOf(rest), ...options };
  // Then its id alone tells an object of the list from the others.
  const isOnePlace = rest.scope.every((field) => field in place);
  const asked = new Set<string>();
  const unread = new Set<string>();
  const leftOut = (item: JsonObject, wrong: BadAnswer): Other | BadAnswer => {
    const id = idOf(item);
    if (onUnread === undefined || id === undefined) return wrong;
    if (!unread.has(id)) onUnread(id, wrong.holds);
    unread.add(id);
    return { other: id };
  };
  // Types that share a list share its answers; a page that is asked for once more is read once more.
  const sharingOf = (query: Query): Sharing | undefined => {
    const key = JSON.stringify(query);
    if (together === undefined || asked.has(key)) return undefined;
    asked.add(key);
    return { with: together, isForAll: definition.tells !== undefined };
  };
  const list = await session.list<RemoteObject | Other>(call, {
    fetchPage: pageFetcher(
      definition.list.paging ?? style.paging,
      (query, read) =>
        session.get({ ...call, query: [...filters, ...query] }, read, { sharing: sharingOf(query), known: pages }),
      (found: readonly JsonObject[]) =>
        allOrWrong(
          found.map((item) => {
            if (!isOfType(rest, item) || isUntouched(rest, item)) return { other: idOf(item) ?? JSON.stringify(item) };
            const object = checkedObject(type, rest, item, { scope: place, listed: true });
            return object instanceof BadAnswer ? leftOut(item, object) : object;
          }),
        ),
      rest.idField === 'id' && definition.idType === undefined && definition.idWire === undefined,
    ),
    keyOf: (item) =>
      'other' in item
        ? `other ${item.other}`
        : isOnePlace
          ? ` ${item.identity.id}`
          : identityKey(type.token, item.identity),
    ...(isEnough === undefined
      ? {}
      : { isEnough: (start) => isEnough({ objects: start.items.filter(isOurs), morePages: start.morePages }) }),
  });
  const listing = asListing(list);
  return unread.size === 0 ? listing : { ...listing, isComplete: false };
}

function asListing({ items, isComplete, total, rest }: ReadList<RemoteObject | Other>): Listing {
  const objects = items.filter(isOurs);
  return {
    ...{ objects, isComplete, total: isComplete ? objects.length : total },
    ...(rest === undefined ? {} : { rest: async () => asListing(await rest()) }),
  };
}

/** Sends the first call of a list of everything; who reads that list with the same `together` begins with its answer. */
export async function askAhead(
  session: Session,
  rest: RestType,
  scope: Readonly<Record<string, string>>,
  { together, ...options }: AheadOptions,
): Promise<void> {
  const { list } = rest.definition;
  if (list === undefined) return;
  const query = firstQuery(list.paging ?? rest.style.paging);
  await session.ahead({ path: pathOf(list.get, scope), query, ...hostOf(rest), ...options }, together);
}

/** What a service can be asked to leave out. */
function narrowing({ definition }: RestType, having: JsonObject): Query {
  return Object.entries(definition.list?.findBy ?? {}).flatMap(([parameter, field]) => {
    const value = having[field];
    return typeof value === 'string' && value !== '' ? [[parameter, value] as const] : [];
  });
}

function isOurs(item: RemoteObject | Other): item is RemoteObject {
  return !('other' in item);
}

function allOrWrong<T>(items: readonly (T | BadAnswer)[]): readonly T[] | BadAnswer {
  return items.find((item) => item instanceof BadAnswer) ?? (items as readonly T[]);
}

/** False for an item of a list that is an object of another type. */
function isOfType({ definition: { tells } }: RestType, item: JsonObject): boolean {
  if (tells === undefined) return true;
  const value = valueAt(item, tells.member) ?? null;
  if (tells.is !== undefined) return value === tells.is;
  if (tells.others !== undefined) return typeof value !== 'string' || !Object.hasOwn(tells.others, value);
  return tells.there === undefined || (value !== null) === tells.there;
}

/** True for one of a fixed set that is as the service has it at first: it counts as not there. */
export function isUntouched(rest: RestType, item: JsonObject): boolean {
  const { untouched } = rest.definition;
  if (untouched === undefined) return false;
  return Object.entries(untouched).every(([field, first]) =>
    sameOrNothing(valueAt(item, shownName(rest, field)) ?? null, first),
  );
}
