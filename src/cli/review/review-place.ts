import { defined } from '../../engine/model/defined.js';
import type { ReviewPlace } from '../../report/view/review-place.js';
import type { ReviewEnvironment } from '../../review/review-environment.js';
import { repositoryFolder } from '../run/repository.js';
import type { RunContext } from '../run/run-context.js';

/** Where readers of this run's reports are: the repository's own paths, and the pipeline's commit and pages. */
export async function reviewPlaceOf(context: RunContext, known?: ReviewEnvironment): Promise<ReviewPlace> {
  const { reviewEnvironment } = await import('../../review/environment.js');
  const environment = known ?? reviewEnvironment(context.host.env, { platform: undefined, number: undefined });
  const folder = repositoryFolder(context);
  if (environment === undefined) return { folder };
  const { commit, links } = environment;
  return { folder, links, ...defined({ commit }) };
}
