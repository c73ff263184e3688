import { defined } from '@platform-sync/core/model/value';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import { eventOf, reviewEnvironment } from './environment.js';
import { member, positive, type Environment } from './review-environment.js';
import type { ReviewPlatform } from './review-request.js';

const runVariables: Readonly<Record<ReviewPlatform, string>> = { github: 'GITHUB_RUN_ID', gitlab: 'CI_PIPELINE_ID' };

/** The run of a pipeline that this is, for what it makes; undefined outside of one. */
export function pipelineOf(env: Environment): Pipeline | undefined {
  const environment = reviewEnvironment(env, { platform: undefined, number: undefined });
  if (environment === undefined) return undefined;
  const { platform, project, commit } = environment;
  return defined({ repository: project?.project, commit, run: positive(env[runVariables[platform]]) });
}

/** The run that this one was started by the end of: what it left is asked for. */
export function runBefore(env: Environment): number | undefined {
  return positive(member(eventOf(env['GITHUB_EVENT_PATH']), 'workflow_run', 'id'));
}

/**
 * Why a document was not made by this run, as the end of a sentence; undefined where nothing says so. `asked`: runs whose documents
 * were asked for by their number.
 */
export function foreignTo(own: Pipeline, made: Pipeline, asked: readonly number[]): string | undefined {
  if (differ(own.repository, made.repository))
    return `is of ${made.repository ?? ''}, and this pipeline is of ${own.repository ?? ''}`;
  if (made.run !== undefined && asked.includes(made.run)) return undefined;
  // Whoever leaves out of which run a document is may have made it anywhere.
  if (own.run !== undefined && made.run === undefined) return 'does not say which run of a pipeline made it';
  if (differ(own.commit, made.commit))
    return `is of commit ${made.commit ?? ''}, and this run is for ${own.commit ?? ''}`;
  if (differ(own.run, made.run)) return `is of run ${made.run ?? ''} of the pipeline, and this is ${own.run ?? ''}`;
  return undefined;
}

function differ(own: string | number | undefined, made: string | number | undefined): boolean {
  return own !== undefined && made !== undefined && own !== made;
}
