import type { GuardAllowance } from '@platform-sync/core/model/project';
import type { StackState } from '@platform-sync/core/model/state';
import { momentIn } from '@platform-sync/core/model/world';
import type { RefreshContext } from '../refresh/context.js';
import { holds } from '../plan/guards/guard.js';
import type { Reads } from '../reads/reads.js';
import type { Seals } from '@platform-sync/core/value/seal';
import type { Workspace } from '../workspace.js';

/** Missing objects that are always asked for: in a small stack every one is a large share. */
const fewMissing = 10;

/** How long a write may not show, and until when it was sent if every answer of the platform shows it; empty where everything does. */
export function settling({
  config,
  world,
}: Pick<Workspace, 'config' | 'world'>): Pick<RefreshContext, 'settledBefore' | 'settleMs'> {
  const { settleMs } = config.timing;
  return settleMs > 0 ? { settledBefore: new Date(world.now() - settleMs).toISOString(), settleMs } : {};
}

/** What every reading of a stack has in common. `allow`: guards lifted for this run. */
export function readContext(
  workspace: Workspace,
  state: Pick<StackState, 'resources'>,
  seals: Seals,
  reads: Reads,
  allow: readonly GuardAllowance[] = [],
): Omit<RefreshContext, 'mode' | 'desired'> {
  const today = momentIn(workspace.world).slice(0, 10);
  const { guards, concurrency } = workspace.config;
  const isLifted = [...guards.allow, ...allow].some((one) => one.guard === 'maxMissing' && holds(one, today));
  const share = Math.floor((guards.maxDeletePercent * state.resources.size) / 100);
  return {
    recorded: state.resources,
    typeOf: workspace.typeOf,
    reads,
    concurrency,
    // A plan that takes more for gone would hardly be let through; lists that lack that much are rather wrong.
    maxMissing: isLifted ? Number.POSITIVE_INFINITY : Math.max(fewMissing, Math.min(guards.maxDeletes, share)),
    ...settling(workspace),
    same: (rule, actual, recorded) => seals.same(rule, actual, recorded),
    onEvent: workspace.emit,
  };
}
