import { Jobs } from '@gitbeaker/rest';
import { patiently, type Patience } from '../patience.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { ask, clientOptions } from './client.js';

/** A job of a pipeline, as the platform lists it. */
interface PipelineJob {
  readonly name: string;
  /** The platform's own word. */
  readonly status: string;
}

const pageSize = 100;
// Far more than a pipeline of people has.
const mostPages = 20;

/** The jobs of a pipeline; of one that was started again, the last try. */
export async function jobsOf(
  project: ReviewProject,
  pipeline: number,
  patience: Patience,
): Promise<readonly PipelineJob[]> {
  const jobs = new Jobs(clientOptions(project, patience));
  const found: PipelineJob[] = [];
  for (let page = 1, more = true; more && page <= mostPages; page += 1) {
    const listed = await patiently(
      patience,
      () => ask(answers.jobs, () => jobs.all(project.project, { pipelineId: pipeline, perPage: pageSize, page })),
      { repeatable: true },
    );
    found.push(...listed);
    more = listed.length === pageSize;
  }
  return found;
}
