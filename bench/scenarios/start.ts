import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { measurementOf, repeat, type Measurement } from '../measurement.js';
import { failureOf, runNode, type Run } from '../process.js';
import { inWorld, type Bench, type World } from '../world.js';

export const startNames = {
  bare: 'bare node',
  version: '--version',
  help: '--help',
  validate: 'validate, 10 resources',
  plan: 'plan, 10 resources, nothing to do',
  job: 'job that plans, 10 resources, nothing to do',
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
    [startNames.validate, [bench.program, 'validate', '--cold']],
    [startNames.plan, [bench.program, 'plan', '--detailed-exitcode']],
  ];
  return inWorld(bench, setting, async (world) => {
    await world.write({ apis: 2, documents: 4, content: 200 });
    await world.sync(['apply', '--yes']);
    // Taken in turns, so that a busy moment of the machine hits all of them.
    const rounds = await repeat(Math.max(fewestRuns, bench.runs), async () => {
      const round = [];
      for (const [, args] of commands) round.push(await runNode(args, { cwd: world.folder, env: world.env }));
      round.push(await runJob(bench, world));
      return round;
    });
    return [...commands.map(([name]) => name), startNames.job].map((name, column) =>
      measurementOf(
        name,
        setting,
        rounds.flatMap((round) => round[column] ?? []),
      ),
    );
  });
}

/** The planning job of a pipeline, all that it starts included; the memory of so many processes is nobody's. */
async function runJob({ program }: Bench, { folder, env }: World): Promise<Run> {
  const start = performance.now();
  const settings = { SYNC_OUT: join(folder, '.sync/out'), NO_COLOR: '1' };
  return new Promise((resolve, reject) => {
    // What the shell has waited for stands in the second line of `times`.
    const ci = join(dirname(program), '../dist/ci.js');
    const job = ['-c', '"$1" "$2" plan >&2; code=$?; times; exit $code', 'sh', process.execPath, ci];
    execFile('sh', job, { cwd: folder, env: { ...process.env, ...env, ...settings } }, (error, stdout, stderr) => {
      if (error !== null) return reject(new Error(failureOf('node dist/ci.js plan', 1, { stdout, stderr })));
      const spent = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
      const cpuMs = spent.reduce(
        (sum, [, minutes, seconds]) => sum + 60_000 * Number(minutes) + 1000 * Number(seconds),
        0,
      );
      resolve({ wallMs: performance.now() - start, cpuMs, peakMb: 0, code: 0, stdout, stderr });
    });
  });
}
