import type { Patience } from '../patience.js';
import type { MergedRequest, RequestChoice, ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { githubClient, limited, pageSize } from './client.js';

/** The merged pull request that left this commit; one whose branch merely holds it does not count. */
export async function find(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<MergedRequest | undefined> {
  const { octokit, place, read } = githubClient(project, patience);
  const { data } = await read(answers.requests, () =>
    octokit.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
      ...place,
      commit_sha: commit,
      ...limited(),
    }),
  );
  const merged = data.filter(({ merged_at }) => merged_at !== null);
  const found = merged.find(({ merge_commit_sha }) => merge_commit_sha === commit) ?? merged[0];
  return found && { number: found.number, mergedAt: found.merged_at ?? '', base: found.base.ref };
}

/** One page: more than anybody merges between two applies. */
export async function listed(
  project: ReviewProject,
  choice: RequestChoice,
  patience: Patience,
): Promise<readonly { readonly number: number }[]> {
  const { octokit, place, read } = githubClient(project, patience);
  const { data } = await read(answers.requests, () =>
    octokit.request('GET /repos/{owner}/{repo}/pulls', {
      ...place,
      ...{ state: choice.state === 'open' ? 'open' : 'closed', sort: 'updated', direction: 'desc' },
      ...{ base: choice.state === 'open' ? choice.base : choice.before.base, per_page: pageSize },
      ...limited(),
    }),
  );
  if (choice.state === 'open') return data.slice(0, choice.most);
  const { number, mergedAt } = choice.before;
  return data
    .filter((one) => one.number !== number && one.merged_at !== null && one.merged_at <= mergedAt)
    .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1))
    .slice(0, choice.most);
}
