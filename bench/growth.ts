import type { Backend, Measurement } from './measurement.js';
import { exponent } from './statistics.js';

/** How the cost of one measurement grew from one size to ten times as much: 1 = linear, 2 = quadratic. */
export interface Growth {
  readonly name: string;
  readonly latencyMs: number;
  readonly backend: Backend;
  readonly from: number;
  readonly to: number;
  readonly wall: number;
  readonly cpu: number;
  /** CPU time beyond that of a command that has next to nothing to do; absent where that was not measured. */
  readonly cpuBeyondStart?: number;
  /** Absent where no requests were made at either size. */
  readonly requests?: number;
}

/** Ten times the catalogue may cost at most 10^1.1 times as much. */
export const maxExponent = 1.1;

/** Every pair of rows of the same measurement whose sizes are tenfold. `startCpuMs`: of the smallest command. */
export function growths(rows: readonly Measurement[], startCpuMs?: number): readonly Growth[] {
  const byKey = new Map(rows.map((row) => [keyOf(row, row.size), row]));
  return rows.flatMap((small) => {
    const large = byKey.get(keyOf(small, small.size * 10));
    return large === undefined ? [] : [growth(small, large, startCpuMs)];
  });
}

function growth(small: Measurement, large: Measurement, startCpuMs: number | undefined): Growth {
  const of = (value: (row: Measurement) => number): number =>
    exponent({ size: small.size, value: value(small) }, { size: large.size, value: value(large) });
  const beyond = of((row) => row.cpuMs.median - (startCpuMs ?? 0));
  return {
    name: small.name,
    latencyMs: small.latencyMs,
    backend: small.backend,
    from: small.size,
    to: large.size,
    wall: of((row) => row.wallMs.median),
    cpu: of((row) => row.cpuMs.median),
    ...(startCpuMs === undefined || !Number.isFinite(beyond) ? {} : { cpuBeyondStart: beyond }),
    ...(small.requests && large.requests ? { requests: of((row) => row.requests ?? 0) } : {}),
  };
}

function keyOf({ name, latencyMs, backend }: Measurement, size: number): string {
  return JSON.stringify([name, latencyMs, backend, size]);
}
