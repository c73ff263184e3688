import { defined } from '@platform-sync/core/model/value';
import type { ReviewPlace } from '@platform-sync/report/view/review-place';
import { reviewPlatformOf, type ReviewEnvironment } from '@platform-sync/review/review-environment';
import { repositoryFolder } from '../run/repository.js';
import type { RunContext } from '../run/run-context.js';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import type { RunBy } from '@platform-sync/core/model/run';

/** Where readers of this run's reports are: the repository's own paths, and the pipeline's commit and pages. */
export async function reviewPlaceOf(context: RunContext, known?: ReviewEnvironment): Promise<ReviewPlace> {
  const { reviewEnvironment } = await import('@platform-sync/review/environment');
  const environment = known ?? reviewEnvironment(context.host.env, { platform: undefined, number: undefined });
  const folder = repositoryFolder(context);
  if (environment === undefined) return { folder };
  const { commit, links } = environment;
  return { folder, links, ...defined({ commit }) };
}

/** The run of a pipeline that this command is part of, and the folder of the project that it is for. */
export async function pipelineHere(context: Pick<RunContext, 'folder' | 'host'>): Promise<Pipeline | undefined> {
  const { env } = context.host;
  if (reviewPlatformOf(env) === undefined) return undefined;
  const run = (await import('@platform-sync/review/pipeline')).pipelineOf(env);
  const folder = repositoryFolder(context);
  return run === undefined || folder === '' ? run : { ...run, folder };
}

/** Who lets something be carried out, as far as the pipeline says it. */
export async function runBy(context: Pick<RunContext, 'folder' | 'host'>): Promise<RunBy> {
  const { env } = context.host;
  const request = /^(?:refs\/pull\/)?([1-9]\d{0,8})(?:\/.*)?$/.exec(
    env['GITHUB_REF'] ?? env['CI_MERGE_REQUEST_IID'] ?? '',
  );
  return defined({
    actor: context.host.actor ?? env['GITHUB_ACTOR'] ?? env['GITLAB_USER_LOGIN'],
    request: request === null ? undefined : Number(request[1]),
    pipeline: await pipelineHere(context),
  });
}
