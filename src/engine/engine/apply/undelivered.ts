import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { Intent, StackState, StateChange } from '@platform-sync/core/model/state';

interface Undelivered {
  readonly intent: Intent;
  readonly changes: readonly StateChange[];
}

/** Of what was kept, that which the stack does not know yet, by intent: a closed intent was recovered by somebody else. */
export function undelivered(
  { lineage, intents }: Pick<StackState, 'lineage' | 'intents'>,
  kept: readonly OutboxWrite[],
): ReadonlyMap<string, Undelivered> {
  const open = new Map(intents.map((intent) => [intent.id, intent]));
  const writes = new Map<string, Undelivered>();
  for (const write of kept) {
    const intent = open.get(write.intent);
    if (intent !== undefined && write.lineage === lineage) writes.set(intent.id, { intent, changes: write.changes });
  }
  return writes;
}
