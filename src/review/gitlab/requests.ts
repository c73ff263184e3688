import { Commits, MergeRequests } from '@gitbeaker/rest';
import { patiently, type Patience } from '../patience.js';
import type { MergedRequest, RequestChoice, ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { ask, clientOptions } from './client.js';

/** The merged merge request that left this commit; one whose branch merely holds it does not count. */
export async function find(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<MergedRequest | undefined> {
  const commits = new Commits(clientOptions(project, patience));
  const found = (
    await patiently(patience, () => ask(answers.requests, () => commits.allMergeRequests(project.project, commit)), {
      repeatable: true,
    })
  ).find(({ state }) => state === 'merged');
  return found && { number: found.iid, mergedAt: String(found.merged_at ?? ''), base: String(found.target_branch) };
}

// One page holds more than anybody merges between two applies.
const pageSize = 100;

export async function listed(
  { project, ...rest }: ReviewProject,
  choice: RequestChoice,
  patience: Patience,
): Promise<readonly { readonly number: number }[]> {
  const requests = new MergeRequests(clientOptions({ project, ...rest }, patience));
  const found = await patiently(
    patience,
    () =>
      ask(answers.requests, () =>
        requests.all({
          ...{ projectId: project, scope: 'all', orderBy: 'updated_at', sort: 'desc', perPage: pageSize, page: 1 },
          ...{ state: choice.state === 'open' ? 'opened' : 'merged' },
          targetBranch: choice.state === 'open' ? choice.base : choice.before.base,
        }),
      ),
    { repeatable: true },
  );
  const numbered = found.map(({ iid, merged_at }) => ({ number: iid, mergedAt: merged_at ?? '' }));
  if (choice.state === 'open') return numbered.slice(0, choice.most);
  const { number, mergedAt } = choice.before;
  return numbered
    .filter((one) => one.number !== number && one.mergedAt !== '' && one.mergedAt <= mergedAt)
    .sort((a, b) => (a.mergedAt < b.mergedAt ? 1 : -1))
    .slice(0, choice.most);
}
