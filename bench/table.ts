import type { BarResult } from './bars.js';
import type { Growth } from './growth.js';
import type { Measurement } from './measurement.js';
import { oneFileNames } from './scenarios/one-file.js';
import type { Spread } from './statistics.js';

/** A head and its lines; the writer decides how cells are set apart. */
export interface Table {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

export function figures(rows: readonly Measurement[]): Table {
  return {
    head: ['what', 'resources', 'latency', 'state', 'runs', 'wall ms', 'min – max', 'CPU ms', 'peak MB', 'requests'],
    lines: rows.map((row) => [
      row.name + throughput(row),
      row.size.toLocaleString('en'),
      `${row.latencyMs} ms`,
      row.backend,
      String(row.runs),
      round(row.wallMs.median),
      range(row.wallMs),
      round(row.cpuMs.median),
      round(row.peakMb.median),
      row.requests === undefined ? '' : String(Number(row.requests.toFixed(1))),
    ]),
  };
}

export function growthTable(found: readonly Growth[]): Table {
  const written = (value: number | undefined): string => value?.toFixed(2) ?? '';
  return {
    head: ['growth exponent of', 'from – to', 'latency', 'state', 'wall', 'CPU', 'CPU beyond start', 'requests'],
    lines: found.map((one) => [
      one.name,
      `${one.from.toLocaleString('en')} – ${one.to.toLocaleString('en')}`,
      `${one.latencyMs} ms`,
      one.backend,
      one.wall.toFixed(2),
      one.cpu.toFixed(2),
      written(one.cpuBeyondStart),
      written(one.requests),
    ]),
  };
}

export function barTable(results: readonly BarResult[]): Table {
  return {
    head: ['bar', 'limit', 'measured', ''],
    lines: results.map(({ what, limit, measured, met }) => [
      what,
      limit,
      measured ?? '–',
      measured === undefined ? 'not measured' : met === undefined ? '' : met ? 'met' : 'MISSED',
    ]),
  };
}

/** Columns lined up with spaces. */
export function plainLines({ head, lines }: Table): readonly string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)));
  return [head, ...lines].map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function markdownLines({ head, lines }: Table): readonly string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)];
}

/** Of large files, how fast they were read counts. */
function throughput({ name, bytes, wallMs }: Measurement): string {
  if (bytes === undefined || !Object.values<string>(oneFileNames).includes(name)) return '';
  return `, ${(bytes / 1e6).toFixed(1)} MB at ${(bytes / 1e3 / wallMs.median).toFixed(1)} MB/s`;
}

function range({ min, max }: Spread): string {
  return `${round(min)} – ${round(max)}`;
}

function round(value: number): string {
  return Number.isNaN(value) ? 'unknown' : value >= 100 ? String(Math.round(value)) : value.toFixed(1);
}
