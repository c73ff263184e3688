import type { FleetRow } from '@platform-sync/core/model/fleet';
import { groupBy } from '@platform-sync/core/model/graph';
import type { KeptPlan } from '@platform-sync/state/fleet-record';
import { isOneOf, roleOf, suffices } from './access.js';
import { missingApproval } from './approval.js';
import { rowName, type Standing, type WaitingPlan } from './fleet-view.js';
import type { Visitor } from './guard.js';
import type { SaidOfEffect } from './store.js';

type Place = Pick<FleetRow, 'project' | 'stack'>;

/** What waits for one person: plans that they may approve and have not, and those that may be applied. */
export function waitingFor(
  { person, fleet }: Visitor,
  rows: readonly Standing[],
  plans: readonly (Place & Omit<KeptPlan, 'plan'>)[],
  said: readonly SaidOfEffect[],
): readonly WaitingPlan[] {
  if (person === undefined) return [];
  const names = [...person.names, ...person.aliases];
  const known = new Map(rows.map((row) => [rowName(row), row]));
  const bySaid = groupBy(said, (one) => `${rowName(one)} ${one.effect}`);
  return plans.flatMap((plan) => {
    const row = known.get(rowName(plan));
    const all = bySaid.get(`${rowName(plan)} ${plan.effect}`) ?? [];
    if (row === undefined || isDone(row, plan, all)) return [];
    if (!suffices(roleOf(person, row, fleet.settings.roles), 'approver')) return [];
    const open = all.filter(({ used }) => used === undefined);
    const missing = missingApproval(plan, open, fleet.settings.approvals ?? 1);
    if (missing === undefined) return [plan];
    const isMine = isOneOf(names, plan.authors) || open.some((one) => isOneOf(names, one.names));
    return isMine ? [] : [{ ...plan, missing }];
  });
}

/** It was applied, or what it was planned on was. */
function isDone(
  { lastApply }: Standing,
  { at, commit }: Omit<KeptPlan, 'plan'>,
  said: readonly Pick<SaidOfEffect, 'used'>[],
): boolean {
  return (
    said.some(({ used }) => used !== undefined && used >= at) ||
    (commit === undefined && lastApply !== undefined && lastApply.at >= at)
  );
}
