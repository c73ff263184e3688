/** Median, least and greatest of some runs. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 === 1 ? sorted[middle] : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return { median: median ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** Growth exponent between two sizes: 1 = linear, 2 = quadratic. */
export function exponent(small: { size: number; value: number }, large: { size: number; value: number }): number {
  return Math.log(large.value / small.value) / Math.log(large.size / small.size);
}
