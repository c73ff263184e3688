import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { foldersAbove } from '../files/tracked-file.js';
import type { RunContext } from './run-context.js';

type Place = Pick<RunContext, 'folder' | 'host'>;

/** Root of the repository that the project lies in, absolute; undefined: there is none. */
export function repositoryRoot({ folder, host: { env } }: Place): string | undefined {
  const said = env['GITHUB_WORKSPACE'] ?? env['CI_PROJECT_DIR'];
  return checkoutOf(folder) ?? (said === undefined || said === '' ? undefined : resolve(said));
}

/** Folder of sync.yaml inside its repository, forward slashes; empty: its root, or there is no repository. */
export function repositoryFolder(place: Place): string {
  const root = repositoryRoot(place);
  if (root === undefined) return '';
  const folder = relative(root, place.folder).replaceAll('\\', '/');
  return folder.startsWith('..') ? '' : folder;
}

/** The nearest folder above that git keeps something in. */
function checkoutOf(folder: string): string | undefined {
  for (const each of foldersAbove(folder)) if (existsSync(join(each, '.git'))) return each;
  return undefined;
}
