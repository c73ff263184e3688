import type { Run } from './process.js';
import { spreadOf, type Spread } from './statistics.js';

export type Backend = 'sqlite' | 'postgres';

/** Where something is measured. */
export interface Setting {
  /** Resources in the catalogue. */
  readonly size: number;
  /** What the sandbox adds to each answer. */
  readonly latencyMs: number;
  readonly backend: Backend;
}

/** One row of the table. */
export interface Measurement extends Setting {
  readonly name: string;
  readonly runs: number;
  readonly wallMs: Spread;
  /** User and system time. */
  readonly cpuMs: Spread;
  readonly peakMb: Spread;
  /** Platform requests of one run; absent where no platform takes part. */
  readonly requests?: number;
  /** Of the requests, those answered 429. */
  readonly refused?: number;
  /** Packages that were installed. */
  readonly packages?: number;
  /** Bytes read (a catalogue file) or written (a report, an installation), where that is the point. */
  readonly bytes?: number;
}

export function measurementOf(
  name: string,
  setting: Setting,
  runs: readonly Run[],
  more: Pick<Measurement, 'requests' | 'refused' | 'bytes' | 'packages'> = {},
): Measurement {
  return {
    name,
    size: setting.size,
    latencyMs: setting.latencyMs,
    backend: setting.backend,
    runs: runs.length,
    wallMs: spreadOf(runs.map((run) => run.wallMs)),
    cpuMs: spreadOf(runs.map((run) => run.cpuMs)),
    peakMb: spreadOf(runs.map((run) => run.peakMb)),
    ...more,
  };
}

export async function repeat<T>(times: number, work: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for (let n = 0; n < times; n += 1) all.push(await work());
  return all;
}
