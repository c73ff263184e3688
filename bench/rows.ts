import type { Backend, Measurement } from './measurement.js';

/** Which row of a run is meant; what is left out is of no importance. */
export interface RowQuery {
  readonly name: string;
  readonly size?: number;
  readonly latencyMs?: number;
  /** SQLite unless said. */
  readonly backend?: Backend;
}

/** The row of that name, or undefined when it was not measured. */
export function rowOf(rows: readonly Measurement[], query: RowQuery): Measurement | undefined {
  return rows.find(
    (row) =>
      row.name === query.name &&
      row.backend === (query.backend ?? 'sqlite') &&
      (query.size === undefined || row.size === query.size) &&
      (query.latencyMs === undefined || row.latencyMs === query.latencyMs),
  );
}
