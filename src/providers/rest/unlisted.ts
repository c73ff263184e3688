import { defined } from '../../engine/model/defined.js';
import { identityKey } from '../../engine/model/identity.js';
import { ProviderError, type CallOptions } from '../../engine/model/provider.js';
import type { ResourceType } from '../../engine/model/resource-type.js';
import type { Identity } from '../../engine/model/state.js';
import { readListed } from './list.js';
import type { RestType } from './rest-type.js';
import type { Session } from './session.js';

/**
 * A 404 alone may be that of anybody on the way; a whole list that lacks the object, too, is the service's own word. Undefined for
 * an object that both deny.
 */
export async function unlessUnlisted<T>(
  session: Session,
  type: ResourceType,
  rest: RestType,
  identity: Identity,
  { signal }: CallOptions,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProviderError) || error.status !== 404 || rest.definition.list === undefined) throw error;
    const { objects, isComplete } = await readListed(session, type, rest, identity.scope, defined({ signal }));
    const key = identityKey(type.token, identity);
    const isListed = objects.some((object) => identityKey(type.token, object.identity) === key);
    if (isListed || !isComplete) throw error;
    return undefined;
  }
}
