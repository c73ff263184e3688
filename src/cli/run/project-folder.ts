import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFileName } from '@platform-sync/core/model/project';
import { foldersAbove } from '../files/folders-above.js';

/** The nearest folder, from this one up, that has a sync.yaml; no further than what git keeps as one checkout. */
export function projectFolder(folder: string): string | undefined {
  for (const each of foldersAbove(folder)) {
    if (existsSync(join(each, projectFileName))) return each;
    if (existsSync(join(each, '.git'))) return undefined;
  }
  return undefined;
}

/** The name that the sync.yaml of a folder gives its project; undefined where there is none, or where it isn't a line of its own. */
export async function projectNameIn(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, projectFileName), 'utf8').catch(() => '');
  return /^project:[ \t]+(["']?)([a-z][a-z0-9-]*)\1[ \t]*(?:#.*)?\r?$/m.exec(text)?.[2];
}
