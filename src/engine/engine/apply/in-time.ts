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

/** What was not sent had to wait; nothing has ended the run. */
export function mayStillSend({ drain, lease }: Pick<ApplyContext, 'drain' | 'lease'>): boolean {
  return drain?.aborted !== true && !lease.term.late.aborted;
}

/**
 * Whoever finds the intent of a killed run goes by its time: how long the object may take to show counts from there. So nothing
 * leaves long after it. What had to wait has its intent renewed when its turn has come: where many wait for a slow platform, to give the
 * turn back would be to wait as long again.
 */
export function inTime(context: ApplyContext, progress: Progress, sending: Sending): () => Promise<RemoteObject> {
  const { intent } = sending;
  const { world } = context;
  let begun = Date.parse(intent.createdAt);
  const ageMs = (): number => world.now() - begun;
  const isLate = (): boolean => ageMs() >= leavesWithinMs;
  const renew = (): Promise<void> => {
    begun = world.now();
    return progress.journal.begin({ ...intent, renewedAt: momentIn(world) });
  };
  const call = sent(context, sending, {
    // A connection may still have to be made.
    atTurn: async () => void (ageMs() >= leavesWithinMs / 2 && (await renew())),
    mayLeave: () => !isLate(),
  });
  return async () => {
    for (;;) {
      if (isLate()) await renew();
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof NotSentError && isLate() && mayStillSend(context))) throw error;
      }
    }
  };
}
