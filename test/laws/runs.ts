const { SYNC_LAW_RUNS: runs } = process.env;

/** How many cases a law is tried on: a twelfth of `usual` in `npm test`, the same ones each time; `SYNC_LAW_RUNS` in `npm run soak`. */
export function lawRuns(usual: number): number {
  return Number(runs ?? Math.ceil(usual / 12));
}

/** A bound that only a hang reaches. */
export const lawTimeoutMs = runs === undefined ? 1_800_000 : 24 * 3_600_000;

/** For a law whose cases cost milliseconds: a longer run tries every one of them, unless it was told when to end. */
export const toTheLast =
  process.env['SYNC_LAW_TO_THE_LAST'] === undefined ? {} : { interruptAfterTimeLimit: lawTimeoutMs };
