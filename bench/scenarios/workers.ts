import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildFleet } from '../../src/fleet/build.mjs';
import { measurementOf, type Measurement } from '../measurement.js';
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

/** What requests ask for while a schedule's round takes all that the platform gives. */
export const askedCase = {
  ...{ stacks: 200, apis: 50, documents: 1, latencyMs: 86, rateLimit: 1000 },
  ...{ workers: 2, atOnce: 4, plans: 5, apartMs: 10_000 },
} as const;

export const askedNames = {
  begun: 'plan of a request in the middle of a round of 200 stacks, 1,000 requests a minute, until it begins',
  done: 'the same, until it is done',
} as const;

export async function measureAsked(bench: Bench, tell: (line: string) => void): Promise<readonly Measurement[]> {
  tell('measuring plans of requests in the middle of a round …');
  await buildFleet();
  const { stacks, apis, documents, latencyMs, rateLimit, workers, atOnce, plans, apartMs } = askedCase;
  const setting = { size: stacks * apis * (1 + documents), latencyMs, backend: 'postgres' } as const;
  return inWorld(
    bench,
    setting,
    async (world) => {
      await write(world, '');
      const folders = Array.from({ length: stacks }, (_, stack) => join(world.folder, 'teams', `team${stack}`));
      for (const [stack, folder] of folders.entries()) {
        await writeTeam(folder, stack, askedCase);
        await appendFile(join(folder, 'sync.yaml'), 'state: { backend: postgres, url: !env SYNC_STATE_URL }\n');
      }
      const many = { program: bench.program, count: workers, atOnce };
      await inWorkers(world, many, async (all) => {
        const applied = ended(all, 'apply', stacks);
        await world.sync(['fleet', 'queue', 'apply', '*']);
        return applied;
      });
      await write(world, `requestsPerMinute: ${rateLimit}\nschedule: { check: 15m }\n`);
      const commit = await proposed(
        world.folder,
        folders.slice(-plans).map((folder) => join(folder, 'catalogue', 'apis.yaml')),
      );
      await world.slowDown();
      return inWorkers(world, many, async (all) => {
        const asked = Array.from({ length: plans }, async (_, nth) => {
          await sleep((nth + 2) * apartMs);
          const name = `team${stacks - plans + nth}/default`;
          const request = String(nth + 1);
          const planned = ended(all, `plan ${name}`, 1, 'waiting: 1 step to apply');
          const words = ['plan', name, '--commit', commit, '--request', request, '--format', 'json'];
          const { stdout } = await world.sync(['fleet', 'queue', ...words]);
          return { from: putIn(stdout, request), ...(await planned) };
        });
        const runs = await Promise.all(asked);
        const row = (name: string, until: 'begun' | 'done'): Measurement =>
          measurementOf(
            name,
            setting,
            runs.map((run) => ({ ...silent, wallMs: run[until] - run.from, cpuMs: cpuOf(all), peakMb: peakOf(all) })),
          );
        return [row(askedNames.begun, 'begun'), row(askedNames.done, 'done')];
      });
    },
    { fast: true, rateLimit },
  );
}

/** When the job of a request came into the queue, by what the queue says of it. */
function putIn(listed: string, request: string): number {
  const { jobs } = JSON.parse(listed) as {
    readonly jobs: readonly { readonly at: string; readonly request?: string }[];
  };
  const at = jobs.find((job) => job.request === request)?.at;
  if (at === undefined) throw new Error(`the queue does not know of request ${request}: ${listed}`);
  return Date.parse(at) - performance.timeOrigin;
}

const silent = { code: 0, stdout: '', stderr: '' } as const;

/** A commit beside the one that is checked out, by which each of these catalogues has one API more. */
async function proposed(folder: string, files: readonly string[]): Promise<string> {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@acme.example', ...words], {
      ...{ cwd: folder, encoding: 'utf8' },
    });
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', folder);
  git('add', 'fleet.yaml', 'teams/*.yaml');
  git('commit', '--quiet', '-m', 'as it is');
  git('switch', '--quiet', '--create', 'proposal');
  for (const file of files)
    await appendFile(file, `  more:\n    type: platform:Api\n    properties: { name: More of ${file} }\n`);
  git('commit', '--quiet', '--all', '-m', 'one API more');
  const commit = git('rev-parse', 'HEAD').trim();
  git('switch', '--quiet', 'main');
  return commit;
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

interface Crew {
  readonly program: string;
  readonly count: number;
  readonly atOnce: number;
}

async function startWorker(world: World, { program, atOnce }: Crew): Promise<Worker> {
  const child = spawn(process.execPath, [program, 'fleet', 'work', '--at-once', String(atOnce)], {
    ...{ cwd: world.folder, env: { ...process.env, ...world.env }, stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return { child, lines, pid: child.pid ?? 0 };
}

async function inWorkers<T>(world: World, crew: Crew, work: (all: readonly Worker[]) => Promise<T>): Promise<T> {
  const all = await Promise.all(Array.from({ length: crew.count }, () => startWorker(world, crew)));
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
  return inWorkers(world, { program, count: 1, atOnce: 1 }, async (all) => {
    await sleep(10_000);
    const before = cpuOf(all);
    await sleep(idleMs);
    return { ...silent, wallMs: idleMs, cpuMs: cpuOf(all) - before, peakMb: peakOf(all) };
  });
}

/** A check of every stack, by workers that have done one before. */
function worked(world: World, program: string, count: number): Promise<Run> {
  return inWorkers(world, { program, count, atOnce: 1 }, async (all) => {
    await checked(world, all);
    await world.forgetRequests();
    const before = cpuOf(all);
    const wallMs = await checked(world, all);
    return { ...silent, wallMs, cpuMs: cpuOf(all) - before, peakMb: peakOf(all) };
  });
}

/** Milliseconds from the begin of the first job to the end of the last. */
async function checked(world: World, all: readonly Worker[]): Promise<number> {
  const each = ended(all, 'check', workersCase.stacks);
  await world.sync(['fleet', 'queue', 'check', '*']);
  const { begun, done } = await each;
  return done - begun;
}

/** When the first of so many jobs whose lines begin so has begun, and when the last has come to what is hoped for. Others are not heard. */
function ended(
  all: readonly Worker[],
  jobs: string,
  count: number,
  hoped = 'clean',
): Promise<{ readonly begun: number; readonly done: number }> {
  let begun = Infinity;
  let left = count;
  return new Promise((resolve, reject) => {
    const hear = (line: string): void => {
      if (!line.startsWith(`${jobs} `) || line.includes(' is tried again: ')) return;
      const [, seconds] = / \(([\d.]+) s\)$/.exec(line) ?? [];
      if (seconds === undefined || !line.includes(` ${hoped}`)) return reject(new Error(`a worker says: ${line}`));
      begun = Math.min(begun, performance.now() - Number(seconds) * 1_000);
      left -= 1;
      if (left > 0) return;
      all.forEach(({ lines }) => lines.off('line', hear));
      resolve({ begun, done: performance.now() });
    };
    all.forEach(({ lines }) => lines.on('line', hear));
  });
}
