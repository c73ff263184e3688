import type { StackState } from '@platform-sync/core/model/state';
import { realWorld, type World } from '@platform-sync/core/model/world';

/** What a stack is born with: a lineage of its own, a key of its own, nothing else. */
export function newStack(
  project: string,
  stack: string,
  { id, secret }: Pick<World, 'id' | 'secret'> = realWorld,
): StackState {
  return {
    project,
    stack,
    lineage: id(),
    serial: 0,
    fingerprintKey: secret(32),
    targets: {},
    resources: new Map(),
    outputs: {},
    intents: [],
  };
}
