import { existsSync } from 'node:fs';
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
