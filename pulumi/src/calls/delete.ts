import { ProviderError } from '../../../src/engine/model/provider.js';
import type { ResourceType } from '../../../src/engine/model/resource-type.js';
import type { ValueObject } from '../../../src/engine/model/value.js';
import { InvalidRequest } from '../failures.js';
import { emptyOnDelete, hasGuardedEnd, identityOf } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';

export interface Deletion {
  readonly id: string;
  readonly type: ResourceType;
  readonly oldInputs: ValueObject;
  readonly olds: ValueObject;
}

/** Deletes an object; one that is gone already is fine. */
export async function remove(session: Session, { id, type, oldInputs, olds }: Deletion): Promise<void> {
  if (hasGuardedEnd(type) && knownMembers(oldInputs)[emptyOnDelete.name] !== true)
    throw new InvalidRequest(
      `${id} is not deleted: ${type.guardedEnd ?? ''}. Set ${emptyOnDelete.name} to true and update, then delete it; or take it out of the stack with pulumi state delete.`,
    );
  const provider = await session.writer();
  const identity = identityOf(type, id);
  try {
    await provider.delete(type, identity, { actual: knownMembers(olds) });
  } catch (error) {
    if (!(error instanceof ProviderError) || !['ambiguous', 'conflict'].includes(error.kind)) throw error;
    // Lost, or refused because it is not what it was: gone is gone.
    if ((await provider.read(type, identity)) !== undefined) throw error;
  }
}
