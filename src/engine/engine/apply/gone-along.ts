import { identityKey, parentIdentity } from '@platform-sync/core/model/identity';
import { ProviderError } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { isSettling, type Identity, type RecordedResource } from '@platform-sync/core/model/state';

/** What tells whether something is gone. */
export interface Denials {
  readonly typeOf: (token: string) => ResourceType;
  /** The record of an object, by `identityKey`. */
  readonly recordOf: (key: string) => Pick<RecordedResource, 'writtenAt'> | undefined;
  /** What was written before shows in every answer; absent: everything does. ISO 8601 UTC. */
  readonly settledBefore?: string | undefined;
  /** Two answers deny it. */
  readonly isGone: (type: ResourceType, identity: Identity) => Promise<boolean>;
}

/** What is in it went along with a home that is gone: `otherwise` says what that comes to. */
export async function unlessHomeIsGone<T>(
  denials: Denials,
  { type, identity, otherwise }: { type: ResourceType; identity: Pick<Identity, 'scope'>; otherwise: T },
  find: () => Promise<T>,
): Promise<T> {
  try {
    return await find();
  } catch (error) {
    // A 404 that proves nothing of this type is a reason to ask for its parent, too.
    if (!(error instanceof ProviderError) || (error.kind !== 'not-found' && error.status !== 404)) throw error;
    const above = parentIdentity(type, identity);
    if (above === undefined || type.parent === undefined) throw error;
    const parent = denials.typeOf(type.parent.type);
    // That its list is not found does not prove that it is gone.
    if (!isYoung(denials, parent, above) && (await denials.isGone(parent, above))) return otherwise;
    throw error;
  }
}

/** It was written so little ago that a denial proves nothing. */
export function isYoung(
  { recordOf, settledBefore }: Pick<Denials, 'recordOf' | 'settledBefore'>,
  { token }: ResourceType,
  identity: Identity,
): boolean {
  return isSettling(recordOf(identityKey(token, identity))?.writtenAt, settledBefore);
}
