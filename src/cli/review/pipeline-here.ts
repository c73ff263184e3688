import type { Pipeline } from '@platform-sync/core/model/pipeline';
import { repositoryFolder } from '../run/repository.js';
import type { RunContext } from '../run/run-context.js';

/** The run of a pipeline that this command is part of, and the folder of the project that it is for. */
export async function pipelineHere(context: Pick<RunContext, 'folder' | 'host'>): Promise<Pipeline | undefined> {
  const run = (await import('@platform-sync/review/pipeline')).pipelineOf(context.host.env);
  const folder = repositoryFolder(context);
  return run === undefined || folder === '' ? run : { ...run, folder };
}
