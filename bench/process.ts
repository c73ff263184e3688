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
}

const reporter = fileURLToPath(new URL('report-usage.mjs', import.meta.url));
export const program = fileURLToPath(new URL('../bin/sync.js', import.meta.url));

/** Runs node with these arguments and reads what the process itself says of its use of time and memory. */
export async function runNode(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'sync-bench-usage-'));
  const usageFile = join(folder, 'usage.json');
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', reporter, ...args], {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env, SYNC_BENCH_USAGE: usageFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  });
  const wallMs = performance.now() - start;
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as { cpuMs: number; peakMb: number };
  await rm(folder, { recursive: true, force: true });
  if (code !== 0)
    throw new Error(`node ${args.join(' ')} ended with ${code}\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  return { wallMs, cpuMs: usage.cpuMs, peakMb: usage.peakMb, code, stdout };
}

/** The sandbox in a process of its own, as users run it. */
export interface SandboxProcess {
  readonly url: string;
  requests(): Promise<number>;
  resetRequests(): Promise<void>;
  stop(): Promise<void>;
}

export async function startSandboxProcess(latencyMs: number): Promise<SandboxProcess> {
  const child = spawn(process.execPath, [program, 'sandbox', '--port', '0', '--latency', String(latencyMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.on('exit', (status) => reject(new Error(`the sandbox ended with ${status}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const line = text.split('\n').find((candidate) => candidate.startsWith('{'));
      if (line !== undefined && text.includes('\n')) resolve((JSON.parse(line) as { url: string }).url);
    });
  });
  const control = `${url}/_sandbox/requests`;
  return {
    url,
    requests: async () => ((await (await fetch(control)).json()) as { total: number }).total,
    resetRequests: async () => void (await fetch(control, { method: 'DELETE' })),
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.on('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}
