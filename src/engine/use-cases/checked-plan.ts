import { hasLateValues, problemsOnceKnown } from '../catalogue/check/late-values.js';
import type { KnownNow } from '../catalogue/check/late-values.js';
import type { DesiredState } from '../model/desired.js';
import type { Diagnostic } from '../model/diagnostic.js';
import type { Proposal } from '../plan/proposal.js';
import type { Workspace } from '../workspace.js';
import { completePlan } from './complete-plan.js';
import type { CompletePlan } from './complete-plan.js';

const writing: ReadonlySet<Proposal['action']> = new Set(['create', 'update', 'replace', 'adopt']);

/** A complete plan, or what is wrong with values that lookups and other objects turned out to have. */
export async function checkedPlan(...given: Parameters<typeof completePlan>): ReturnType<typeof completePlan> {
  const complete = await completePlan(...given);
  if ('errors' in complete) return complete;
  const errors = await wrongOnceKnown(given[0], complete);
  return errors.length > 0 ? { errors } : complete;
}

async function wrongOnceKnown(
  workspace: Workspace,
  { planned, input: { desired } }: CompletePlan,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const { desired: resource, type, declared, action } of planned.proposals.values())
    if (resource !== undefined && writing.has(action) && hasLateValues(resource, desired.variables))
      found.push(...(await wrongValues(workspace, desired, { desired: resource, type, declared })));
  return found;
}

/** What is wrong with the values of a resource, as far as they are known by now. */
export async function wrongValues(
  workspace: Workspace,
  { sources, variables }: DesiredState,
  resource: KnownNow,
): Promise<readonly Diagnostic[]> {
  if (!hasLateValues(resource.desired, variables)) return [];
  const validate: Workspace['validate'] = (token, values) => workspace.validate(token, values);
  return problemsOnceKnown(resource, validate, { sources, hidesSecrets: workspace.isUnderReview });
}
