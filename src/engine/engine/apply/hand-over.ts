import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { handedOutputs } from '../plan/handed-outputs.js';
import type { Step } from '../plan/step.js';
import type { ApplyContext } from './context.js';

/**
 * Sends the secrets that the answer to a create shows once to where the operator wants them; gives those that are lost. Called before
 * the object is recorded: whoever is killed here leaves an open intent, and the next run says that the secret may be lost.
 */
export async function handOver(
  { desired, destinations }: Pick<ApplyContext, 'desired' | 'destinations'>,
  { address, type }: Step,
  { shownOnce = {} }: RemoteObject,
): Promise<readonly Diagnostic[]> {
  if (destinations === undefined || destinations.size === 0) return [];
  const lost: Diagnostic[] = [];
  for (const { name, address: at, field } of handedOutputs(desired, new Map([[type.token, type]]))) {
    const destination = destinations.get(name);
    if (at !== address || destination === undefined) continue;
    const value = shownOnce[field];
    const why =
      typeof value === 'string' && value !== ''
        ? await destination.deliver(value)
        : 'the answer that shows it did not arrive';
    if (why !== undefined) lost.push(secretLost(address, field, name, why));
  }
  return lost;
}

function secretLost(address: string, field: string, name: string, why: string): Diagnostic {
  return {
    severity: 'error',
    code: 'secret-lost',
    summary: `${address} was made, and its ${field} is lost: the output ${name} could not be handed over, because ${why}.`,
    hint: `Nobody can read it again. Make a new one: sync apply --replace ${address} --output ${name}=…`,
    address,
  };
}
