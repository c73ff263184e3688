import { hasLateValues, problemsOnceKnown, type KnownNow } from '../catalogue/check/late-values.js';
import type { DesiredState } from '../model/desired.js';
import { hasErrors, type Diagnostic } from '../model/diagnostic.js';
import { makePlan } from '../plan/plan.js';
import type { Proposal } from '../plan/proposal.js';
import type { Workspace } from '../workspace.js';
import { completePlan, type CompletePlan } from './complete-plan.js';
import { brokenSpecifications, lateSpecifications, plannedSpecifications } from './specifications.js';

const writing: ReadonlySet<Proposal['action']> = new Set(['create', 'update', 'replace', 'adopt']);

/** A complete plan, or what is wrong with values that lookups and other objects turned out to have. */
export async function checkedPlan(...given: Parameters<typeof completePlan>): ReturnType<typeof completePlan> {
  const complete = await completePlan(...given);
  if ('errors' in complete) return complete;
  const [workspace] = given;
  const { proposals } = complete.planned;
  const { desired } = complete.input;
  const specifications = await brokenSpecifications(
    workspace,
    plannedSpecifications(proposals.values(), desired.variables),
    desired,
  );
  const errors = await wrongOnceKnown(workspace, complete);
  if (hasErrors([...errors, ...specifications])) return { errors: [...errors, ...specifications] };
  return specifications.length === 0 ? complete : withNotices(complete, specifications);
}

/** The same plan, which says more: planning is pure. */
function withNotices({ planned, input }: CompletePlan, specifications: readonly Diagnostic[]): CompletePlan {
  const said = { ...input, specifications };
  const again = makePlan(said);
  return { planned: again.kind === 'plan' ? again : planned, input: said };
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
  return [
    ...(await problemsOnceKnown(resource, validate, { sources, hidesSecrets: workspace.isUnderReview })),
    ...(await brokenSpecifications(workspace, lateSpecifications(resource, variables), { sources })).filter(isError),
  ];
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}
