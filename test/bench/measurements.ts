import type { Measurement } from '../../bench/measurement.js';

/** A row with the same value for median, least and greatest. */
export function row(
  name: string,
  { wall = 100, cpu = wall, peak = 50, ...more }: Partial<Measurement> & { wall?: number; cpu?: number; peak?: number },
): Measurement {
  const flat = (value: number): Measurement['wallMs'] => ({ median: value, min: value, max: value });
  return {
    name,
    size: 1000,
    latencyMs: 0,
    backend: 'sqlite',
    runs: 1,
    wallMs: flat(wall),
    cpuMs: flat(cpu),
    peakMb: flat(peak),
    ...more,
  };
}
