import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@platform-sync/core/model/diagnostic';
import { packageFacts } from '../process/package-facts.js';

/** Rules to begin with, each with its tests. A file that is there is somebody's own. */
export async function writePolicyFiles(folder: string): Promise<readonly string[]> {
  const from = join(packageFacts().root, 'schemas/policies');
  await mkdir(join(folder, 'policies'), { recursive: true });
  const written: string[] = [];
  for (const name of (await readdir(from)).sort())
    try {
      await copyFile(join(from, name), join(folder, 'policies', name), constants.COPYFILE_EXCL);
      written.push(`policies/${name}`);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  return written;
}
