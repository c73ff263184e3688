import type { Address } from '@platform-sync/core/model/address';
import { addTo, groupOf } from '@platform-sync/core/model/graph';
import { identityKey } from '@platform-sync/core/model/identity';
import type { OutboxWrite } from '@platform-sync/core/model/outbox';
import type { Intent, RecordedResource, StackState, StateChange } from '@platform-sync/core/model/state';

export interface Undelivered {
  readonly intent: Intent;
  readonly changes: readonly StateChange[];
  /** What it made another address has by now: no object is recorded twice, and the changes only close what was open. */
  readonly isTaken: boolean;
}

/** Of what was kept, that which the stack does not know yet, by intent: a closed intent was recovered by somebody else. */
export function undelivered(
  { lineage, intents, resources }: Pick<StackState, 'lineage' | 'intents' | 'resources'>,
  kept: readonly OutboxWrite[],
): ReadonlyMap<string, Undelivered> {
  const open = new Map(intents.map((intent) => [intent.id, intent]));
  const writes = new Map<string, Undelivered>();
  const holders = kept.length === 0 ? new Map<string, Address[]>() : holdersIn(resources);
  for (const write of kept) {
    const intent = open.get(write.intent);
    if (intent === undefined || write.lineage !== lineage) continue;
    const isTaken = intent.action === 'create' && write.changes.some((change) => isElsewhere(change, holders));
    const changes = isTaken ? write.changes.filter(({ kind }) => kind === 'close-intent') : write.changes;
    writes.set(intent.id, { intent, changes, isTaken });
  }
  return writes;
}

/** A later run has taken it over at another address. What alone knows of old objects is recorded all the same. */
function isElsewhere(change: StateChange, holders: ReadonlyMap<string, readonly Address[]>): boolean {
  if (change.kind !== 'put' || change.resource.deposed.length > 0) return false;
  const { address, type, identity } = change.resource;
  return groupOf(holders, identityKey(type, identity)).some((holder) => holder !== address);
}

function holdersIn(resources: StackState['resources']): Map<string, Address[]> {
  const holders = new Map<string, Address[]>();
  for (const record of resources.values()) for (const key of identityKeys(record)) addTo(holders, key, record.address);
  return holders;
}

/** Of the object that a record has, and of old ones that are still to be deleted. */
export function identityKeys(record: RecordedResource): readonly string[] {
  return [record, ...record.deposed].map(({ identity }) => identityKey(record.type, identity));
}
