import {
  ProviderError,
  type Provider,
  type RemoteObject,
  type UpdateRequest,
} from '../../../src/engine/model/provider.js';
import type { ResourceType } from '../../../src/engine/model/resource-type.js';
import { reveal } from '../../../src/engine/model/value.js';
import type { ValueObject } from '../../../src/engine/model/value.js';
import { sameValue } from '../../../src/engine/value/equality.js';
import { identityOf, outputsOf, ownInputs } from '../resource-types.js';
import type { Session } from '../session.js';
import { knownMembers, marked } from '../wire/values.js';
import { compare, requestOf } from './compare.js';
import type { Comparison } from './compare.js';
import { secretOutputs } from './secrets.js';
import { withConsent } from './with-consent.js';

/** Sends what the comparison shows, and gives the outputs; where nothing is to be sent, the object as it is. */
export async function update(session: Session, id: string, comparison: Comparison): Promise<ValueObject> {
  const { type, olds, news, oldInputs } = comparison;
  const provider = await session.writer();
  const identity = identityOf(type, id);
  const request = {
    identity,
    ...requestOf(compare(session, comparison).decisions, reveal),
    actual: knownMembers(olds),
  };
  const isEmpty = Object.keys(request.set).length === 0 && request.clear.length === 0;
  const object = isEmpty ? await provider.read(type, identity) : await sent(provider, type, request);
  const inputs = knownMembers(ownInputs(session.loaded, type, news));
  const outputs = object === undefined ? knownMembers(olds) : outputsOf(type, object, inputs);
  return marked(withConsent(type, outputs, news), secretOutputs(type, news, oldInputs, olds));
}

/** A change whose answer was lost is looked up. */
async function sent(provider: Provider, type: ResourceType, request: UpdateRequest): Promise<RemoteObject> {
  try {
    return await provider.update(type, request);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'ambiguous') throw error;
    const now = await provider.read(type, request.identity);
    if (now !== undefined && hasAll(type, request, now)) return now;
    throw error;
  }
}

function hasAll(type: ResourceType, { set, clear }: UpdateRequest, { values }: RemoteObject): boolean {
  const isSet = Object.entries(set).every(([name, value]) => {
    const rule = type.fields[name];
    return rule === undefined || sameValue(rule, value, values[name]);
  });
  return isSet && clear.every((name) => (values[name] ?? null) === null);
}
