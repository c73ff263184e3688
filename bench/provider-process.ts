import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { Caller } from '../test/pulumi/engine.js';

/** What a running process has used so far. */
export interface Usage {
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** A provider as the engine starts it: an executable that says its port. */
export interface ProviderProcess {
  readonly calls: Caller;
  /** From the start of the process to the line with the port. */
  readonly startMs: number;
  usage(): Usage;
  stop(): Promise<void>;
}

/** The kernel counts in these parts of a second. */
const ticksPerSecond = 100;

/** True where the kernel tells what a process uses while it runs. */
export const canMeasureProviders = existsSync('/proc/self/stat');

/** Makes the packages in a folder. */
export async function buildPackages(folder: string): Promise<void> {
  const build = fileURLToPath(new URL('../pulumi/build.mjs', import.meta.url));
  await promisify(execFile)(process.execPath, [build, folder]);
}

export async function startProvider(
  executable: string,
  env: Readonly<Record<string, string>>,
): Promise<ProviderProcess> {
  const start = performance.now();
  const child = spawn(executable, ['127.0.0.1:1'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (status) => reject(new Error(`the provider ended with ${String(status)}`)));
    child.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
  });
  const startMs = performance.now() - start;
  const proc = `/proc/${String(child.pid)}`;
  return {
    startMs,
    calls: new Caller(port, () => Promise.resolve()),
    usage: () => {
      const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`${proc}/stat`, 'utf8')) ?? [];
      const [user, system] = fields.split(' ').slice(11, 13).map(Number);
      const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`${proc}/status`, 'utf8')) ?? [];
      const cpuMs = (((user ?? 0) + (system ?? 0)) * 1000) / ticksPerSecond;
      return { cpuMs, peakMb: Number(peak) / 1024 };
    },
    stop: () =>
      new Promise((resolve) => {
        process.off('exit', kill);
        child.removeAllListeners('exit');
        child.on('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}
