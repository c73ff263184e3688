import { identityKey } from '@platform-sync/core/model/identity';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { ValueObject } from '@platform-sync/core/model/value';
import { InvalidRequest, isTimeout, TimedOut } from '../failures.js';
import { emptyOnDelete, hasGuardedEnd, identityOf } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';

const instead = 'Set deleteBeforeReplace for it, and replace it again.';

export interface Deletion {
  readonly urn: string;
  readonly signal?: AbortSignal | undefined;
  readonly id: string;
  readonly type: ResourceType;
  readonly oldInputs: ValueObject;
  readonly olds: ValueObject;
}

/** Deletes an object; one that is gone already is fine. */
export async function remove(session: Session, { id, urn, type, oldInputs, olds, signal }: Deletion): Promise<void> {
  if (hasGuardedEnd(type) && knownMembers(oldInputs)[emptyOnDelete.name] !== true)
    throw new InvalidRequest(
      `${id} is not deleted: ${type.guardedEnd ?? ''}. Set ${emptyOnDelete.name} to true and update, then delete it; or take it out of the stack with pulumi state delete.`,
    );
  const provider = await session.writer();
  const identity = identityOf(type, id);
  if (session.adopted.has(identityKey(type.token, identity))) {
    // A replacement nobody but the user asked for: the new object was found to be the old one, and is the stack's now.
    session.say('warning', `${id} was not replaced: no other ${type.name} may be as the program says. ${instead}`, urn);
    return;
  }
  try {
    await provider.delete(type, identity, {
      actual: knownMembers(olds),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    const isLate = isTimeout(error, signal);
    const isOpen = isLate || (error instanceof ProviderError && ['ambiguous', 'conflict'].includes(error.kind));
    // Lost, or refused because it is not what it was: gone is gone. A look that fails too proves nothing.
    if (isOpen && (await provider.read(type, identity).catch(() => 'unknown')) === undefined) return;
    throw isLate ? new TimedOut(`${type.name} ${id}`) : error;
  }
}
