import type { Address } from '@platform-sync/core/model/address';
import type { RecordedResource, StackState, StateChange } from '@platform-sync/core/model/state';

/** A state as it will be after changes that are not written yet. The serial stays the one that was read. */
export function withChanges(state: StackState, changes: readonly StateChange[]): StackState {
  if (changes.length === 0) return state;
  const resources = new Map<Address, RecordedResource>(state.resources);
  const closed = new Set<string>();
  let { outputs, targets } = state;
  for (const change of changes) {
    if (change.kind === 'put') resources.set(change.resource.address, change.resource);
    else if (change.kind === 'remove') resources.delete(change.address);
    else if (change.kind === 'close-intent') closed.add(change.id);
    else if (change.kind === 'outputs') outputs = change.outputs;
    else if (change.kind === 'targets') targets = change.targets;
    else throw new Error('bug: moves are never overlaid');
  }
  return { ...state, resources, outputs, targets, intents: state.intents.filter((intent) => !closed.has(intent.id)) };
}
