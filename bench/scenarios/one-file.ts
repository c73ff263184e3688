import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiBlock, shapeOf, sizeOf, tagsEnv, writeProject } from '../catalogue.js';
import { measurementOf, repeat, type Measurement } from '../measurement.js';
import { runNode, type Run } from '../process.js';
import type { Bench } from '../world.js';

export const oneFileNames = {
  validate: 'validate, one large file',
  tagged: 'validate, one large file with tags',
  parse: 'yaml alone, the same file',
  positions: 'validate, one large file with a mistake in its last line',
} as const;

const parser = fileURLToPath(new URL('../parse-yaml.mjs', import.meta.url));

/** One file of so many bytes: loads, knows its lines to the end, and costs what beside the bare parser? */
export async function measureOneFile(bench: Bench, bytes: number): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  try {
    const shape = { ...shapeOf(5), apis: Math.ceil(bytes / apiBlock(0, shapeOf(5), 'none').length) };
    await writeProject(folder, shape, { apisPerFile: Infinity });
    const file = join(folder, 'catalogue/apis-0.yaml');
    const setting = { size: sizeOf(shape), latencyMs: 0, backend: 'sqlite' } as const;
    const size = { bytes: (await stat(file)).size };
    const row = async (name: string, args: readonly string[]): Promise<Measurement> =>
      measurementOf(name, setting, await repeat(bench.runs, () => runNode(args, { cwd: folder })), size);
    const rows = [
      await row(oneFileNames.validate, [bench.program, 'validate', '--cold']),
      await row(oneFileNames.parse, [parser, file]),
    ];
    const broken = await checkPositions(bench, folder, file);
    rows.push(measurementOf(oneFileNames.positions, setting, [broken], size));
    await writeProject(folder, shape, { apisPerFile: Infinity, tags: true });
    const tagged = { bytes: (await stat(file)).size };
    const runs = await repeat(bench.runs, () =>
      runNode([bench.program, 'validate', '--cold'], { cwd: folder, env: tagsEnv }),
    );
    return [...rows, measurementOf(oneFileNames.tagged, setting, runs, tagged)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A mistake in the last line has to be reported with that very line and column. */
async function checkPositions(bench: Bench, folder: string, file: string): Promise<Run> {
  const last = '    properties: {version: "1.0", nonsense: true}';
  await appendFile(file, `  last:\n    type: platform:Api\n${last}\n`);
  const line = (await readFile(file, 'utf8')).split('\n').length - 1;
  const place = `catalogue/apis-0.yaml:${line}:${last.indexOf('nonsense') + 1}`;
  const run = await runNode([bench.program, 'validate', '--cold'], { cwd: folder, codes: [1] });
  if (!`${run.stdout}${run.stderr}`.includes(place))
    throw new Error(`expected a problem at ${place}, got: ${run.stdout.slice(0, 500)}${run.stderr.slice(0, 500)}`);
  return run;
}
