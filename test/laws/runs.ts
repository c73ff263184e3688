/** How many cases a law is tried on: `usual` in the test suite, `SYNC_LAW_RUNS` in longer runs (`npm run soak`). */
export function lawRuns(usual: number): number {
  return Number(process.env['SYNC_LAW_RUNS'] ?? usual);
}

/** A bound that only a hang reaches. */
export const lawTimeoutMs = process.env['SYNC_LAW_RUNS'] === undefined ? 1_800_000 : 24 * 3_600_000;

/** For a law whose cases cost milliseconds: a longer run tries every one of them, unless it was told when to end. */
export const toTheLast =
  process.env['SYNC_LAW_TO_THE_LAST'] === undefined ? {} : { interruptAfterTimeLimit: lawTimeoutMs };
