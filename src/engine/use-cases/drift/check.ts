import type { DriftOptions, PlanOptions } from '../../api.js';
import { classify } from '../../drift/classify.js';
import { withHistory, type Check } from '../../drift/history.js';
import { unappliedChanges } from '../../drift/unapplied.js';
import { defined } from '../../model/defined.js';
import type { Diagnostic } from '../../model/diagnostic.js';
import type { DriftHistory } from '../../model/drift-history.js';
import type { DriftResult, DriftStatus } from '../../model/drift.js';
import type { Plan } from '../../model/plan.js';
import type { StateStore } from '../../model/state-store.js';
import { isSuccess } from '../../state/drift-history.js';
import { sealsOf } from '../../seals.js';
import { engineVersion } from '../../version.js';
import type { Workspace } from '../../workspace.js';
import { planProject, type PlanPurpose } from '../plan-project.js';
import { remember, type CheckStart, type LaidCheck } from './memory.js';
import { chosenOf, isPart, partOf, type Part } from './part.js';
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
): Promise<DriftCheck> {
  const at = new Date().toISOString();
  const store = await workspace.state();
  const start: CheckStart = { at, after: (await store.driftHistory()).lastCheck?.number };
  // A look at a part is no check of the stack.
  const kept = isPart(options) ? { ...options, remember: false } : options;
  let part: Part | undefined;
  const readsOnly: PlanPurpose['readsOnly'] = async (desired, recorded) => {
    part = await partOf(workspace, options, desired, recorded);
    return part.reads;
  };
  const planned = await planProject(
    workspace,
    { ...planOptions, refresh: options.refresh ?? 'auto' },
    { isCheck: true, ...(isPart(options) ? { readsOnly } : {}) },
  );
  if (!(planned instanceof ApplicablePlan))
    return { result: await failed(workspace, store, start, planned.diagnostics, kept) };
  const looked: Looked = { at, planned, part };
  const check = checkOf(workspace, looked);
  const result = await remember(store, start, kept, (history) => laidOver(history, check, looked, workspace));
  return { result, planned };
}

/** What a check has seen. */
interface Looked {
  readonly at: string;
  readonly planned: ApplicablePlan;
  /** Absent: the whole stack. */
  readonly part: Part | undefined;
}

type Classified = ReturnType<typeof classify>;

const all = (): boolean => true;

/** The findings, before anything is known of earlier checks. */
function checkOf(workspace: Workspace, { at, planned: { plan, work }, part }: Looked): Check & Classified {
  const { isChosen = all, partial } = part ?? {};
  const classified = classify({
    proposals: partial === undefined ? work.proposals : chosenOf(work.proposals, isChosen),
    desired: work.desired,
    typeOf: workspace.typeOf,
    settings: workspace.config.drift ?? { severity: {}, ignore: [] },
    today: at.slice(0, 10),
    seals: sealsOf(work.state, workspace.redactor),
    ...defined({ unmanaged: partial === undefined ? work.unmanaged?.objects : undefined }),
  });
  // A rule that ran out is a finding whoever it is about.
  const findings = classified.findings.filter(({ address }) => isChosen(address));
  const notCompared = plan.notCompared.filter(({ address }) => address === undefined || isChosen(address));
  const unrecorded = unrecordedIn(work);
  const status = statusOf(notCompared.length + (unrecorded ?? 0), findings.length);
  const watched = watchedBy(work, plan, workspace);
  return { ...classified, at, status, findings, notCompared, ...defined({ unrecorded }), watched };
}

function laidOver(
  history: DriftHistory,
  check: Check & Classified,
  { at, planned: { plan, diagnostics }, part }: Looked,
  workspace: Workspace,
): LaidCheck {
  const { isChosen = all, partial } = part ?? {};
  const { findings, notCompared, note, ...laid } = withHistory(check, history);
  const resolved = partial === undefined ? laid.resolved : [];
  const lastSuccess = isSuccess(check.status) && partial === undefined ? at : history.lastSuccess;
  return {
    note,
    result: {
      ...heading(workspace, at, check.status),
      ...defined({ partial }),
      targets: plan.targets,
      ...{ findings, notCompared, resolved },
      ...{ ignored: check.ignored, converged: check.converged },
      // What exists already is not known: nothing is claimed to be new.
      unapplied:
        check.unrecorded === undefined ? unappliedChanges(plan).filter(({ address }) => isChosen(address)) : [],
      unmanaged: partial === undefined ? plan.unmanaged.filter(({ count }) => count > 0) : [],
      compared: check.compared,
      ...defined({ unrecorded: check.unrecorded, lastSuccess, before: history.lastCheck?.status }),
      lineage: plan.lineage,
      requests: plan.meta.requests,
      diagnostics: [...plan.notices.filter(({ code }) => code === 'no-record'), ...diagnostics],
    },
  };
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
