import { ownMember } from '@platform-sync/core/model/value';
import type { Address } from '@platform-sync/core/model/address';
import { identityKey } from '@platform-sync/core/model/identity';
import type { Intent, RecordedResource, StackState, StateChange } from '@platform-sync/core/model/state';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { isAtOrUnder, recordsAt, stateProblem } from './records.js';

export interface HandOver {
  readonly from: Address;
  readonly to: Address;
}

/**
 * Moves records from one stack to another, with what is nested under them. The other stack has them before this one lets
 * go, so that nothing is ever without an owner; cut short in between, the same call ends it. Gives former and new
 * addresses.
 */
export async function handOver(
  source: StateStore,
  target: StateStore,
  { from, to }: HandOver,
  waitMs: number,
): Promise<readonly (readonly [Address, Address])[]> {
  const options = { waitMs };
  const giving = await source.acquire('state mv', options);
  try {
    const taking = await target.acquire('state mv', options);
    try {
      const [given, taken] = [await source.read(), await target.read()];
      const moved = recordsAt(given.resources, from).map(
        (record) => [record, to + record.address.slice(from.length)] as const,
      );
      refuseUnfinished(given, ({ address }) => isAtOrUnder(address, from));
      refuseUnmade(
        taken,
        moved.map(([, arrived]) => arrived),
      );
      await target.commit(taking, [...targetChanges(given, taken), ...arrivals(moved, taken)]);
      await source.commit(
        giving,
        moved.map(([{ address }]) => ({ kind: 'remove', address })),
      );
      return moved.map(([{ address }, arrived]) => [address, arrived]);
    } finally {
      await taking.release();
    }
  } finally {
    await giving.release();
  }
}

/** What an interrupted run made, or took over, gets its record at its address later: no other record may stand there then. */
export function refuseUnmade(state: StackState, arriving: readonly Address[]): void {
  refuseUnfinished(state, ({ address }) => arriving.includes(address));
}

/** What became of a write that an interrupted run left open only the platform can say: no move of records does. */
export function refuseUnfinished(
  { intents, stack }: Pick<StackState, 'intents' | 'stack'>,
  isIt: (intent: Intent) => boolean,
): void {
  const open = intents.find(isIt);
  if (open === undefined) return;
  throw stateProblem(
    'state-unfinished',
    `The ${open.action} of ${open.address} was not finished in the stack ${stack}.`,
    `sync apply --stack ${stack} settles it first`,
  );
}

/** Both stacks must talk to the same servers; one that was never applied learns which. */
function targetChanges(given: StackState, taken: StackState): readonly StateChange[] {
  for (const [provider, target] of Object.entries(given.targets)) {
    const theirs = ownMember(taken.targets, provider);
    if (theirs !== undefined && theirs !== target)
      throw stateProblem(
        'state-other-target',
        `The stack ${given.stack} lives at ${target}, the stack ${taken.stack} at ${theirs}.`,
        'an object can only be handed over between stacks of one server',
      );
  }
  const targets = { ...given.targets, ...taken.targets };
  return Object.keys(targets).length === Object.keys(taken.targets).length ? [] : [{ kind: 'targets', targets }];
}

function arrivals(moved: readonly (readonly [RecordedResource, Address])[], taken: StackState): readonly StateChange[] {
  const newAddress = new Map(moved.map(([{ address }, arrived]) => [address, arrived]));
  const keyOf = ({ type, identity }: RecordedResource): string => identityKey(type, identity);
  const owned = new Map([...taken.resources.values()].map((record) => [keyOf(record), record.address]));
  return moved.map(([record, address]) => {
    const there = taken.resources.get(address);
    // Where an earlier call was cut short, it is the very record.
    const owner = owned.get(keyOf(record));
    if (owner !== undefined && owner !== address)
      throw stateProblem(
        'state-address-taken',
        `State of the stack ${taken.stack} already has the object of ${record.address}, as ${owner}.`,
        `let go of it here, the object stays: sync state rm ${record.address}`,
      );
    if (there !== undefined && identityKey(there.type, there.identity) !== identityKey(record.type, record.identity))
      throw stateProblem(
        'state-address-taken',
        `State of the stack ${taken.stack} already has ${address}.`,
        'give the object another address there: sync state mv FROM TO --to-stack …',
      );
    // What they depended on outside of what moves is no resource of the other stack.
    const dependencies = record.dependencies.flatMap((needed) => newAddress.get(needed) ?? []).sort();
    return { kind: 'put', resource: { ...record, address, dependencies } };
  });
}
