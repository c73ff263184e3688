import { stackStates } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import { type Found, historyState } from '@platform-sync/report/document/found';
import type { RememberedStack } from '@platform-sync/state/fleet-record';

/** The last check of a job, unless somebody has checked since: it knows the values of what drifted, and the record does not. */
export function toldCheck({ history, jobs }: Pick<RememberedStack, 'history' | 'jobs'>): Found | undefined {
  const check = jobs.find(({ kind }) => kind === 'check');
  return check !== undefined && (history.lastCheck?.at ?? '') <= check.at ? check.found : undefined;
}

/** The worst of what is known: the last check, and the last job that was no check, unless an apply came later. */
export function standing(known: RememberedStack | undefined): Found {
  if (known === undefined) return { state: 'unknown', cause: 'It was never checked.' };
  const { history, lastApply, jobs } = known;
  const job = (kind: string): RememberedStack['jobs'][number] | undefined => jobs.find((one) => one.kind === kind);
  const [check, plan, apply] = [job('check'), job('plan'), job('apply')];
  const isNewest = (at: string, ...others: readonly (string | undefined)[]): boolean =>
    others.every((other) => other === undefined || other <= at);
  const remembered = historyState(history);
  const told = toldCheck(known);
  const found = [
    ...(told !== undefined ? [told] : history.lastCheck === undefined && plan !== undefined ? [] : [remembered]),
    ...(plan !== undefined && isNewest(plan.at, apply?.at, lastApply?.at) ? [plan.found] : []),
    ...(apply !== undefined && isNewest(apply.at, plan?.at) ? [apply.found] : []),
    ...(['failed', 'partly', 'interrupted'].includes(lastApply?.status ?? '') &&
    lastApply !== undefined &&
    isNewest(lastApply.at, plan?.at, check?.at, apply?.at)
      ? [{ state: 'failed', cause: `The last apply ended ${lastApply.status ?? ''}.`, since: lastApply.at } as const]
      : []),
  ];
  const worst = stackStates.flatMap((state) => found.filter((one) => one.state === state))[0] ?? remembered;
  return { ...worst, ...defined({ lastGood: history.lastSuccess, lastApply }) };
}
