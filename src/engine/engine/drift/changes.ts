import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftChange, DriftResult, Finding, NewsFinding } from '@platform-sync/core/model/drift';
import type { PlanValue } from '@platform-sync/core/model/plan';

// A value may be a whole page: the report has it, a message says that it moved.
const longestValue = 300;

/** What is worth telling somebody who was told of the check before. */
export function changesIn({
  status,
  before,
  findings,
  resolved,
  notCompared,
  unrecorded,
  diagnostics,
}: DriftResult): readonly DriftChange[] {
  return [
    ...(unrecorded !== undefined && before !== 'incomplete'
      ? [{ kind: 'failed', problems: diagnostics.filter(({ code }) => code === 'no-record') } as const]
      : []),
    ...(status === 'failed' && before !== 'failed' ? [failure(diagnostics)] : []),
    ...(status !== 'failed' && before === 'failed' ? [{ kind: 'recovered' } as const] : []),
    ...findings.flatMap((found): readonly DriftChange[] =>
      found.trend === 'known' ? [] : [{ kind: found.trend, finding: newsFinding(found) }],
    ),
    ...notCompared.filter(({ trend }) => trend === 'new').map((read) => ({ kind: 'unread', read }) as const),
    ...resolved.map((finding) => ({ kind: 'resolved', finding }) as const),
  ];
}

/** What is so now, for somebody who was never told anything; nothing where all is well. */
export function everythingIn(result: DriftResult): readonly DriftChange[] {
  return changesIn({
    ...result,
    before: 'clean',
    resolved: [],
    findings: result.findings.map((found) => ({ ...found, trend: 'new' })),
    notCompared: result.notCompared.map((read) => ({ ...read, trend: 'new' })),
  });
}

function failure(diagnostics: readonly Diagnostic[]): DriftChange {
  return { kind: 'failed', problems: diagnostics.filter(({ severity }) => severity === 'error') };
}

function newsFinding(finding: Finding): NewsFinding {
  const cut = (['old', 'new'] as const).filter((name) => isLong(finding[name]));
  if (cut.length === 0) return finding;
  const from = shownFrom(textOf(finding.old), textOf(finding.new));
  return { ...finding, ...Object.fromEntries(cut.map((name) => [name, part(textOf(finding[name]), from)])), cut };
}

function isLong(value: PlanValue | undefined): boolean {
  return value !== undefined && JSON.stringify(value).length > longestValue;
}

function textOf(value: PlanValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
}

/** A little before the first difference, where the beginning would not show it. */
function shownFrom(old: string, now: string): number {
  let at = 0;
  while (at < Math.min(old.length, now.length) && old[at] === now[at]) at += 1;
  return at < longestValue / 2 ? 0 : at - longestValue / 4;
}

/** No character is cut in half. */
function part(text: string, from: number): string {
  const isWhole = text.length <= from + longestValue;
  const shown = [...text.slice(from, from + longestValue)].slice(from === 0 ? 0 : 1, isWhole ? undefined : -1).join('');
  return from === 0 ? shown : `…${shown}`;
}

/** Changes of several checks as those of one: a finding that was new and moved again is new as it is now. */
export function combined(changes: readonly DriftChange[]): readonly DriftChange[] {
  const byKey = new Map<string, DriftChange>();
  for (const change of changes) {
    const key = keyOf(change);
    const before = byKey.get(key);
    const isNew = before?.kind === 'new' && change.kind === 'worse';
    byKey.set(key, isNew ? { ...change, kind: 'new' } : change);
  }
  return [...byKey.values()];
}

function keyOf(change: DriftChange): string {
  switch (change.kind) {
    case 'new':
    case 'worse':
      return `found ${change.finding.id}`;
    case 'resolved':
      return `resolved ${change.finding.id}`;
    case 'unread':
      return `unread ${change.read.id}`;
    case 'failed':
    case 'recovered':
      return change.kind;
  }
}
