import {
  type CheckSummary,
  type DriftResult,
  driftSeverities,
  type DriftStatus,
  type Finding,
  type ResolvedFinding,
  summaryOf,
} from '@platform-sync/core/model/drift';
import { visible } from './escape.js';
import { count } from './value.js';

export const driftMarks: Readonly<Record<DriftStatus, string>> = {
  clean: '✅',
  drift: '⚠️',
  incomplete: '❓',
  failed: '⛔',
};

/** `Drift: 3 findings (1 high, 2 medium) among 40 objects.` Never claims "no drift" for what was not compared. */
export function driftVerdict(result: DriftResult): string {
  return checkVerdict(summaryOf(result));
}

/** The same of a check of which only the numbers are known. */
export function checkVerdict({ status, findings, notCompared, compared, unrecorded }: CheckSummary): string {
  if (status === 'failed') return 'The check could not be made: nothing is known about drift.';
  const total = driftSeverities.reduce((sum, severity) => sum + findings[severity], 0);
  const found = `${count(total, 'finding')} (${severityWords(findings)})`;
  if (unrecorded !== undefined) {
    const drift = total === 0 ? '' : ` Drift: ${found}.`;
    const all =
      unrecorded === 1
        ? 'the one resource of the catalogue was not'
        : `none of the ${unrecorded} resources of the catalogue was`;
    return `Nothing is recorded for this stack, so ${all} compared.${drift}`;
  }
  if (status === 'incomplete') {
    return `${count(notCompared, 'read')} failed, so not everything was compared; among ${count(compared, 'object')}: ${total === 0 ? 'no drift' : `drift: ${found}`}.`;
  }
  if (total === 0) return `No drift among ${count(compared, 'object')}.`;
  return `Drift: ${found} among ${count(compared, 'object')}.`;
}

/** `1 high, 2 low` */
function severityWords(numbers: CheckSummary['findings']): string {
  return driftSeverities
    .filter((severity) => numbers[severity] > 0)
    .map((severity) => `${numbers[severity]} ${severity}`)
    .join(', ');
}

/** What happened, as a clause without names and values. */
export function findingClause(finding: Finding): string {
  switch (finding.class) {
    case 'modified':
      return finding.alsoInFile === true ? 'changed outside, and in the catalogue, too' : 'changed outside';
    case 'undeclared-changed':
      return 'changed outside; the catalogue does not mention it';
    case 'deleted':
      return finding.with === undefined ? 'deleted outside' : 'deleted along with what it lived in';
    case 'expired-rule':
      return 'a rule to ignore it has run out';
    case 'unmanaged':
      return finding.visible === true ? 'unmanaged, and visible to the public' : 'unmanaged';
  }
}

/** `new`, `worse since the last check`, `known`. */
export const trendWords: Readonly<Record<Finding['trend'], string>> = {
  new: 'new',
  worse: 'changed again or graver since the last check',
  known: 'known',
};

/** `petstore.labels` */
export function findingName(finding: Pick<Finding, 'address' | 'field'>): string {
  return finding.field === undefined ? finding.address : `${finding.address}.${finding.field}`;
}

/** How a finding came to an end. */
export const endWords: Readonly<Record<ResolvedFinding['by'], string>> = {
  settled: 'no longer differs',
  ignored: 'ignored by a rule',
};

/** `2026-01-02 03:04 UTC` of an ISO time. */
export function shortTime(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso);
  return match === null ? iso : `${match[1] ?? ''} ${match[2] ?? ''} UTC`;
}

/** Said on top: the rest of the stack was not judged. */
export function partialDriftLine({ targets, excludes }: NonNullable<DriftResult['partial']>): string {
  const parts = [
    ...(targets.length > 0 ? [`only ${targets.map(visible).join(', ')}`] : []),
    ...(excludes.length > 0 ? [`without ${excludes.map(visible).join(', ')}`] : []),
  ];
  return `Part of the stack: ${parts.join(', ')}. The rest was not checked, and nothing was stored.`;
}
