import { Commits } from '@gitbeaker/rest';
import { patiently, type Patience } from '../patience.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { ask, clientOptions } from './client.js';

/** The merged merge request that left this commit; one whose branch merely holds it does not count. */
export async function find(project: ReviewProject, commit: string, patience: Patience): Promise<number | undefined> {
  const commits = new Commits(clientOptions(project, patience));
  const listed = await patiently(
    patience,
    () => ask(answers.requests, () => commits.allMergeRequests(project.project, commit)),
    { repeatable: true },
  );
  return listed.find(({ state }) => state === 'merged')?.iid;
}
