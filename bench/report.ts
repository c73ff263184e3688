import { readFile, writeFile } from 'node:fs/promises';
import { judge } from './bars.js';
import { growths } from './growth.js';
import { machineLine, type Machine } from './machine.js';
import { fillFile } from './markdown.js';
import type { Measurement } from './measurement.js';
import { rowOf } from './rows.js';
import { startNames } from './scenarios/start.js';
import { summaryTable } from './summary.js';
import { barTable, figures, growthTable, markdownLines, plainLines, type Table } from './table.js';

export interface ReportOptions {
  /** Where to keep everything as JSON. */
  readonly json?: string;
  /** Documents with marked places for tables. */
  readonly markdown: readonly string[];
}

/** Prints what was measured, and writes it where it is asked for. */
export async function report(rows: readonly Measurement[], machine: Machine, options: ReportOptions): Promise<void> {
  const growth = growths(rows, rowOf(rows, { name: startNames.validate })?.cpuMs.median);
  const bars = judge(rows);
  const measured = bars.filter((bar) => bar.measured !== undefined);
  for (const table of [figures(rows), growthTable(growth), barTable(measured)]) print(table);
  console.log(machineLine(machine));
  const blocks = new Map(
    Object.entries({
      figures: figures(rows),
      growth: growthTable(growth),
      bars: barTable(bars),
      summary: summaryTable(rows),
    }).map(([name, table]) => [name, markdownLines(table).join('\n')]),
  ).set('machine', `Measured with ${machineLine(machine)}.`);
  for (const path of options.markdown) await fillFile(path, blocks);
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ machine, rows, growth, bars }, null, 2)}\n`);
}

/** What an earlier run kept as JSON. */
export async function readKept(path: string): Promise<{ rows: readonly Measurement[]; machine: Machine }> {
  return JSON.parse(await readFile(path, 'utf8')) as { rows: readonly Measurement[]; machine: Machine };
}

function print(table: Table): void {
  if (table.lines.length > 0) console.log(`${plainLines(table).join('\n')}\n`);
}
