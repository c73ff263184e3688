import type { Measurement } from './scenarios.js';
import { exponent } from './statistics.js';

/** One line a measurement, columns lined up. */
export function tableLines(rows: readonly Measurement[]): readonly string[] {
  const head = ['what', 'resources', 'latency', 'state', 'runs', 'wall ms (min–max)', 'cpu ms', 'peak MB', 'requests'];
  const cells = rows.map((row) => [
    row.name,
    String(row.size),
    `${row.latencyMs} ms`,
    row.backend,
    String(row.runs),
    `${round(row.wallMs.median)} (${round(row.wallMs.min)}–${round(row.wallMs.max)})`,
    round(row.cpuMs.median),
    round(row.peakMb.median),
    row.requests === undefined ? '' : String(row.requests),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((line) => line[column]?.length ?? 0)));
  return [head, ...cells].map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}

/** Pairs of the same measurement at two sizes, each an order of magnitude apart. */
export function growths(
  rows: readonly Measurement[],
): readonly { readonly name: string; readonly from: number; readonly to: number; readonly exponent: number }[] {
  const groups = groupBy(rows);
  return [...groups.values()].flatMap((group) => {
    const sorted = [...group].sort((a, b) => a.size - b.size);
    return sorted.slice(1).flatMap((large, index) => {
      const small = sorted[index];
      if (small === undefined || large.size < small.size * 5) return [];
      const grown = exponent(
        { size: small.size, value: small.cpuMs.median },
        { size: large.size, value: large.cpuMs.median },
      );
      return [{ name: keyOf(large), from: small.size, to: large.size, exponent: grown }];
    });
  });
}

function groupBy(rows: readonly Measurement[]): Map<string, Measurement[]> {
  const groups = new Map<string, Measurement[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function keyOf(row: Measurement): string {
  return `${row.name}, ${row.latencyMs} ms, ${row.backend}`;
}

export function growthLines(rows: readonly Measurement[]): readonly string[] {
  return growths(rows).map(
    ({ name, from, to, exponent: grown }) =>
      `growth of CPU time ${from} → ${to}: exponent ${grown.toFixed(2)}  ${name}`,
  );
}
