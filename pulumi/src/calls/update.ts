import { hasAll, isSent, unreadInputs, updateRequest } from '@platform-sync/engine/apply/update-request';
import {
  ProviderError,
  type Provider,
  type RemoteObject,
  type UpdateRequest,
} from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { ValueObject } from '@platform-sync/core/model/value';
import { isTimeout, TimedOut } from '../failures.js';
import { markInput } from '../mark.js';
import { identityOf, outputsOf, ownInputs } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers } from '../wire/values.js';
import { compare, type Comparison } from './compare.js';
import { withSecrets } from './secrets.js';
import { withConsent } from './with-consent.js';

/** Which object it is, for which resource. */
export interface Addressed {
  readonly id: string;
  readonly urn: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends what the comparison shows, and gives the outputs; where nothing is to be sent, the object as it is. */
export async function update(
  session: Session,
  { id, urn, signal }: Addressed,
  comparison: Comparison,
): Promise<ValueObject> {
  const { type, olds, news, oldInputs } = comparison;
  const provider = await session.writer();
  const identity = identityOf(type, id);
  const own = ownInputs(session.loaded, type, news);
  const changes = compare(session, comparison).changes.filter(isSent);
  const values = { ...knownMembers(olds), ...markInput(type, urn) };
  const request = {
    ...updateRequest(changes, { identity, values }),
    unread: unreadInputs({ type, declared: new Map(Object.entries(own)) }, values),
  };
  const object =
    changes.length === 0 ? await provider.read(type, identity) : await sendUpdate(provider, type, request, signal);
  const inputs = knownMembers(own);
  const outputs = object === undefined ? knownMembers(olds) : outputsOf(type, object, inputs);
  return withSecrets(type, withConsent(type, outputs, news), news, oldInputs, olds);
}

/** A change whose answer was lost is looked up. */
async function sendUpdate(
  provider: Provider,
  type: ResourceType,
  request: UpdateRequest,
  signal: AbortSignal | undefined,
): Promise<RemoteObject> {
  try {
    return await provider.update(type, request, signal === undefined ? {} : { signal });
  } catch (error) {
    const isLate = isTimeout(error, signal);
    if (!isLate && (!(error instanceof ProviderError) || error.kind !== 'ambiguous')) throw error;
    const now = await provider.read(type, request.identity).catch(() => undefined);
    if (now !== undefined && hasAll(type, request, now)) return now;
    throw isLate ? new TimedOut(type.name) : error;
  }
}
