import type { Measurement } from './measurement.js';
import { rowOf, type RowQuery } from './rows.js';

/** A promise about some rows. */
export interface Bar {
  readonly what: string;
  /** Beyond it the bar is missed; `least` turns it round. Without one the figure stands there for comparison. */
  readonly limit?: number;
  readonly least?: true;
  readonly write: (value: number) => string;
  readonly value: (rows: readonly Measurement[]) => number | undefined;
}

export const milliseconds = (value: number): string => `${Math.round(value)} ms`;
export const factor = (value: number): string => `${value.toFixed(2)} ×`;
export const times = (value: number): string => `${value.toFixed(1)} ×`;
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
export const megabytes = (value: number): string => `${Math.round(value)} MB`;
export const plain = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : value.toFixed(2);
export type Value = (row: Measurement) => number | undefined;
export const wall: Value = (row) => row.wallMs.median;
export const cpu: Value = (row) => row.cpuMs.median;
export const peak: Value = (row) => row.peakMb.max;
export const requests: Value = (row) => row.requests;
export function of(query: RowQuery, value: Value): Bar['value'] {
  return (rows) => {
    const row = rowOf(rows, query);
    return row === undefined ? undefined : value(row);
  };
}

/** The greatest of several; undefined as soon as one is missing. */
export function greatest(...values: readonly Bar['value'][]): Bar['value'] {
  return (rows) => {
    const all = values.map((value) => value(rows));
    return all.some((value) => value === undefined) ? undefined : Math.max(...all.map(Number));
  };
}

export const ofTwo =
  (join: (above: number, below: number) => number) =>
  (...both: readonly [upper: Bar['value'], lower: Bar['value']]): Bar['value'] =>
  (rows) => {
    const [above, below] = both.map((value) => value(rows));
    return above === undefined || below === undefined ? undefined : join(above, below);
  };
export const ratio = ofTwo((above, below) => above / below);
export const difference = ofTwo((above, below) => above - below);
