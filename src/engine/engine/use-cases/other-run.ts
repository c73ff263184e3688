import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { StackState } from '@platform-sync/core/model/state';
import type { Lease, StateStore } from '@platform-sync/core/model/state-store';

/** Open writes belong to a run that died, or to one that is at work right now: then a plan soon is out of date. */
export async function otherRun(
  store: StateStore,
  { intents }: Pick<StackState, 'intents'>,
  own: Lease | undefined,
): Promise<readonly Diagnostic[]> {
  if (intents.length === 0) return [];
  const holder = await store.holder();
  if (holder === undefined || holder.id === own?.id) return [];
  if (holder.isGone === true)
    return [
      {
        severity: 'warning',
        code: 'dead-run',
        summary: `The run of ${holder.owner} (${holder.purpose}), which began at ${holder.since}, died on this machine; the next apply takes the stack over at once and settles what that run left open.`,
        detail: `last sign of life: ${holder.seen}`,
      },
    ];
  return [
    {
      severity: 'warning',
      code: 'other-run',
      summary: `The stack is locked by ${holder.owner} (${holder.purpose}) since ${holder.since}; this plan may soon be out of date.`,
      detail: `last sign of life: ${holder.seen}`,
    },
  ];
}
