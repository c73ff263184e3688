import type { Measurement, Setting } from '../measurement.js';
import { inWorld, type Bench } from '../world.js';

/** An apply of independent creates, and the least time it can take. */
export interface LimitCase {
  readonly name: string;
  readonly apis: number;
  readonly concurrency: number;
  readonly latencyMs: number;
  /** Requests a minute that the platform takes. */
  readonly rateLimit?: number;
}

/** The platform takes 600 requests a minute, and nobody has told us. */
export const ratedCase: LimitCase = {
  name: 'first apply, 600 requests a minute',
  ...{ apis: 1000, concurrency: 8, latencyMs: 20, rateLimit: 600 },
};

/** As many calls at a time as one may want, of a fast platform. */
export const wideCase: LimitCase = {
  name: 'first apply, 32 at a time',
  ...{ apis: 5000, concurrency: 32, latencyMs: 20 },
};

/** Milliseconds that the calls alone take: one to look, one for each object; whole minutes for what a limit holds back. */
export function idealMs({ apis, concurrency, latencyMs, rateLimit }: LimitCase): number {
  const calls = apis + 1;
  const held = rateLimit === undefined ? 0 : Math.floor((calls - 1) / rateLimit);
  const last = rateLimit === undefined ? calls : calls - held * rateLimit;
  return held * 60_000 + (last * latencyMs) / concurrency;
}

export async function measureLimits(bench: Bench, tell: (line: string) => void): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const one of [wideCase, ratedCase]) {
    tell(`measuring ${one.name}, ${one.apis} creates …`);
    rows.push(await measureCase(bench, one));
  }
  return rows;
}

function measureCase(bench: Bench, { name, apis, concurrency, latencyMs, rateLimit }: LimitCase): Promise<Measurement> {
  const setting: Setting = { size: apis, latencyMs, backend: 'sqlite' };
  return inWorld(
    bench,
    setting,
    async (world) => {
      await world.write({ apis, documents: 0, content: 0 });
      // What waits for minutes is measured once.
      const runs = rateLimit === undefined ? bench.runs : 1;
      return world.measure(name, ['apply', '--yes', '--concurrency', String(concurrency)], {
        runs,
        before: () => world.empty(),
      });
    },
    rateLimit === undefined ? {} : { rateLimit },
  );
}
