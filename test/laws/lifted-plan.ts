import type { PlanResult, Project } from '@platform-sync/engine/api';

/** A plan for which it was said that what nobody manages may end along with what leaves the catalogue. */
export async function liftedPlan(project: Project): Promise<PlanResult> {
  const planned = await project.plan();
  const along = planned.plan?.guards.filter(({ name }) => name.startsWith('goes-along')) ?? [];
  if (along.length === 0) return planned;
  return project.plan({ allow: along.map(({ name }) => ({ guard: name, reason: 'law' })) });
}
