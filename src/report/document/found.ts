import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import {
  type DriftHistory,
  type DriftResult,
  type DriftSeverity,
  driftSeverities,
  type Finding,
} from '@platform-sync/core/model/drift';
import type { FleetRow } from '@platform-sync/core/model/fleet';
import { isEmptyPlan, type Plan } from '@platform-sync/core/model/plan';
import { defined } from '@platform-sync/core/model/value';
import { findingCause } from './fleet.js';
import { count } from '../words/value.js';

/** What is found of one stack. */
export type Found = Pick<FleetRow, 'state' | 'cause'> & Partial<FleetRow>;

export function failed(problems: readonly Diagnostic[]): Found {
  const first = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  return { state: 'failed', cause: first?.summary ?? 'The project could not be opened.' };
}

export function stateOf(result: DriftResult): Found {
  const { status, findings, notCompared, unrecorded, diagnostics, lastSuccess, unapplied } = result;
  const known = defined({ lastGood: lastSuccess });
  if (status === 'failed') return { ...failed(diagnostics), ...known, ...defined({ since: lastSuccess }) };
  if (unrecorded !== undefined) return { state: 'unknown', cause: 'Nothing is recorded for this stack.', ...known };
  const [unread] = notCompared;
  if (status === 'incomplete')
    return {
      state: 'unknown',
      cause: unread?.diagnostic.summary ?? 'Not everything was compared.',
      ...known,
      ...defined({ since: unread?.firstSeen }),
    };
  if (findings.length > 0) return { state: 'drift', ...driftCause(findings), ...known };
  if (unapplied.length > 0)
    return {
      state: 'waiting',
      cause: `${count(unapplied.length, 'change')} of the catalogue not applied`,
      waiting: unapplied.length,
      ...known,
    };
  return { state: 'clean', cause: '', ...known };
}

/** What the worst finding says, without the address: many stacks may have one cause. */
function driftCause(findings: readonly Finding[]): Pick<FleetRow, 'cause' | 'since' | 'findings'> {
  const causes = [...new Set(findings.map(findingCause))];
  const number = (severity: DriftSeverity): number => findings.filter((one) => one.severity === severity).length;
  const [since = ''] = findings.map(({ firstSeen }) => firstSeen).sort();
  return {
    cause: `${causes[0] ?? ''}${causes.length > 1 ? `, and ${count(causes.length - 1, 'other cause')}` : ''}`,
    since,
    findings: { high: number('high'), medium: number('medium'), low: number('low') },
  };
}

export function planState(plan: Plan): Found {
  const { steps, guards, notCompared } = plan;
  const blocking = guards.filter(({ lifted }) => lifted === undefined);
  const waiting = steps.length;
  if (blocking.length > 0)
    return {
      state: 'blocked',
      cause: `held back by ${blocking.map(({ name }) => name.split(':')[0] ?? name).join(', ')}`,
      waiting,
    };
  const [unread] = notCompared;
  if (unread !== undefined) return { state: 'unknown', cause: unread.diagnostic.summary, waiting };
  if (isEmptyPlan(plan)) return { state: 'clean', cause: '' };
  return { state: 'waiting', cause: `${count(waiting, 'step')} to apply`, waiting };
}

export function historyState({ findings, lastCheck, lastSuccess }: DriftHistory): Found {
  const known = defined({ lastGood: lastSuccess });
  if (lastCheck === undefined) return { state: 'unknown', cause: 'It was never checked.' };
  const open = findings.filter(({ resolvedAt }) => resolvedAt === undefined);
  const drift = open.filter((one) => one.class !== 'not-compared');
  const [since] = open.map(({ firstSeen }) => firstSeen).sort();
  if (lastCheck.status === 'failed')
    return { state: 'failed', cause: 'The last check failed.', ...known, ...defined({ since: lastSuccess }) };
  if (lastCheck.status === 'incomplete')
    return { state: 'unknown', cause: 'The last check could not compare everything.', ...known, ...defined({ since }) };
  if (drift.length === 0) return { state: 'clean', cause: '', ...known };
  const worst = driftSeverities.find((severity) => drift.some((one) => one.severity === severity)) ?? 'low';
  return {
    state: 'drift',
    cause: `${count(drift.length, 'finding')}, the worst ${worst}`,
    ...known,
    ...defined({ since }),
  };
}
