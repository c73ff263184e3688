import { setTimeout as sleep } from 'node:timers/promises';
import { api, document, product, spec } from './catalogues.js';
import type { CrashBench } from './crash-bench.js';
import type { Resources } from './inventory.js';

export type Side = 'a' | 'b';

const stepsOfUnit = 12;

/** Two catalogues; from either to the other it takes about `steps` steps of every kind. */
export function chaosCatalogue(side: Side, steps: number): Resources {
  const units = Math.max(1, Math.round(steps / stepsOfUnit));
  return Object.fromEntries(Array.from({ length: units }, (_, n) => Object.entries(unit(side, n))).flat());
}

function unit(side: Side, n: number): Resources {
  return {
    // Updated, with a page each that is updated, created and deleted.
    [`kept${n}`]: api(
      `Kept ${n}`,
      { description: `on side ${side}`, labels: { side } },
      { guide: document('guide', { content: `side ${side}` }), [`only-${side}`]: document(`only-${side}`) },
    ),
    // Replaced, with everything below.
    [`replaced${n}`]: api(
      `Replaced ${n}`,
      { specContent: spec(`Side ${side}`) },
      { guide: document('guide', {}, { intro: document('intro') }) },
    ),
    // Created and deleted.
    [`only-${side}${n}`]: api(`Only ${side} ${n}`, {}, { guide: document('guide') }),
    // The platform would take a second one without a word.
    [`shop-${side}${n}`]: product(`Shop ${n}`, { description: side }),
  };
}

export interface ChaosOptions {
  readonly runs: number;
  readonly steps: number;
  /** Of the moments of death. */
  readonly seed: number;
  /** Objects bear ownership marks from this run on. Default: never. */
  readonly marksFrom?: number;
  readonly onRun?: (run: ChaosRun) => void;
}

/** One run that was killed, and the one after it. */
export interface ChaosRun {
  readonly number: number;
  /** Writes that had been begun when it was killed; more may have followed before it died. */
  readonly writesBegun: number;
  /** It was quicker than its death. */
  readonly survived: boolean;
  /** What the run after it found out about writes that were under way. */
  readonly recovered: Readonly<Record<string, number>>;
  /** Steps that were left for the run after it. */
  readonly stepsLeft: number;
  readonly violations: readonly string[];
}

/** Kills run after run at a random moment, lets the next one finish, and looks whether all is well. */
export async function runChaos(bench: CrashBench, options: ChaosOptions): Promise<readonly ChaosRun[]> {
  const random = randomNumbers(options.seed);
  const runs: ChaosRun[] = [];
  for (let number = 1; number <= options.runs; number += 1) {
    const wanted = chaosCatalogue(number % 2 === 1 ? 'a' : 'b', options.steps);
    bench.isMarked = number >= (options.marksFrom ?? Infinity);
    await bench.write(wanted);
    const killed = await killedRun(bench, random);
    const { violations, result } = await bench.finish(wanted);
    const recovered = result?.recovered ?? {};
    const run = { number, ...killed, recovered, stepsLeft: result?.stepsLeft ?? 0, violations };
    runs.push(run);
    options.onRun?.(run);
  }
  return runs;
}

/** The moment: when a random number of its writes have been begun, and up to ten milliseconds later. */
async function killedRun(bench: CrashBench, random: () => number): Promise<Pick<ChaosRun, 'writesBegun' | 'survived'>> {
  const child = bench.child();
  const { steps } = await child.said('planned');
  const writesBegun = Math.ceil(random() * steps);
  await Promise.race([child.said('begun', writesBegun), child.ended]);
  await sleep(random() * 10);
  child.process.kill('SIGKILL');
  return { writesBegun, survived: (await child.ended).signal !== 'SIGKILL' };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
