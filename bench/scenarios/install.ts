import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { measureInstalled } from '../installed.js';
import { measurementOf, type Measurement } from '../measurement.js';
import { runNode } from '../process.js';
import type { Bench } from '../world.js';

export const installName = 'npm install of the packed file';

/** What lands on a user's machine: packs the built program, installs the file into an empty folder, once. */
export async function measureInstall(bench: Bench, npm: string): Promise<readonly Measurement[]> {
  const place = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  const folder = join(place, 'project');
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const source = dirname(dirname(bench.program));
  await runNode([npm, 'pack', '--silent', '--ignore-scripts', '--pack-destination', place], { cwd: source });
  const file = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? '';
  const run = await runNode([npm, 'install', '--no-audit', '--no-fund', join(place, file)], { cwd: folder });
  const { packages, bytes } = measureInstalled(join(folder, 'node_modules'));
  await rm(place, { recursive: true, force: true });
  return [measurementOf(installName, { size: 1, latencyMs: 0, backend: 'sqlite' }, [run], { packages, bytes })];
}
