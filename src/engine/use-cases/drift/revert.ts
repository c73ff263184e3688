import type { PlanOptions, PlanResult } from '../../api.js';
import { revertPlan } from '../../drift/revert-plan.js';
import { selectFindings } from '../../drift/select-findings.js';
import { defined } from '../../model/defined.js';
import type { Diagnostic } from '../../model/diagnostic.js';
import type { Finding } from '../../model/drift.js';
import { sealsOf } from '../../seals.js';
import type { Workspace } from '../../workspace.js';
import { checkDrift } from './check.js';
import { ApplicablePlan } from '../applicable-plan.js';
import { brokenSpecifications, plannedSpecifications } from '../specifications.js';

/** A plan that puts findings back; `apply` carries it out like any other. */
export async function revertDrift(
  workspace: Workspace,
  words: readonly string[],
  options: Pick<PlanOptions, 'allow'> = {},
): Promise<PlanResult> {
  const { result, planned } = await checkDrift(workspace, { remember: false }, options);
  if (planned === undefined) return { diagnostics: result.diagnostics };
  const { plan, work } = planned;
  const selected = selectFindings(result.findings, words);
  const problems = [...selected.problems, ...selected.findings.filter((f) => !f.verbs.includes('revert')).map(refused)];
  if (problems.length > 0) return { diagnostics: [...result.diagnostics, ...problems] };
  const { desired } = work;
  // A check publishes nothing, so it asks for none of this; what puts things back does.
  const written = plannedSpecifications(work.steps.values(), desired.variables);
  const broken = await brokenSpecifications(workspace, written, desired);
  const reverted = revertPlan({
    plan: { ...plan, notices: [...plan.notices, ...broken] },
    steps: work.steps,
    graph: work.graph,
    along: work.along,
    findings: selected.findings,
    seals: sealsOf(work.state, workspace.redactor),
  });
  const refusing = broken.filter((one) => one.severity === 'error' && reverted.plan.notices.includes(one));
  if (refusing.length > 0) return { diagnostics: [...result.diagnostics, ...refusing] };
  return new ApplicablePlan(reverted.plan, result.diagnostics, { ...work, steps: reverted.steps });
}

function refused(finding: Finding): Diagnostic {
  return {
    severity: 'error',
    code: 'cannot-revert',
    summary: `No plan can put ${finding.id} (${finding.address}) right.`,
    hint: finding.todo,
    address: finding.address,
    ...defined({ field: finding.field }),
  };
}
