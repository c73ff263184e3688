import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What a program and all that it began may take together. */
export interface Share {
  /** Of memory. Known on Linux alone, as `processes` is. */
  readonly megabytes: number;
  readonly processes: number;
  /** What it may write into one folder. */
  readonly written: { readonly folder: string; readonly megabytes: number; readonly files: number };
}

export type ShareLimit = 'memory' | 'processes' | 'files';

/** Which limit the group of a process has broken. */
export async function brokenBy(group: number, share: Share): Promise<ShareLimit | undefined> {
  const [sizes, written] = await Promise.all([memoryOf(group), sizesIn(share.written.folder)]);
  if (sizes.length > share.processes) return 'processes';
  if (sum(sizes) > share.megabytes * 1_024) return 'memory';
  const isFlood = written.length > share.written.files || sum(written) > share.written.megabytes * 1e6;
  return isFlood ? 'files' : undefined;
}

/** Kilobytes of each process of a group that has not ended. */
async function memoryOf(group: number): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (pid) => {
        // The name of a program may hold anything.
        const [state, , of] = (await textOf(`/proc/${pid}/stat`)).replace(/^.*\) /s, '').split(' ');
        if (Number(of) !== group || state === 'Z') return undefined;
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(await textOf(`/proc/${pid}/status`))?.[1] ?? 0);
      }),
  );
  return sizes.filter((size) => size !== undefined);
}

/** Bytes of each file and folder below one. */
async function sizesIn(folder: string): Promise<readonly number[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? [0, ...(await sizesIn(path))] : [(await stat(path).catch(() => ({ size: 0 }))).size];
    }),
  );
  return sizes.flat();
}

function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all + size, 0);
}
