import { compareText } from '../model/address.js';
import { defined } from '../model/defined.js';
import type { DriftStatus } from '../model/drift.js';
import type { DriftHistory, DriftNote, SeenFinding } from '../model/drift-history.js';

const dayMs = 86_400_000;
/** How long a resolved finding is remembered. */
const keptDays = 90;

/** Findings resolved before this are forgotten. */
export function forgottenBefore(at: string): string {
  return new Date(Date.parse(at) - keptDays * dayMs).toISOString();
}

/** Everything was compared, whatever it showed. */
export function isSuccess(status: DriftStatus): boolean {
  return status === 'clean' || status === 'drift';
}

/** The history after one more check. */
export function noted(history: DriftHistory, note: DriftNote): DriftHistory {
  const resolved = new Set(note.resolved);
  const byId = new Map(history.findings.map((finding) => [finding.id, finding]));
  for (const [id, finding] of byId) {
    if (resolved.has(id) && finding.resolvedAt === undefined) byId.set(id, { ...finding, resolvedAt: note.at });
  }
  for (const observation of note.seen) {
    const before = byId.get(observation.id);
    // One that comes back starts anew.
    const firstSeen = before === undefined || before.resolvedAt !== undefined ? note.at : before.firstSeen;
    byId.set(observation.id, { ...observation, firstSeen, lastSeen: note.at });
  }
  const lastSuccess = isSuccess(note.status) ? note.at : history.lastSuccess;
  return {
    findings: kept([...byId.values()], note.at),
    lastCheck: { at: note.at, status: note.status, number: (history.lastCheck?.number ?? 0) + 1 },
    ...defined({ lastSuccess }),
  };
}

function kept(findings: readonly SeenFinding[], at: string): readonly SeenFinding[] {
  const oldest = forgottenBefore(at);
  return findings
    .filter(({ resolvedAt }) => resolvedAt === undefined || resolvedAt >= oldest)
    .sort((a, b) => compareText(a.id, b.id));
}
