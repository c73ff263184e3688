import { defined } from '@platform-sync/core/model/defined';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import type { ReviewEnvironment } from '@platform-sync/review/review-environment';
import { repositoryFolder } from '../run/repository.js';
import type { RunContext } from '../run/run-context.js';

/** Where readers of this run's reports are: the repository's own paths, and the pipeline's commit and pages. */
export async function reviewPlaceOf(context: RunContext, known?: ReviewEnvironment): Promise<ReviewPlace> {
  const { reviewEnvironment } = await import('@platform-sync/review/environment');
  const environment = known ?? reviewEnvironment(context.host.env, { platform: undefined, number: undefined });
  const folder = repositoryFolder(context);
  if (environment === undefined) return { folder };
  const { commit, links } = environment;
  return { folder, links, ...defined({ commit }) };
}
