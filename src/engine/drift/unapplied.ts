import { ownMember } from '../model/own-member.js';
import { defined } from '../model/defined.js';
import type { Unapplied } from '../model/drift.js';
import type { Plan, Step } from '../model/plan.js';

/** Steps of a plan that the catalogue asks for, and not a change outside. */
export function unappliedChanges(plan: Plan): readonly Unapplied[] {
  return plan.steps.flatMap((step): readonly Unapplied[] => {
    const fields = step.fields.filter(({ cause }) => cause !== 'drift').map(({ field }) => field);
    if (isOnlyDrift(step, fields)) return [];
    const source = ownMember(plan.meta.sources, step.address);
    const listed = step.action === 'update' || step.action === 'replace' ? fields : [];
    return [
      {
        ...{ address: step.address, type: step.type, action: step.action, fields: listed },
        ...defined({ source }),
      },
    ];
  });
}

function isOnlyDrift(step: Step, configured: readonly string[]): boolean {
  if (step.reasons.some((reason) => reason.kind === 'gone')) return true;
  if (step.action === 'update') return configured.length === 0;
  return step.action === 'replace' && step.cause === 'drift';
}
