import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkBudgets } from './budgets.js';
import { measureLife, measureLoad, measureStart } from './scenarios.js';
import type { Measurement } from './scenarios.js';
import { growthLines, tableLines } from './table.js';

// npm run bench -- [--sizes 100,1000,10000] [--latency 0,20,86] [--runs 3] [--load 100000] [--json FILE] [--check]
const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    latency: { type: 'string', default: '0' },
    runs: { type: 'string', default: '3' },
    load: { type: 'string', default: '' },
    postgres: { type: 'string' },
    json: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});

const numbers = (text: string): readonly number[] => text.split(',').filter(Boolean).map(Number);
const runs = Number(values.runs);
const rows: Measurement[] = [...(await measureStart(Math.max(5, runs)))];
const backends = [
  { backend: 'sqlite' } as const,
  ...(values.postgres === undefined ? [] : [{ backend: 'postgres', stateUrl: values.postgres } as const]),
];
for (const backend of backends) {
  for (const latencyMs of numbers(values.latency)) {
    for (const size of numbers(values.sizes)) {
      console.error(`measuring ${size} resources at ${latencyMs} ms, ${backend.backend} …`);
      rows.push(...(await measureLife({ size, latencyMs, runs, ...backend })));
    }
  }
}
// The peers' own published case: 50 APIs with 10 documents of 8 KiB, 86 ms a call.
rows.push(
  ...(await measureLife({
    size: 550,
    latencyMs: 86,
    runs: 1,
    backend: 'sqlite',
    shape: { apis: 50, documents: 10, content: 8192 },
    label: '50 × 10',
  })),
);
for (const size of numbers(values.load)) rows.push(...(await measureLoad(size, 1)));

console.log(tableLines(rows).join('\n'));
console.log(growthLines(rows).join('\n'));
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`);
if (values.check) {
  const broken = checkBudgets(rows);
  for (const line of broken) console.error(line);
  process.exitCode = broken.length > 0 ? 1 : 0;
}
