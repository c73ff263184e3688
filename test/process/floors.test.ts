import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { load } from 'js-yaml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judge } from '../../bench/bars.js';
import { writeProject } from '../../bench/catalogue.js';
import { flooredNames } from '../../bench/scenarios/floors.js';
import { row } from '../bench/measurements.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sync-bench-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the floor reads every value of the catalogue: less would be no floor', async () => {
  await writeProject(folder, { apis: 3, documents: 2, content: 300 }, { apisPerFile: 2 });
  const script = pathToFileURL(join(import.meta.dirname, '../../bench/floors/catalogue.mjs')).href;
  const print = `import { readCatalogue } from '${script}'; console.log(JSON.stringify(readCatalogue()))`;
  const read = execFileSync(process.execPath, ['--input-type=module', '-e', print], { cwd: folder, encoding: 'utf8' });
  const files = readdirSync(join(folder, 'catalogue')).map((name) =>
    readFileSync(join(folder, 'catalogue', name), 'utf8'),
  );
  expect(files).toHaveLength(2);
  expect(JSON.parse(read)).toEqual(
    Object.assign({}, ...files.map((text) => (load(text) as { readonly resources: object }).resources)),
  );
});

test.each([
  [300, '3.0 ×', true],
  [310, '3.1 ×', false],
])('validate at %i ms of CPU time beside a floor of 100 ms', (cpu, measured, met) => {
  const { ours, floor } = flooredNames('validate');
  const rows = [row(ours, { cpu, size: 5000 }), row(floor, { cpu: 100, size: 5000 })];
  const found = judge(rows).find(({ what }) => what.startsWith('validate of 5,000'));
  expect(found).toMatchObject({ measured, met });
});

test.each([
  [300, '1.00 ×', true],
  [330, '1.10 ×', false],
])('three times as many resources at %i instead of 300 seconds', (cpu, measured, met) => {
  const { ours } = flooredNames('plan --refresh none');
  const rows = [row(ours, { cpu: 100_000, size: 100_000 }), row(ours, { cpu: cpu * 1000, size: 300_000 })];
  expect(judge(rows).find(({ what }) => what.includes('300,000 / 100,000'))).toMatchObject({ measured, met });
});
