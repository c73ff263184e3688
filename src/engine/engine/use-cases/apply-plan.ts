import type { ApplyOptions, ApplyResult, OutlinedPlan, PlanMismatch, StepResult } from '../api.js';
import { execute, type Execution } from '../apply/execute.js';
import { defined, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { type Diagnostic, hasErrors } from '@platform-sync/core/model/diagnostic';
import type { PlanOutline } from '@platform-sync/core/model/plan';
import type { RunEnd, RunMessage, RunPlan } from '@platform-sync/core/model/run';
import type { StackState, StateChange } from '@platform-sync/core/model/state';
import type { Lease } from '@platform-sync/core/model/state-store';
import { canonicalJson } from '@platform-sync/core/model/canonical';
import { isBlocked } from '../plan/guards/guard.js';
import { isEnd } from '../plan/contents.js';
import { madeInEnds } from '../plan/problems.js';
import { type DesiredStep, operationsOf } from '../plan/step.js';
import { isSealed } from '@platform-sync/core/value/seal';
import { lookupKey } from '@platform-sync/core/resolve/evaluate';
import type { LookupCall } from '@platform-sync/core/resolve/lookup-call';
import { stateDiagnostics } from '@platform-sync/state/diagnose';
import { sealsOf } from '../sealed-state.js';
import type { Workspace } from '../workspace.js';
import { deliverOutbox, dropKept } from './deliver-outbox.js';
import { expectedDiagnostics } from './expected.js';
import { withLease } from './lease.js';
import { wrongValues } from './plan/decide.js';
import { ApplicablePlan, type Work } from './applicable-plan.js';
import { movesBetweenStacks, recordMoves } from './record-moves.js';

/** Carries out a plan made by this workspace. */
export async function applyPlan(
  workspace: Workspace,
  planned: OutlinedPlan,
  options: ApplyOptions = {},
): Promise<ApplyResult> {
  if (!(planned instanceof ApplicablePlan)) return notRun('failed', planned.diagnostics);
  const { plan, work }: ApplicablePlan<PlanOutline> = planned;
  if (isBlocked(plan.guards)) return notRun('blocked', []);
  try {
    if (hasNothingToWrite(work, plan) && !(await workspace.state()).isUnsealed()) return notRun('done', []);
    const { result, keptUnder } = await withLease(workspace, options, (lease) =>
      carryOut(workspace, plan, work, lease, options),
    );
    if (keptUnder === undefined) return result;
    return { ...result, diagnostics: [...result.diagnostics, await deliverOutbox(workspace, keptUnder, options)] };
  } catch (error) {
    return notRun('failed', expectedDiagnostics(error));
  }
}

interface CarriedOut {
  readonly result: ApplyResult;
  /** The run's lease, when results are kept on this machine that the state store may not have. */
  readonly keptUnder: Lease | undefined;
}

async function carryOut(
  workspace: Workspace,
  plan: PlanOutline,
  work: Work,
  lease: Lease,
  options: ApplyOptions,
): Promise<CarriedOut> {
  const store = await workspace.state();
  const kept = await workspace.outbox();
  const stored = await store.read();
  const mismatches = stateMismatches(plan, stored);
  if (mismatches.length > 0) return { result: { ...notRun('stale', []), mismatches }, keptUnder: undefined };
  const before = startingChanges(work, plan);
  if (movesBetweenStacks(work.steps))
    await (await import('./stack-moves.js')).takeOverMoved(workspace, work.steps, lease, options);
  const subjects = await workspace.subjects();
  await store.commit(lease, before, [{ ...noteOf(plan, work, options), ...defined({ subjects }) }]);
  work.recovered.forEach(workspace.emit);
  // Every intent that was open is closed now, by what was kept here or by a look.
  await dropKept(kept, lease);
  const execution = await execute({
    desired: work.desired,
    graph: work.graph,
    state: { ...work.state, targets: { ...work.state.targets, ...plan.targets } },
    steps: work.steps,
    ...{ inside: work.inside, strangers: work.strangers },
    typeOf: workspace.typeOf,
    providerOf: workspace.providerOf,
    lookups: (signal) => rememberedLookups(workspace, work, signal),
    wrongValues: (step, made) => wrongLateValues(workspace, work, step, made),
    store,
    lease,
    outbox: kept,
    explain: stateDiagnostics,
    redactor: workspace.redactor,
    seals: sealsOf(stored, workspace.redactor),
    // What it leaves open is told as this run's by whoever finds out what became of it.
    run: String(lease.token),
    world: workspace.world,
    concurrency: workspace.config.concurrency,
    config: workspace.config,
    failFast: options.failFast ?? false,
    ...defined({ drain: options.drain, signal: options.signal, destinations: options.destinations }),
    onEvent: workspace.emit,
  });
  if (execution.isRecorded) await dropKept(kept, lease);
  const requests = await workspace.requests();
  const [status, { steps }] = [statusOf(execution), execution];
  // Whoever held the stack while this was planned has let go of it: the lease is ours.
  const warnings = workspace.warnings.filter(({ code }) => code !== 'other-run');
  const end = endOf(workspace, { status, steps, requests }, warnings);
  // A run that can't say how it ended has ended all the same: what it did stands in the history.
  if (execution.diagnostics.length === 0)
    await store
      .commit(lease, [], [end])
      .then(() => dropOldRuns(workspace, lease))
      .catch((error: unknown) => expectedDiagnostics(error));
  const result = {
    ...{ status, steps, outputs: shownOutputs(execution.outputs) },
    diagnostics: [...warnings, ...execution.diagnostics],
    requests,
  };
  return { result, keptUnder: execution.isRecorded ? undefined : lease };
}

/** The history keeps runs as long as the settings say. */
async function dropOldRuns(workspace: Workspace, lease: Lease): Promise<void> {
  const { keepRunsDays: days } = workspace.config;
  if (days === undefined) return;
  const store = await workspace.state();
  // By the store's own clock: one that is wrong here must not empty the history.
  const [last] = await store.runs({ limit: 1 });
  if (last === undefined) return;
  await store.pruneRuns(lease, new Date(Date.parse(last.at) - days * 86_400_000).toISOString());
}

/** What the history says before the first request. */
function noteOf(
  { mode, effectDigest, guards, policies, notices }: PlanOutline,
  { steps }: Work,
  { by = {} }: ApplyOptions,
): RunPlan {
  const written = [...steps.values()].filter(({ operations }) => operations.length > 0);
  return {
    ...{ kind: 'plan', mode, ...by, ...defined({ effectDigest }) },
    lifted: guards.flatMap(({ name, lifted }) => (lifted === undefined ? [] : [{ guard: name, reason: lifted }])),
    ...defined({ policies: policies && { ...policies, found: ruleFindings(guards, notices) } }),
    steps: written.map(({ address, action, changes, options }) => ({
      ...{ address, action, fields: changes.map(({ rule }) => rule.name) },
      ...defined({ options }),
    })),
  };
}

function ruleFindings(
  guards: PlanOutline['guards'],
  notices: PlanOutline['notices'],
): NonNullable<RunPlan['policies']>['found'] {
  return [
    ...guards.flatMap(({ level, summary, addresses, lifted }) =>
      level === undefined ? [] : [{ level, summary, addresses, ...defined({ lifted }) }],
    ),
    ...notices.flatMap(({ code, summary, address }) =>
      code === 'policy-advice'
        ? [{ level: 'advise' as const, summary, addresses: address === undefined ? [] : [address] }]
        : [],
    ),
  ];
}

function endOf(
  workspace: Workspace,
  { status, steps, requests }: Pick<ApplyResult, 'status' | 'steps' | 'requests'>,
  warnings: readonly Diagnostic[],
): RunEnd {
  const waited = workspace.waits();
  const messages = messagesOf([...failuresOf(steps, workspace), ...warnings]);
  return {
    ...{ kind: 'end', status, steps: steps.map(plainStep), requests },
    ...(waited.length === 0 ? {} : { waited }),
    ...(messages.length === 0 ? {} : { messages }),
  };
}

/** A history keeps so many, each in so many characters a part. */
const [mostMessages, longestMessage] = [50, 2_000];

/** Each once, whatever it was of: a platform that is down says the same of a thousand steps. */
function messagesOf(said: readonly Diagnostic[]): readonly RunMessage[] {
  const byWords = new Map<string, RunMessage>();
  for (const { severity, code, summary, detail, hint, address } of said) {
    const key = JSON.stringify([summary, detail]);
    const cut = (text: string | undefined): string | undefined => text?.slice(0, longestMessage);
    const more = defined({ detail: cut(detail), hint: cut(hint), address });
    if (byWords.size < mostMessages && !byWords.has(key))
      byWords.set(key, { severity, code, summary: summary.slice(0, longestMessage), ...more });
  }
  return [...byWords.values()];
}

function failuresOf(steps: readonly StepResult[], { redactor }: Workspace): readonly Diagnostic[] {
  return steps.flatMap(({ address, diagnostics = [] }) =>
    redactor.diagnostics(diagnostics).map((each) => ({ address, ...each })),
  );
}

/** Problems are told; the history keeps how a step ended, and the words of the first that kept it from being done. */
function plainStep({ diagnostics, ...step }: StepResult): StepResult {
  const [first] = diagnostics ?? [];
  if (first === undefined) return step;
  const { severity, code, summary } = first;
  return { ...step, diagnostics: [{ severity, code, summary }] };
}

/** Results that the plan rests on are used again; only lookups that became possible during apply are called. */
function rememberedLookups(
  workspace: Workspace,
  work: Work,
  signal: AbortSignal | undefined,
): (call: LookupCall) => Promise<JsonObject> {
  const reads = workspace.reads({ isFresh: true, signal });
  return async (call) =>
    work.lookups.get(lookupKey(call.token, call.args, canonicalJson)) ?? (await workspace.catalogueLookup(call, reads));
}

/** Recovery, moves and targets: one transaction before the first call, and none at all when there is nothing to say. */
function startingChanges(work: Work, plan: PlanOutline): readonly StateChange[] {
  const moves = recordMoves(work.steps, work.state.resources);
  return [...work.recovery, ...moves, ...newTargets(work, plan)];
}

/** Where objects are that this stack has not had any of: what other stacks go by. */
export function newTargets({ state }: Pick<Work, 'state'>, plan: Pick<PlanOutline, 'targets'>): readonly StateChange[] {
  const targets = { ...state.targets, ...plan.targets };
  return canonicalJson(targets) === canonicalJson(state.targets) ? [] : [{ kind: 'targets', targets }];
}

/** True when neither the platform nor the state would change: then not even the lease is needed. */
function hasNothingToWrite(work: Work, plan: PlanOutline): boolean {
  const isSilent = operationsOf(work.steps).length === 0 && plan.outputs.length === 0;
  return isSilent && startingChanges(work, plan).length === 0 && ![...work.steps.values()].some((p) => p.recordOnly);
}

/** The state must be the one the plan was made from. */
export function stateMismatches(
  plan: PlanOutline,
  state: Pick<StackState, 'lineage' | 'serial'>,
): readonly PlanMismatch[] {
  const rows: PlanMismatch[] = [];
  if (plan.lineage !== state.lineage) {
    rows.push({
      what: 'state lineage',
      reviewed: plan.lineage,
      now: state.lineage,
      meaning: 'The plan was made from another state.',
    });
  } else if (plan.serial !== state.serial) {
    const meaning = 'Something was applied, imported or moved after the plan was made.';
    rows.push({ what: 'state serial', reviewed: String(plan.serial), now: String(state.serial), meaning });
  }
  return rows;
}

export function notRun(status: ApplyResult['status'], diagnostics: ApplyResult['diagnostics']): ApplyResult {
  return { status, steps: [], outputs: {}, diagnostics, requests: 0 };
}

function statusOf({ steps, interrupted, wroteSomething, diagnostics }: Execution): ApplyResult['status'] {
  const isDone = steps.every((step) => step.outcome === 'done') && !hasErrors(diagnostics);
  if (isDone) return 'done';
  if (interrupted) return 'interrupted';
  return wroteSomething ? 'partly' : 'failed';
}

function shownOutputs(outputs: JsonObject): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [name, isSealed(value) ? '(secret)' : value]),
  );
}

/** Of a home that only the run got to know, too: nothing is sent to one that the plan ends. What the run has made lives. */
async function wrongLateValues(
  workspace: Workspace,
  { desired, state, steps }: Work,
  step: DesiredStep,
  made: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const wrong = await wrongValues(workspace, desired, step);
  const ends = [...steps.values()].filter((each) => isEnd(each) && !made.has(each.actual?.identity.id ?? ''));
  const known = { desired, state, types: workspace.types(), snapshot: { readings: new Map() } };
  return [...wrong, ...madeInEnds(known, new Map([...ends, step].map((each) => [each.address, each])))];
}
