import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ReviewPlace } from '../../report/view/review-place.js';
import type { ReviewEnvironment } from '../../review/review-environment.js';
import type { RunContext } from '../run/run-context.js';

/** Where readers of this run's reports are: the repository's own paths, and the pipeline's commit and pages. */
export async function reviewPlaceOf(context: RunContext, known?: ReviewEnvironment): Promise<ReviewPlace> {
  const { reviewEnvironment } = await import('../../review/environment.js');
  const environment = known ?? reviewEnvironment(context.around.env, { platform: undefined, number: undefined });
  const folder = repositoryFolder(context);
  if (environment === undefined) return { folder };
  const { commit, links } = environment;
  return { folder, links, ...(commit === undefined ? {} : { commit }) };
}

/** Folder of sync.yaml inside its repository, forward slashes; empty: its root, or there is no repository. */
export function repositoryFolder(context: Pick<RunContext, 'cwd' | 'around'>): string {
  const { cwd } = context;
  const root = repositoryRoot(context);
  if (root === undefined) return '';
  const folder = relative(root, cwd).replaceAll('\\', '/');
  return folder.startsWith('..') ? '' : folder;
}

/** Root of the repository that the project lies in, absolute; undefined: there is none. */
export function repositoryRoot({ cwd, around: { env } }: Pick<RunContext, 'cwd' | 'around'>): string | undefined {
  const said = env['GITHUB_WORKSPACE'] ?? env['CI_PROJECT_DIR'];
  return checkoutOf(cwd) ?? (said === undefined || said === '' ? undefined : resolve(said));
}

/** The nearest folder above that git keeps something in. */
function checkoutOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : checkoutOf(above);
}
