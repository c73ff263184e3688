import { identityKey } from '../../engine/model/identity.js';
import type { ListOptions, Listing, RemoteObject } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import type { JsonObject } from '../../engine/model/value.js';
import type { Query } from '../http/path.js';
import { Wrong } from '../http/wrong.js';
import { checkedObject } from './checked-object.js';
import { pageFetcher } from './paging.js';
import { pathOf } from './path.js';
import { hostOf } from './rest-type.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';

/** A collection. `filters` narrow it. */
export async function readListed(
  session: Session,
  type: ResourceType,
  rest: RestType,
  scope: Readonly<Record<string, string>>,
  { isEnough, ...options }: ListOptions,
  filters: Query = [],
): Promise<Listing> {
  const { definition, style } = rest;
  if (definition.list === undefined) throw new Error(`bug: there is no list of ${definition.name}`);
  // What stands in the path holds for every item; items of a list over all places name theirs.
  const place = Object.fromEntries(type.collection.scope.map((field) => [field, scope[field] ?? '']));
  const call = { path: pathOf(definition.list.get, scope), ...hostOf(rest), ...options };
  const { items, ...counts } = await session.list<RemoteObject>(call, {
    fetchPage: pageFetcher(
      definition.list.paging ?? style.paging,
      (query, read) => session.get({ ...call, query: [...filters, ...query] }, read),
      (found: readonly JsonObject[]) =>
        allOrWrong(found.map((item) => checkedObject(type, rest, item, { scope: place, listed: true }))),
      rest.idField === 'id',
    ),
    keyOf: ({ identity }) => identityKey(type.token, identity),
    ...(isEnough === undefined
      ? {}
      : { isEnough: (start) => isEnough({ objects: start.items, morePages: start.morePages }) }),
  });
  return { objects: items, ...counts };
}

function allOrWrong<T>(items: readonly (T | Wrong)[]): readonly T[] | Wrong {
  return items.find((item) => item instanceof Wrong) ?? (items as readonly T[]);
}
