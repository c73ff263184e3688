import type { DriftStatus } from '@platform-sync/core/model/drift';

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
