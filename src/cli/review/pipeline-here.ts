import type { Pipeline } from '../../engine/model/pipeline.js';
import type { RunContext } from '../run/run-context.js';

/** The run of a pipeline that this command is part of. */
export async function pipelineHere({ host }: Pick<RunContext, 'host'>): Promise<Pipeline | undefined> {
  return (await import('../../review/pipeline.js')).pipelineOf(host.env);
}
