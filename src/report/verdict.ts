import { isEmptyPlan } from '../engine/model/plan.js';
import type { Plan } from '../engine/model/plan.js';
import { isBlocked } from './guards.js';
import { count } from './plural.js';

/** The one word for a plan; the gravest that holds. */
export type Verdict = 'blocked' | 'incomplete' | 'dangerous' | 'changes' | 'clean';

export function verdictOf(plan: Plan, dangers: number): Verdict {
  if (isBlocked(plan.guards)) return 'blocked';
  if (plan.notCompared.length > 0) return 'incomplete';
  if (dangers > 0) return 'dangerous';
  return isEmptyPlan(plan) ? 'clean' : 'changes';
}

export const verdictMarks: Readonly<Record<Verdict, string>> = {
  blocked: '⛔',
  incomplete: '❓',
  dangerous: '⚠️',
  changes: '📝',
  clean: '✅',
};

/** `Blocked by 1 guard; 2 reads failed; 3 changes can hurt`. Holds no name and no value. */
export function verdictText(plan: Plan, dangers: number): string {
  const blocking = plan.guards.filter((guard) => guard.lifted === undefined).length;
  const parts = [
    ...(blocking > 0 ? [`Blocked by ${count(blocking, 'guard')}`] : []),
    ...(plan.notCompared.length > 0 ? [`${count(plan.notCompared.length, 'read')} failed`] : []),
    ...(dangers > 0 ? [`${count(dangers, 'change')} can hurt`] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  return isEmptyPlan(plan) ? 'No changes' : 'Changes, none of them dangerous';
}
