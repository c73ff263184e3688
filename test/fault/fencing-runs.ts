import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startPostgres } from '../postgres/server.js';
import { isStopped, objects, runFencing, troubles, type Fencing } from './fencing.js';
import type { Report } from './report.js';

export interface FencingRuns {
  readonly runs: number;
  readonly ttlMs: number;
  /** Only this one. */
  readonly trouble?: string | undefined;
}

/** Each trouble so many times. */
export async function fencing(report: Report, { runs, ttlMs, trouble: only }: FencingRuns): Promise<void> {
  const postgres = await startPostgres();
  try {
    for (const trouble of troubles.filter((each) => only === undefined || each === only)) {
      const needsServer = trouble === 'partition' || trouble === 'black-holed database';
      const ended: number[] = [];
      for (let nth = 1; nth <= runs; nth += 1) {
        const held = monitorEventLoopDelay({ resolution: 10 });
        held.enable();
        const database = needsServer ? { database: await postgres.createDatabase() } : {};
        const found = await runFencing({ trouble, ttlMs, ...database }).catch((error: unknown) => String(error));
        held.disable();
        if (typeof found === 'string') {
          report.violation(`${trouble} ${nth}`, [`a run broke down: ${found}`]);
          continue;
        }
        ended.push(Math.round(found.endedAfterMs));
        // A process that stands still can't end; any other may be held up by the machine, and how long it was is known.
        const latestMs = isStopped(trouble) ? Infinity : ttlMs + held.max / 1e6;
        report.violation(`${trouble} ${nth}`, wrong(found, latestMs));
      }
      report.rows.push({ trouble, runs, 'first run ended after at most (ms)': Math.max(...ended) });
      report.tell(`${trouble}: ${runs} runs`);
    }
  } finally {
    await postgres.stop();
  }
}

function wrong({ names, second, stepsLeft, endedAfterMs }: Fencing, latestMs: number): readonly string[] {
  const isRight = names.length === objects && new Set(names).size === objects && stepsLeft === 0;
  return [
    ...(isRight ? [] : [`${names.length} objects, ${stepsLeft} steps left`]),
    ...(second.status === 'done' ? [] : [`the second run ended with ${second.status}`]),
    ...(endedAfterMs <= latestMs ? [] : [`the first run ended after ${Math.round(endedAfterMs)} ms`]),
  ];
}
