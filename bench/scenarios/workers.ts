import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildFleet } from '../../src/fleet/build.mjs';
import type { Measurement } from '../measurement.js';
import { usageOf } from '../process-tree.js';
import type { Run } from '../process.js';
import { inWorld, type Bench, type World } from '../world.js';
import { writeTeam } from './fleet.js';

/** Stacks of which the platform's answers take longer than the program's own work, as many processes of which fit on one machine. */
export const workersCase = { stacks: 24, apis: 40, documents: 1, latencyMs: 150, budget: 6000 } as const;

export const workerNames = {
  idle: 'fleet work, idle',
  of: (workers: number) => `fleet work, ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
  bound: `fleet work, 4 workers, ${workersCase.budget} requests a minute`,
} as const;

const idleMs = 30_000;

export async function measureWorkers(bench: Bench, tell: (line: string) => void): Promise<readonly Measurement[]> {
  tell('measuring workers on PostgreSQL …');
  await buildFleet();
  const { stacks, apis, documents, latencyMs, budget } = workersCase;
  const setting = { size: stacks * apis * (1 + documents), latencyMs, backend: 'postgres' } as const;
  return inWorld(
    bench,
    setting,
    async (world) => {
      await write(world, '');
      for (let stack = 0; stack < stacks; stack += 1) {
        const team = join('teams', `team${stack}`);
        await writeTeam(join(world.folder, team), stack, workersCase);
        await appendFile(
          join(world.folder, team, 'sync.yaml'),
          'state: { backend: postgres, url: !env SYNC_STATE_URL }\n',
        );
        await world.sync(['apply', '--yes', '--quiet', '--cwd', team]);
      }
      await world.slowDown();
      const rows = [await world.measureRun(workerNames.idle, () => idle(world, bench.program))];
      for (const workers of [1, 2, 4])
        rows.push(await world.measureRun(workerNames.of(workers), () => worked(world, bench.program, workers)));
      await write(world, `requestsPerMinute: ${budget}\n`);
      return [...rows, await world.measureRun(workerNames.bound, () => worked(world, bench.program, 4))];
    },
    { fast: true },
  );
}

function write(world: World, rate: string): Promise<void> {
  return writeFile(join(world.folder, 'fleet.yaml'), `projects: ['teams/*']\n${rate}`);
}

interface Worker {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Says when a line came, and what. */
  readonly lines: NodeJS.EventEmitter;
}

async function startWorker(world: World, program: string): Promise<Worker> {
  const child = spawn(process.execPath, [program, 'fleet', 'work', '--at-once', '1'], {
    ...{ cwd: world.folder, env: { ...process.env, ...world.env }, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return { child, lines, pid: child.pid ?? 0 };
}

async function inWorkers(
  world: World,
  program: string,
  count: number,
  work: (all: readonly Worker[]) => Promise<Run>,
): Promise<Run> {
  const all = await Promise.all(Array.from({ length: count }, () => startWorker(world, program)));
  try {
    return await work(all);
  } finally {
    for (const { child } of all) child.kill('SIGTERM');
    await Promise.all(all.map(({ child }) => once(child, 'exit')));
  }
}

const cpuOf = (all: readonly Worker[]): number => all.reduce((sum, { pid }) => sum + (usageOf(pid)?.cpuMs ?? NaN), 0);
const peakOf = (all: readonly Worker[]): number => Math.max(...all.map(({ pid }) => usageOf(pid)?.peakMb ?? NaN));

function idle(world: World, program: string): Promise<Run> {
  return inWorkers(world, program, 1, async (all) => {
    await sleep(10_000);
    const before = cpuOf(all);
    await sleep(idleMs);
    return { wallMs: idleMs, cpuMs: cpuOf(all) - before, peakMb: peakOf(all), code: 0, stdout: '', stderr: '' };
  });
}

/** A check of every stack, by workers that have done one before. */
function worked(world: World, program: string, count: number): Promise<Run> {
  return inWorkers(world, program, count, async (all) => {
    await checked(world, all);
    await world.forgetRequests();
    const before = cpuOf(all);
    const wallMs = await checked(world, all);
    return { wallMs, cpuMs: cpuOf(all) - before, peakMb: peakOf(all), code: 0, stdout: '', stderr: '' };
  });
}

/** Milliseconds from the begin of the first job to the end of the last. */
async function checked(world: World, all: readonly Worker[]): Promise<number> {
  let begun = Infinity;
  let done = 0;
  const finished = new Promise<void>((resolve) => {
    const hear = (line: string): void => {
      const [, seconds] = /^check \S+ clean \(([\d.]+) s\)$/.exec(line) ?? [];
      if (seconds === undefined) throw new Error(`a worker says: ${line}`);
      begun = Math.min(begun, performance.now() - Number(seconds) * 1_000);
      done += 1;
      if (done < workersCase.stacks) return;
      all.forEach(({ lines }) => lines.off('line', hear));
      resolve();
    };
    all.forEach(({ lines }) => lines.on('line', hear));
  });
  await world.sync(['fleet', 'queue', 'check', '*']);
  await finished;
  return performance.now() - begun;
}
