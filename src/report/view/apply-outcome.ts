import { groupBy } from '@platform-sync/core/model/graph';
import type { ApplyResult, StepResult } from '@platform-sync/core/model/results';
import type { Address } from '@platform-sync/core/model/address';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import type { GuardFinding, PlanValue } from '@platform-sync/core/model/plan';
import { visible } from '../words/escape.js';
import { count } from '../words/value.js';

/** The result of an apply as a document (`--report`): what was done, and what a reader elsewhere needs besides. */
export interface ApplyOutcome extends Omit<ApplyResult, 'status'> {
  /** `unknown`: the run began and ended without a word; it was killed, or its machine was lost. */
  readonly status: ApplyResult['status'] | 'unknown';
  readonly formatVersion: 1;
  readonly kind: 'apply-result';
  readonly engine?: string;
  /** Absent where the project could not even be opened. */
  readonly project?: string;
  readonly stack?: string;
  readonly targets?: Readonly<Record<string, string>>;
  /** For `unknown`: steps that began, and of whose end nothing is known. */
  readonly open?: readonly Pick<StepResult, 'address' | 'action'>[];
  readonly planDigest?: string;
  /** Of what the plan does: see `Plan.effectDigest`. */
  readonly effectDigest?: string;
  readonly exitCode: number;
  /** ISO 8601 UTC. */
  readonly endedAt?: string;
  /** The pipeline's run that applied; absent outside of one. */
  readonly pipeline?: Pipeline;
  /** `file:line:column` of the steps that were not done. */
  readonly sources?: Readonly<Record<Address, string>>;
  /** For `blocked`: what holds the plan back. */
  readonly guards?: readonly GuardFinding[];
}

/** What an apply came to, in one word. */
type ApplyState =
  | 'applied'
  | 'nothing'
  | 'partly'
  | 'failed'
  | 'cancelled'
  | 'unknown'
  | 'superseded'
  | 'blocked'
  | 'incomplete'
  | 'not-begun';

interface StateFacts {
  readonly mark: string;
  readonly title: string;
  /** How many steps were done and not is worth a line. */
  readonly counts: boolean;
  /** Colours of the page. */
  readonly tone: 'blocked' | 'incomplete' | 'dangerous' | 'changes' | 'clean';
  /** What helps, and what is typed for it. */
  readonly advice?: string;
  readonly typed?: 'what is left' | 'plan';
}

const goOn = {
  advice: 'Fix the cause and apply again: only the rest is done.',
  typed: 'what is left',
} as const;

/** Everything that is said about a state, whatever the form. */
export const applyStates: Readonly<Record<ApplyState, StateFacts>> = {
  applied: { mark: '✅', title: 'Applied', counts: true, tone: 'clean' },
  nothing: { mark: '✅', title: 'Nothing to apply', counts: false, tone: 'clean' },
  partly: { mark: '⚠️', title: 'Partly applied', counts: true, tone: 'dangerous', ...goOn },
  failed: { mark: '⛔', title: 'The apply failed', counts: true, tone: 'blocked', ...goOn },
  cancelled: {
    ...{ mark: '🛑', title: 'The apply was cancelled', counts: true, tone: 'dangerous' },
    advice: 'What was done is in state. To go on, apply again: only the rest is done.',
    typed: 'what is left',
  },
  unknown: {
    ...{ mark: '❓', title: 'What became of the apply is unknown', counts: false, tone: 'incomplete' },
    advice:
      'It began and left no result. Each write that it began is in state as an intent; the next plan finds out what became of it.',
  },
  superseded: {
    ...{ mark: '⏩', title: 'Superseded: nothing was changed', counts: false, tone: 'incomplete' },
    advice: 'The reviewed plan no longer fits. Plan again, and have the new plan reviewed.',
    typed: 'plan',
  },
  blocked: { mark: '⛔', title: 'Blocked: nothing was changed', counts: false, tone: 'blocked' },
  incomplete: { mark: '❓', title: 'Applied as far as it was compared', counts: true, tone: 'incomplete' },
  'not-begun': { mark: '⏸️', title: 'Not begun: nothing was changed', counts: false, tone: 'incomplete' },
};

const stateOfStatus: Readonly<Record<ApplyOutcome['status'], ApplyState>> = {
  done: 'applied',
  partly: 'partly',
  failed: 'failed',
  interrupted: 'cancelled',
  unknown: 'unknown',
  stale: 'superseded',
  blocked: 'blocked',
};

type Ended = Pick<ApplyOutcome, 'status' | 'steps'> & Partial<Pick<ApplyOutcome, 'diagnostics' | 'exitCode'>>;

export function applyState({ status, steps, diagnostics = [], exitCode }: Ended): ApplyState {
  // What could not be read was left alone: nobody knows whether it is as it should be.
  if (status === 'done' && exitCode === 3) return 'incomplete';
  if (diagnostics.some(({ code }) => code === 'stack-not-begun')) return 'not-begun';
  return status === 'done' && steps.length === 0 ? 'nothing' : stateOfStatus[status];
}

/** `Partly applied: 2 done, 1 failed, 3 skipped` */
export function applyTitle(result: Ended): string {
  const { title, counts } = applyStates[applyState(result)];
  return counts && result.steps.length > 0 ? `${title}: ${stepCounts(result)}` : title;
}

/** `Applied: 2 done, 0 failed, 0 skipped, 7 requests.` */
export function endingOf(result: Ended & Pick<ApplyOutcome, 'requests'>): string {
  const { title, counts } = applyStates[applyState(result)];
  if (!counts) return `${title}.`;
  const of = (outcome: StepResult['outcome']): number => result.steps.filter((step) => step.outcome === outcome).length;
  return `${title}: ${of('done')} done, ${of('failed')} failed, ${of('skipped')} skipped, ${count(result.requests, 'request')}.`;
}

/** `2 done, 1 failed`; what there is none of is left out. */
function stepCounts({ steps }: Pick<ApplyResult, 'steps'>): string {
  return (['done', 'failed', 'skipped'] as const)
    .map((outcome) => [outcome, steps.filter((step) => step.outcome === outcome).length] as const)
    .filter(([, number]) => number > 0)
    .map(([outcome, number]) => `${number} ${outcome}`)
    .join(', ');
}

/** Outputs as they are now; those of a run that did nothing are no news. */
export function outputsToShow({
  outputs,
  status,
}: Pick<ApplyOutcome, 'outputs' | 'status'>): readonly (readonly [string, PlanValue])[] {
  return status === 'done' || status === 'partly' ? Object.entries(outputs) : [];
}

/** Steps that were left out, by why; the order of first occurrence. */
export function skippedByCause(steps: readonly StepResult[]): ReadonlyMap<string, readonly StepResult[]> {
  return groupBy(
    steps.filter(({ outcome }) => outcome === 'skipped'),
    whySkipped,
  );
}

export function whySkipped({ because }: StepResult): string {
  if (because === 'interrupted') return 'the run was interrupted';
  if (because === 'stopped') return 'the run could not go on';
  return `${visible(because ?? 'what it needs')} was not done`;
}
