import { diagnosticsOf } from '../process/known-error.js';

/** Nothing was begun, or all of it has ended: nothing need be settled by another attempt. */
const undone = ['nothing-read', 'moving-list', 'apply-of-another-commit'];
/**
 * What passes is waited for in the job, for so many milliseconds: in the queue each attempt would wait longer than the one before.
 * Another run holds the stack, or the database was away: the next attempt settles what was under way. Where nothing could be read, others
 * were at a list, or the checkout is not yet at the commit, nothing was done.
 */
const passing: ReadonlyMap<string, number> = new Map([
  ...['state-lease-held', 'state-lease-lost', 'state-unreachable'].map((code) => [code, 600_000] as const),
  ...undone.map((code) => [code, 60_000] as const),
]);
export const longestPauseMs = 8_000;

/** Milliseconds that an error is waited out for; undefined: it does not pass. */
export function patienceWith(error: unknown): number | undefined {
  return diagnosticsOf(error)?.flatMap(({ code }) => passing.get(code) ?? [])[0];
}

/** Nothing need be settled by another attempt. */
export function isUndone(error: unknown): boolean {
  return diagnosticsOf(error)?.some(({ code }) => undone.includes(code)) === true;
}

/** True for what passes by itself. */
export function isPassing(code: string): boolean {
  return passing.has(code);
}
