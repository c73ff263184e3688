import { type CallOptions, ProviderError, type RemoteObject } from '@platform-sync/core/model/provider';
import { listsThatMustLack, type ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { BadAnswer } from './http/json.js';
import { checkedObject } from './checked-object.js';
import { objectIn } from './decode.js';
import { itemPath } from './path.js';
import { hostOf, idWire, pathOfCall, type RestType } from './rest-type.js';
import type { Session } from './session.js';
import { isUntouched, readListed } from './list.js';
import { defined } from '@platform-sync/core/model/value';
import { identityKey } from '@platform-sync/core/model/identity';

/** One object by a call of its own; undefined when it is proven not to exist. */
export async function readSingly(
  session: Session,
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  { onListed, ...options }: CallOptions,
): Promise<RemoteObject | undefined> {
  const { read } = rest.definition.operations;
  if (read === undefined) throw new Error(`bug: a ${type.name} can't be read alone`);
  const path = itemPath(rest, pathOfCall(read), identity);
  const call = { method: 'GET', path, ...hostOf(rest), absence: type.absence, ...options } as const;
  const ask = (): Promise<RemoteObject | undefined> =>
    session.ifThere(call, () =>
      session.get(call, (body) => {
        const item = objectIn(rest, body);
        if (item === undefined) return new BadAnswer('no object');
        // An answer may leave its own id out; it is the one that was asked for.
        const named = { [idWire(rest)]: identity.id, ...item };
        const object = checkedObject(type, rest, named, { scope: identity.scope });
        if (object instanceof BadAnswer) return object;
        if (object.identity.id !== identity.id) return new BadAnswer('another object');
        return isUntouched(rest, item) ? { ...object, untouched: true as const } : object;
      }),
    );
  if (listsThatMustLack(type.absence) !== 1) return ask();
  return unlessUnlisted(session, type, rest, identity, { ...options, ...defined({ onListed }) }, ask);
}

/**
 * A 404 alone may be that of anybody on the way; a whole list that lacks the object, too, is the service's own word. Undefined for
 * an object that both deny.
 */
export async function unlessUnlisted<T>(
  session: Session,
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  { signal, onListed }: CallOptions,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 404 || rest.definition.list === undefined) throw error;
    const { objects, isComplete } = await readListed(session, type, rest, identity.scope, defined({ signal }));
    onListed?.(objects);
    const key = identityKey(type.token, identity);
    const isListed = objects.some((object) => identityKey(type.token, object.identity) === key);
    if (isListed || !isComplete) throw error;
    return undefined;
  }
}
