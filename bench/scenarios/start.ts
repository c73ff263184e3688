import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeProject } from '../catalogue.js';
import { measurementOf, repeat } from '../measurement.js';
import type { Measurement } from '../measurement.js';
import { runNode } from '../process.js';
import type { Bench } from '../world.js';

export const startNames = {
  bare: 'bare node',
  version: '--version',
  help: '--help',
  validate: 'validate, one file',
} as const;

/** Below this many runs the noise of the machine is larger than what is measured. */
const fewestRuns = 15;

/** What starting costs, without any work, beside a node that does nothing. */
export async function measureStart(bench: Bench): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  await writeProject(folder, { apis: 1, documents: 1, content: 50 });
  const commands: readonly (readonly [string, readonly string[]])[] = [
    [startNames.bare, ['-e', '0']],
    [startNames.version, [bench.program, '--version']],
    [startNames.help, [bench.program, '--help']],
    [startNames.validate, [bench.program, 'validate']],
  ];
  const runs = Math.max(fewestRuns, bench.runs);
  // Taken in turns, so that a busy moment of the machine hits all of them.
  const rounds = await repeat(runs, async () => {
    const round = [];
    for (const [, args] of commands) round.push(await runNode(args, { cwd: folder }));
    return round;
  });
  await rm(folder, { recursive: true, force: true });
  const setting = { size: 1, latencyMs: 0, backend: 'sqlite' } as const;
  return commands.map(([name], column) =>
    measurementOf(
      name,
      setting,
      rounds.flatMap((round) => round[column] ?? []),
    ),
  );
}
