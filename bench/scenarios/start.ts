import { measurementOf, repeat, type Measurement } from '../measurement.js';
import { runNode } from '../process.js';
import { inWorld, type Bench } from '../world.js';

export const startNames = {
  bare: 'bare node',
  version: '--version',
  help: '--help',
  validate: 'validate, 10 resources',
  plan: 'plan, 10 resources, nothing to do',
} as const;

/** Below this many runs the noise of the machine is larger than what is measured. */
const fewestRuns = 15;

/** What starting costs, and what next to no work costs, beside a node that does nothing. */
export async function measureStart(bench: Bench): Promise<readonly Measurement[]> {
  const setting = { size: 10, latencyMs: 0, backend: 'sqlite' } as const;
  const commands: readonly (readonly [string, readonly string[]])[] = [
    [startNames.bare, ['-e', '0']],
    [startNames.version, [bench.program, '--version']],
    [startNames.help, [bench.program, '--help']],
    [startNames.validate, [bench.program, 'validate']],
    [startNames.plan, [bench.program, 'plan', '--detailed-exitcode']],
  ];
  return inWorld(bench, setting, async (world) => {
    await world.write({ apis: 2, documents: 4, content: 200 });
    await world.sync(['apply', '--yes']);
    // Taken in turns, so that a busy moment of the machine hits all of them.
    const rounds = await repeat(Math.max(fewestRuns, bench.runs), async () => {
      const round = [];
      for (const [, args] of commands) round.push(await runNode(args, { cwd: world.folder, env: world.env }));
      return round;
    });
    return commands.map(([name], column) =>
      measurementOf(
        name,
        setting,
        rounds.flatMap((round) => round[column] ?? []),
      ),
    );
  });
}
