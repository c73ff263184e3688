import type { Patience } from './patience.js';
import { ReviewError } from './review-error.js';
import type { ReviewEnvironment } from './review-environment.js';
import { isSafeServer } from './safe-server.js';

/**
 * How the first of the jobs that was not carried out to its end came to its own, as the platform says. Undefined where
 * none was, where the platform can't be asked, or is one whose pipelines hand over how their jobs ended.
 */
export async function endingOfJobs(
  { project, run }: ReviewEnvironment,
  names: readonly string[],
  patience: Patience,
): Promise<'cancelled' | 'failed' | undefined> {
  if (project?.platform !== 'gitlab' || project.token === undefined || run === undefined) return undefined;
  if (!isSafeServer(project.apiUrl)) return undefined;
  try {
    const { jobsOf } = await import('./gitlab/jobs.js');
    const jobs = await jobsOf(project, run.id, patience);
    const found = names.flatMap((name) => jobs.find((job) => job.name === name) ?? []);
    const ended = found.find(({ status }) => status === 'failed' || status.startsWith('cancel'));
    return ended === undefined ? undefined : ended.status === 'failed' ? 'failed' : 'cancelled';
  } catch (error) {
    if (error instanceof ReviewError) return undefined;
    throw error;
  }
}
