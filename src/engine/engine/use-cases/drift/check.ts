import type { DriftOptions, PlanOptions } from '../../api.js';
import { comparisonOf, type Comparison } from '../../drift/comparison.js';
import { withHistory, type Check } from '../../drift/history.js';
import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftHistory, DriftResult, DriftStatus } from '@platform-sync/core/model/drift';
import type { Plan } from '@platform-sync/core/model/plan';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { momentIn } from '@platform-sync/core/model/world';
import { isSuccess } from '@platform-sync/state/drift-history';
import { sealsOf } from '../../sealed-state.js';
import { engineVersion } from '../../version.js';
import type { Workspace } from '../../workspace.js';
import { planProject, type PlanPurpose } from '../plan-project.js';
import { remember, type CheckStart, type LaidCheck } from './memory.js';
import { catalogueChoice, sinceCommit } from '../selection/terms.js';
import { isPart, partOf, type Part } from '../selection/part.js';
import { ApplicablePlan, type Work } from '../applicable-plan.js';

/** A check, and the plan that it was made of; without one it failed. */
interface DriftCheck {
  readonly result: DriftResult;
  readonly planned?: ApplicablePlan;
}

/**
 * Recorded against actual. A plan is made on the way: it reads what exists, and tells what the catalogue has not
 * applied yet from what somebody changed outside. Takes no lease.
 */
export async function checkDrift(
  workspace: Workspace,
  options: DriftOptions = {},
  planOptions: Pick<PlanOptions, 'allow'> = {},
  purpose: Pick<PlanPurpose, 'isCarriedOut'> = {},
): Promise<DriftCheck> {
  const at = momentIn(workspace.world);
  const store = await workspace.state();
  const start: CheckStart = { at, after: (await store.driftHistory()).number };
  // A look at a part is no check of the stack.
  const kept = isPart(options) ? { ...options, remember: false } : options;
  let part: Part | undefined;
  const readsOnly: PlanPurpose['readsOnly'] = async (desired, recorded) => {
    const choice = catalogueChoice(desired, recorded);
    part = await partOf(options, choice, recorded, sinceCommit(workspace, desired));
    return part.reads;
  };
  const planned = await planProject(
    workspace,
    { ...planOptions, refresh: options.refresh ?? 'auto' },
    { ...purpose, isCheck: true, ...(isPart(options) ? { readsOnly } : {}) },
  );
  if (!(planned instanceof ApplicablePlan))
    return { result: await failed(workspace, store, start, planned.diagnostics, kept) };
  const check = checkOf(workspace, planned, at, part);
  const result = await remember(store, start, kept, (history) => laidOver(history, check, planned, workspace, part));
  return { result, planned };
}

const all = (): boolean => true;

/** The findings, before anything is known of earlier checks. */
function checkOf(
  workspace: Workspace,
  { plan, work }: ApplicablePlan,
  at: string,
  { isChosen = all, partial }: Partial<Part> = {},
): Check & Comparison {
  const comparison = comparisonOf({
    plan,
    steps: partial === undefined ? work.steps : chosenOf(work.steps, isChosen),
    desired: work.desired,
    typeOf: workspace.typeOf,
    settings: workspace.config.drift ?? { severity: {}, ignore: [] },
    at,
    seals: sealsOf(work.state, workspace.redactor),
    ...defined({ unmanaged: partial === undefined ? work.unmanaged?.objects : undefined }),
  });
  // A rule that ran out is a finding whoever it is about.
  const findings = comparison.findings.filter(({ address }) => isChosen(address));
  const notCompared = comparison.notCompared.filter(({ address }) => address === undefined || isChosen(address));
  const unrecorded = unrecordedIn(work);
  // What exists already is not known: nothing is claimed to be new.
  const unapplied = unrecorded === undefined ? comparison.unapplied.filter(({ address }) => isChosen(address)) : [];
  const status = statusOf(notCompared.length + (unrecorded ?? 0), findings.length);
  const watched = watchedBy(work, plan, workspace);
  return { ...comparison, at, status, findings, notCompared, unapplied, ...defined({ unrecorded }), watched };
}

function laidOver(
  history: DriftHistory,
  check: Check & Comparison,
  { plan, diagnostics }: ApplicablePlan,
  workspace: Workspace,
  { partial }: Partial<Part> = {},
): LaidCheck {
  const { at, status, ignored, converged, unapplied, compared, unrecorded } = check;
  const { findings, notCompared, note, flapping, ...laid } = withHistory(
    check,
    history,
    workspace.config.drift?.flapping,
  );
  const lastSuccess = isSuccess(status) && partial === undefined ? at : history.lastSuccess;
  return {
    note,
    result: {
      ...heading(workspace, at, status),
      ...defined({ partial }),
      targets: plan.targets,
      findings,
      notCompared,
      resolved: partial === undefined ? laid.resolved : [],
      ignored,
      converged,
      unapplied,
      unmanaged: partial === undefined ? plan.unmanaged.filter(({ count }) => count > 0) : [],
      compared,
      ...defined({
        unrecorded,
        lastSuccess,
        flapping: partial === undefined ? flapping : undefined,
        before: history.lastCheck?.status,
      }),
      lineage: plan.lineage,
      requests: plan.meta.requests,
      diagnostics: [
        ...plan.notices.filter(({ code }) => code === 'no-record' || code === 'state-frozen'),
        ...diagnostics,
      ],
    },
  };
}

function chosenOf(steps: Work['steps'], isChosen: Part['isChosen']): Work['steps'] {
  return new Map([...steps].filter(([address, { recorded }]) => isChosen(recorded?.address ?? address)));
}

/** How many resources the catalogue has, where state remembers nothing: that is no evidence of anything. */
function unrecordedIn({ desired, state }: Work): number | undefined {
  return state.resources.size === 0 && desired.resources.size > 0 ? desired.resources.size : undefined;
}

/** Of which types objects that nobody manages were looked for, and of which nothing can be said. */
function watchedBy({ unmanaged }: Work, { notCompared }: Plan, workspace: Workspace): Check['watched'] {
  const unread = notCompared.map(({ type }) => workspace.typeOf(type).name);
  return { types: unmanaged?.types ?? new Set(), silent: new Set([...unread, ...(unmanaged?.busy ?? [])]) };
}

function statusOf(unknown: number, findings: number): DriftStatus {
  if (unknown > 0) return 'incomplete';
  return findings > 0 ? 'drift' : 'clean';
}

function heading(
  { config }: Workspace,
  checkedAt: string,
  status: DriftStatus,
): Pick<DriftResult, 'formatVersion' | 'engine' | 'project' | 'stack' | 'checkedAt' | 'status'> {
  const { project, stack } = config;
  return { formatVersion: 1, engine: engineVersion, project, stack, checkedAt, status };
}

/** A check that could not be made says nothing about any finding. */
async function failed(
  workspace: Workspace,
  store: StateStore,
  start: CheckStart,
  diagnostics: readonly Diagnostic[],
  options: DriftOptions,
): Promise<DriftResult> {
  const requests = await workspace.requests();
  const { at } = start;
  return remember(store, start, options, ({ lastSuccess, lastCheck }) => ({
    note: { at, status: 'failed', seen: [], resolved: [] },
    result: {
      ...heading(workspace, at, 'failed'),
      ...{ targets: {}, findings: [], notCompared: [], resolved: [], ignored: [], converged: [] },
      ...{ unapplied: [], unmanaged: [], compared: 0 },
      ...defined({ lastSuccess, before: lastCheck?.status }),
      requests,
      // They are kept to be told.
      diagnostics: workspace.redactor.diagnostics(diagnostics),
    },
  }));
}
