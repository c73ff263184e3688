import { identityKey } from '@platform-sync/core/model/identity';
import type { CallOptions, ListOptions, Listing, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { readListed } from './list.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';
import { ownMember } from '@platform-sync/core/model/value';

/** One object; undefined when it is proven not to exist, or when the only list that shows it lacks it. */
export async function readObject(
  session: Session,
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  options: CallOptions,
): Promise<RemoteObject | undefined> {
  if (rest.definition.operations.read !== undefined) {
    const { readSingly } = await import('./read.js');
    return readSingly(session, type, rest, identity, options);
  }
  const { objects } = await readListed(session, type, rest, identity.scope, options);
  const key = identityKey(type.token, identity);
  return objects.find((object) => identityKey(type.token, object.identity) === key);
}

/** A collection. Of a type without a list, it holds the one object of its place, if that is there. */
export async function listObjects(
  session: Session,
  type: ResourceType,
  rest: RestType,
  scope: Readonly<Record<string, string>>,
  options: ListOptions,
): Promise<Listing> {
  if (rest.definition.list !== undefined) return readListed(session, type, rest, scope, options);
  const {
    isEnough,
    together: _together,
    having: _having,
    onUnread: _onUnread,
    pages: _pages,
    ...callOptions
  } = options;
  const id = rest.onlyId ?? ownMember(scope, rest.idField);
  if (id === undefined) {
    // Nothing shows several of them together: as good as a list of which no page was read.
    isEnough?.({ objects: [], morePages: Infinity });
    return { objects: [], isComplete: false, total: 0 };
  }
  const { readSingly } = await import('./read.js');
  const object = await readSingly(session, type, rest, { id, scope }, callOptions);
  const objects = object === undefined ? [] : [object];
  return { objects, isComplete: true, total: objects.length };
}
