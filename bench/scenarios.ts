import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shapeOf, writeProject } from './catalogue.js';
import type { Shape } from './catalogue.js';
import { program, runNode, startSandboxProcess } from './process.js';
import type { Run, SandboxProcess } from './process.js';
import { spreadOf } from './statistics.js';
import type { Spread } from './statistics.js';

/** One row of the table. */
export interface Measurement {
  readonly name: string;
  readonly size: number;
  readonly latencyMs: number;
  readonly backend: string;
  readonly runs: number;
  readonly wallMs: Spread;
  readonly cpuMs: Spread;
  readonly peakMb: Spread;
  /** Platform requests of one run. */
  readonly requests?: number;
}

export interface Setting {
  readonly size: number;
  readonly latencyMs: number;
  readonly runs: number;
  readonly backend: 'sqlite' | 'postgres';
  /** For postgres. */
  readonly stateUrl?: string;
  readonly shape?: Shape;
  readonly label?: string;
}

/** What starting costs, without any work. */
export async function measureStart(runs: number): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  await writeProject(folder, { apis: 1, documents: 1, content: 50 });
  const commands: readonly (readonly [string, readonly string[]])[] = [
    ['bare node', ['-e', '0']],
    ['--version', [program, '--version']],
    ['--help', [program, '--help']],
    ['validate, one file', [program, 'validate']],
  ];
  const rows: Measurement[] = [];
  for (const [name, args] of commands) {
    const all = await repeat(runs, () => runNode(args, { cwd: folder }));
    rows.push(row(name, { size: 1, latencyMs: 0, runs, backend: 'sqlite' }, all));
  }
  await rm(folder, { recursive: true, force: true });
  return rows;
}

/** The life of one catalogue: first apply, plans with nothing and with 1 % to do, and rendering. */
export async function measureLife(setting: Setting): Promise<readonly Measurement[]> {
  const sandbox = await startSandboxProcess(setting.latencyMs);
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  const shape = setting.shape ?? shapeOf(setting.size);
  const state = setting.backend === 'postgres' ? `state: {backend: postgres, url: !env SYNC_STATE_URL}\n` : '';
  const env = {
    PLATFORM_TOKEN: 'bench',
    PLATFORM_SERVER_URL: sandbox.url,
    ...(setting.stateUrl === undefined ? {} : { SYNC_STATE_URL: setting.stateUrl }),
  };
  const sync = (...args: string[]): Promise<Run> => runNode([program, ...args], { cwd: folder, env });
  try {
    await writeProject(folder, shape, { state });
    const rows = [await measure(setting, 'validate', setting.runs, sandbox, () => sync('validate'))];
    // A first apply can be done only once in a world; its spread is one value.
    rows.push(await measure(setting, 'first apply', 1, sandbox, () => sync('apply', '--yes')));
    rows.push(await measure(setting, 'plan, nothing to do', setting.runs, sandbox, () => sync('plan')));
    rows.push(
      await measure(setting, 'plan --refresh none', setting.runs, sandbox, () => sync('plan', '--refresh', 'none')),
    );
    await writeProject(folder, shape, { state, changed: 5 });
    rows.push(
      await measure(setting, 'plan, 1 % changed', setting.runs, sandbox, () => sync('plan', '--out', 'plan.json')),
    );
    rows.push(await measure(setting, 'show, text', setting.runs, sandbox, () => sync('show', 'plan.json')));
    return rows;
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Load and validate only, and plan against recorded state: sizes too large to create. */
export async function measureLoad(size: number, runs: number): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-'));
  await writeProject(folder, shapeOf(size));
  const all = await repeat(runs, () => runNode([program, 'validate'], { cwd: folder }));
  await rm(folder, { recursive: true, force: true });
  return [row('validate', { size, latencyMs: 0, runs, backend: 'sqlite' }, all)];
}

async function measure(
  setting: Setting,
  name: string,
  runs: number,
  sandbox: SandboxProcess,
  work: () => Promise<Run>,
): Promise<Measurement> {
  await sandbox.resetRequests();
  const all = await repeat(runs, work);
  const requests = (await sandbox.requests()) / runs;
  return {
    ...row(setting.label === undefined ? name : `${name} (${setting.label})`, { ...setting, runs }, all),
    requests,
  };
}

async function repeat(times: number, work: () => Promise<Run>): Promise<readonly Run[]> {
  const all: Run[] = [];
  for (let n = 0; n < times; n += 1) all.push(await work());
  return all;
}

function row(name: string, setting: Setting, all: readonly Run[]): Measurement {
  return {
    name,
    size: setting.size,
    latencyMs: setting.latencyMs,
    backend: setting.backend,
    runs: setting.runs,
    wallMs: spreadOf(all.map((run) => run.wallMs)),
    cpuMs: spreadOf(all.map((run) => run.cpuMs)),
    peakMb: spreadOf(all.map((run) => run.peakMb)),
  };
}
