import type { Address } from '../model/address.js';
import { reach } from '../model/graph.js';
import type { RemoteObject } from '../model/provider.js';
import { Homes } from './contents.js';
import type { Change } from './diff.js';
import type { Step, DesiredStep, ProposalInput } from './step.js';

/**
 * The fields that say where the object lives, where that ends, at whatever level above, before there is the new home:
 * nothing can wait in between, and the platform may end what lives there with it.
 */
export function parentEndsFirst(
  input: ProposalInput,
  { address, type, actual }: DesiredStep & { readonly actual: RemoteObject },
  changes: readonly Change[],
  done: ReadonlyMap<Address, Step>,
  homes = new Homes(input),
): readonly string[] {
  const moving = type.nesting.filter(({ field }) => changes.some(({ rule }) => rule.name === field));
  if (moving.length === 0) return [];
  const ending = endingAbove(input, address, done);
  if (ending.size === 0) return [];
  const living = { type: type.token, identity: actual.identity, values: actual.values };
  const isEnding = (token: string | undefined, id: string): true | undefined =>
    token !== undefined && ending.has(objectKey(token, id)) ? true : undefined;
  return moving
    .filter(({ field }) => homes.nearest(living, isEnding, undefined, (name) => name === field) === true)
    .map(({ field }) => field);
}

const objectKey = (token: string, id: unknown): string => `${token} ${String(id)}`;

/** Objects that end first, to be made anew, and that the resource needs from then on, directly or through others. */
function endingAbove(
  { graph }: ProposalInput,
  address: Address,
  done: ReadonlyMap<Address, Step>,
): ReadonlySet<string> {
  const ending = new Set<string>();
  const needed = reach(graph.get(address) ?? [], (above) => graph.get(above) ?? []);
  for (const above of needed) {
    const step = done.get(above);
    if (step?.action === 'replace' && step.order === 'delete-first')
      ending.add(objectKey(step.type.token, step.actual?.identity.id));
  }
  return ending;
}
