import { defined } from '@platform-sync/core/model/defined';
import type { ApplyResult, ReviewedOptions } from '../api.js';
import type { Plan } from '@platform-sync/core/model/plan';
import type { Workspace } from '../workspace.js';
import { applyPlan, notRun } from './apply-plan.js';
import { compareEffects, comparePlans, foreignPlan } from './compare-plans.js';
import { expectedDiagnostics } from './expected.js';
import { holdStack } from './lease.js';
import { planProject } from './plan-project.js';

/**
 * Carries out a reviewed plan, or nothing: plans again from what is there now, and compares. Only an equal plan (or one of equal
 * effect, where the effect is what was approved) is applied, so nothing happens that was not reviewed.
 */
export async function applyReviewed(
  workspace: Workspace,
  reviewed: Plan,
  options: ReviewedOptions = {},
): Promise<ApplyResult> {
  try {
    // From here to the end nobody else changes what is compared and then carried out.
    return await holdStack(workspace, options, () => applyUnchanged(workspace, reviewed, options));
  } catch (error) {
    return notRun('failed', expectedDiagnostics(error));
  }
}

async function applyUnchanged(workspace: Workspace, reviewed: Plan, options: ReviewedOptions): Promise<ApplyResult> {
  const foreign = foreignPlan(reviewed, workspace.config);
  if (foreign !== undefined) return { ...notRun('stale', []), mismatches: [foreign] };
  const lifted = reviewed.guards.flatMap((guard) =>
    guard.lifted === undefined ? [] : [{ guard: guard.name, reason: guard.lifted }],
  );
  const planned = await planProject(workspace, {
    ...defined({ destinations: options.destinations }),
    mode: reviewed.mode === 'refresh' ? 'apply' : reviewed.mode,
    allow: lifted,
    targets: reviewed.partial?.targets ?? [],
    excludes: reviewed.partial?.excludes ?? [],
    noDelete: reviewed.leftOut !== undefined,
    replace: reviewed.steps
      .filter((step) => step.reasons.some((reason) => reason.kind === 'requested'))
      .map((step) => step.address),
    resend: reviewed.steps
      .filter((step) => step.reasons.some((reason) => reason.kind === 'resend'))
      .map((step) => step.address),
  });
  if (planned.plan === undefined) return notRun('failed', planned.diagnostics);
  const mismatches = (options.byEffect === true ? compareEffects : comparePlans)(reviewed, planned.plan);
  if (mismatches.length > 0) return { ...notRun('stale', planned.diagnostics), mismatches };
  return applyPlan(workspace, planned, options);
}
