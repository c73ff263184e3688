import { randomBytes, randomUUID } from 'node:crypto';
import type { StackState } from '@platform-sync/core/model/state';

/** What a stack is born with: a lineage of its own, a key of its own, nothing else. */
export function newStack(project: string, stack: string): StackState {
  return {
    project,
    stack,
    lineage: randomUUID(),
    serial: 0,
    fingerprintKey: randomBytes(32).toString('hex'),
    targets: {},
    resources: new Map(),
    outputs: {},
    intents: [],
  };
}
