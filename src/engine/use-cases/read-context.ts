import type { GuardAllowance } from '../model/project.js';
import type { StackState } from '../model/state.js';
import type { Fingerprint } from '../plan/seal.js';
import { sameSealed } from '../plan/seal.js';
import type { RefreshContext } from '../refresh/refresh.js';
import type { Workspace } from '../workspace.js';

/** Missing objects that are always asked for: in a small stack every one is a large share. */
const fewMissing = 10;

/** What every reading of a stack has in common. `allow`: guards lifted for this run. */
export function readContext(
  workspace: Workspace,
  state: Pick<StackState, 'resources'>,
  seal: Fingerprint,
  allow: readonly GuardAllowance[] = [],
): Omit<RefreshContext, 'mode' | 'desired'> {
  const { guards, concurrency } = workspace.config;
  const isLifted = [...guards.allow, ...allow].some(({ guard }) => guard === 'maxMissing');
  const share = Math.floor((guards.maxDeletePercent * state.resources.size) / 100);
  return {
    recorded: state.resources,
    typeOf: workspace.typeOf,
    providerOf: workspace.providerOf,
    concurrency,
    // A plan that takes more for gone would hardly be let through; lists that lack that much are rather wrong.
    maxMissing: isLifted ? Number.POSITIVE_INFINITY : Math.max(fewMissing, Math.min(guards.maxDeletes, share)),
    same: (rule, actual, recorded) => sameSealed(rule, actual, recorded, seal),
    onEvent: workspace.emit,
  };
}
