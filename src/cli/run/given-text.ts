import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Host } from '../process/host.js';
import { UsageError } from '../process/usage-error.js';
import { fileReason } from '../files/file-reason.js';

/** The text of a file that was named on the command line; `-` is standard input. */
export async function givenText(host: Pick<Host, 'readInput'>, cwd: string, file: string): Promise<string> {
  if (file === '-') return host.readInput();
  const path = resolve(cwd, file);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${fileReason(error)}`);
  }
}
