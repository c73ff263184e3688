import type { DriftResult, DriftSeverity, DriftStatus, Finding, ResolvedFinding } from '../../engine/model/drift.js';
import { driftSeverities } from '../../engine/model/drift.js';
import { count } from './plural.js';

export const driftMarks: Readonly<Record<DriftStatus, string>> = {
  clean: '✅',
  drift: '⚠️',
  incomplete: '❓',
  failed: '⛔',
};

/** `Drift: 3 findings (1 high, 2 medium) among 40 objects.` Never claims "no drift" for what was not compared. */
export function driftVerdict(result: DriftResult): string {
  const { findings, notCompared, compared } = result;
  if (result.status === 'failed') return 'The check could not be made: nothing is known about drift.';
  const found =
    findings.length === 0 ? 'no drift' : `drift: ${count(findings.length, 'finding')} (${severityCounts(findings)})`;
  if (result.status === 'incomplete') {
    return `${count(notCompared.length, 'read')} failed, so that not everything was compared; among ${count(compared, 'object')}: ${found}.`;
  }
  if (findings.length === 0) return `No drift among ${count(compared, 'object')}.`;
  return `Drift: ${count(findings.length, 'finding')} (${severityCounts(findings)}) among ${count(compared, 'object')}.`;
}

/** `1 high, 2 low` */
export function severityCounts(findings: readonly { readonly severity: DriftSeverity }[]): string {
  return driftSeverities
    .map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length] as const)
    .filter(([, number]) => number > 0)
    .map(([severity, number]) => `${number} ${severity}`)
    .join(', ');
}

/** What happened, as a clause without names and values. */
export function findingClause(finding: Finding): string {
  switch (finding.class) {
    case 'modified':
      return finding.alsoInFile === true
        ? 'changed outside, and the catalogue says something new, too'
        : 'changed outside';
    case 'undeclared-changed':
      return 'changed outside; the catalogue does not mention it';
    case 'deleted':
      return finding.with === undefined ? 'deleted outside' : 'deleted along with what it lived in';
    case 'expired-rule':
      return 'a rule to ignore it has run out';
  }
}

/** `new`, `worse since the last check`, `known`. */
export const trendWords: Readonly<Record<Finding['trend'], string>> = {
  new: 'new',
  worse: 'moved again or weighs more since the last check',
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
