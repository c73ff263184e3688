import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { failureOf, type Run, type RunOptions } from './process.js';

const sampleEveryMs = 20;
/** Kernel ticks a second, as /proc counts CPU time; 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** What one process has used so far. */
export interface Usage {
  readonly cpuMs: number;
  /** Greatest resident size, kept by the kernel. */
  readonly peakMb: number;
}

/**
 * Runs any program and watches it and all its descendants from outside: the same yardstick for programs that can't
 * report on themselves. Peak memory is the sum over all processes. Without /proc both are NaN.
 */
export async function runTree(command: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const start = performance.now();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  const seen = new Map<number, Usage>();
  const sample = (): void => {
    if (child.pid !== undefined) for (const pid of treeOf(child.pid)) keep(seen, pid, usageOf(pid));
  };
  const timer = setInterval(sample, sampleEveryMs);
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve(status ?? 1));
  }).finally(() => {
    clearInterval(timer);
    process.off('exit', kill);
  });
  const wallMs = performance.now() - start;
  const output = { stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  if (!(options.codes ?? [0]).includes(code)) throw new Error(failureOf(`${command} ${args.join(' ')}`, code, output));
  return { wallMs, ...total(seen), code, ...output };
}

function keep(seen: Map<number, Usage>, pid: number, usage: Usage | undefined): void {
  if (usage !== undefined) seen.set(pid, usage);
}

function total(seen: ReadonlyMap<number, Usage>): Usage {
  if (seen.size === 0) return { cpuMs: NaN, peakMb: NaN };
  const sum = { cpuMs: 0, peakMb: 0 };
  for (const { cpuMs, peakMb } of seen.values()) {
    sum.cpuMs += cpuMs;
    sum.peakMb += peakMb;
  }
  return sum;
}

/** A process and all below it; empty when it is gone. */
function treeOf(pid: number): readonly number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) => numbers(readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')));
    return [pid, ...children.flatMap(treeOf)];
  } catch {
    return [];
  }
}

function numbers(text: string): readonly number[] {
  return text.split(' ').filter(Boolean).map(Number);
}

/** Undefined for a process that has ended. */
export function usageOf(pid: number): Usage | undefined {
  try {
    return parseUsage(readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Reads /proc/PID/stat and /proc/PID/status (proc(5)); undefined for a process that has ended. */
export function parseUsage(stat: string, status: string): Usage | undefined {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  // The name in parentheses may hold anything; user and system time are the 12th and 13th fields behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (peak === undefined || Number.isNaN(ticks)) return undefined;
  return { cpuMs: (ticks * 1000) / ticksPerSecond, peakMb: Number(peak) / 1024 };
}
