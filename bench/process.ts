import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One finished process. */
export interface Run {
  readonly wallMs: number;
  /** User and system time. */
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are no failure; default only 0. */
  readonly codes?: readonly number[];
}

const reporter = fileURLToPath(new URL('report-usage.mjs', import.meta.url));

/** Runs node with these arguments and reads what the process itself says of its use of time and memory. */
export async function runNode(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-usage-'));
  const usageFile = join(folder, 'usage.json');
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', reporter, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env, SYNC_BENCH_USAGE: usageFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
  const wallMs = performance.now() - start;
  const output = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  if (!(options.codes ?? [0]).includes(code)) throw new Error(failureOf(`node ${args.join(' ')}`, code, output));
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as { cpuMs: number; peakMb: number };
  await rm(folder, { recursive: true, force: true });
  return { wallMs, cpuMs: usage.cpuMs, peakMb: usage.peakMb, code, ...output };
}

/** The end of what a process said before it failed. */
export function failureOf(
  command: string,
  code: number,
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): string {
  return `${command} ended with ${code}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`;
}
