import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
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
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : checkoutOf(above);
}
