import type { AllFindings, PlanOptions, PlanResult } from '../../api.js';
import { revertPlan } from '../../drift/revert-plan.js';
import { selectFindings } from '../../drift/select-findings.js';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { driftSeverities, type DriftResult, type Finding } from '@platform-sync/core/model/drift';
import { sealsOf } from '../../sealed-state.js';
import type { Workspace } from '../../workspace.js';
import { checkDrift } from './check.js';
import { ApplicablePlan } from '../applicable-plan.js';
import { brokenSpecifications, plannedSpecifications } from '../specifications.js';

/** A plan that puts findings back; `apply` carries it out like any other. */
export async function revertDrift(
  workspace: Workspace,
  words: readonly string[] | AllFindings,
  options: Pick<PlanOptions, 'allow'> = {},
): Promise<PlanResult> {
  const { result, planned } = await checkDrift(workspace, { remember: false }, options, { isCarriedOut: true });
  if (planned === undefined) return { diagnostics: result.diagnostics };
  const { plan, work } = planned;
  const selected = isList(words) ? selectFindings(result.findings, words) : allOf(result, words);
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
  const waiting = reverted.waiting.map((finding): Diagnostic => ({
    ...refused(finding),
    severity: isList(words) ? 'error' : 'info',
    hint: `Another resource has the name of ${finding.address} until the catalogue is applied: sync plan`,
  }));
  const refusing = [...broken.filter((one) => reverted.plan.notices.includes(one)), ...waiting].filter(isError);
  if (refusing.length > 0) return { diagnostics: [...result.diagnostics, ...refusing] };
  return new ApplicablePlan(reverted.plan, [...result.diagnostics, ...waiting], { ...work, steps: reverted.steps });
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function isList(words: readonly string[] | AllFindings): words is readonly string[] {
  return Array.isArray(words);
}

/** What this commit asks for and has not applied yet would go along with its resource: those wait for the apply. */
function allOf(
  { findings, unapplied }: DriftResult,
  { severity, atMost }: AllFindings,
): { readonly findings: readonly Finding[]; readonly problems: readonly Diagnostic[] } {
  const grave = driftSeverities.slice(0, driftSeverities.indexOf(severity) + 1);
  const waiting = new Set(unapplied.map(({ address }) => address));
  const chosen = findings.filter(
    (found) => grave.includes(found.severity) && found.verbs.includes('revert') && !waiting.has(found.address),
  );
  if (chosen.length <= atMost) return { findings: chosen, problems: [] };
  const problem: Diagnostic = {
    severity: 'error',
    code: 'too-many-findings',
    summary: `${chosen.length} findings would be reverted, more than --at-most ${atMost}: nothing was done.`,
    hint: 'Look at them: sync drift',
  };
  return { findings: [], problems: [problem] };
}

function refused(finding: Finding): Diagnostic {
  return {
    severity: 'error',
    code: 'cannot-revert',
    summary: `No plan can revert ${finding.id} (${finding.address}).`,
    hint: finding.todo,
    address: finding.address,
    ...defined({ field: finding.field }),
  };
}
