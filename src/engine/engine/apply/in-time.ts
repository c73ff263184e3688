import { NotSentError } from '@platform-sync/core/model/state-store';
import type { CallOptions, Provider, RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Intent } from '@platform-sync/core/model/state';
import type { JsonObject } from '@platform-sync/core/model/value';
import { momentIn } from '@platform-sync/core/model/world';
import { leavesWithinMs } from '../refresh/evidence.js';
import { type ApplyContext, callOptions } from './context.js';
import type { Progress } from './progress.js';

/** One create, its intent already durable. */
export interface Sending {
  readonly provider: Provider;
  readonly type: ResourceType;
  readonly scope: Readonly<Record<string, string>>;
  readonly inputs: JsonObject;
  readonly intent: Intent;
}

function sent(
  context: ApplyContext,
  { provider, type, scope, inputs }: Sending,
  more: CallOptions = {},
): () => Promise<RemoteObject> {
  return () => provider.create(type, scope, inputs, { ...callOptions(context), ...more });
}

/** How often a write that had to wait is begun anew; then it leaves whenever it may. */
export const maxRenewals = 20;

/** What was not sent had to wait; nothing has ended the run. */
export function mayStillSend({ drain, lease }: Pick<ApplyContext, 'drain' | 'lease'>): boolean {
  return drain?.aborted !== true && !lease.term.late.aborted;
}

/**
 * Whoever finds the intent of a killed run goes by its time: how long the object may take to show counts from there. So nothing
 * leaves long after it; what had to wait has its intent renewed.
 */
export function inTime(context: ApplyContext, progress: Progress, sending: Sending): () => Promise<RemoteObject> {
  const { intent } = sending;
  const { world } = context;
  let [begun, renewals] = [Date.parse(intent.createdAt), 0];
  const isLate = (): boolean => world.now() - begun >= leavesWithinMs && renewals < maxRenewals;
  const call = sent(context, sending, { mayLeave: () => !isLate() });
  return async () => {
    for (;;) {
      if (isLate()) {
        [begun, renewals] = [world.now(), renewals + 1];
        await progress.journal.begin({ ...intent, renewedAt: momentIn(world) });
      }
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof NotSentError && isLate() && mayStillSend(context))) throw error;
      }
    }
  };
}
