import type { Patience } from '../patience.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { githubClient, limited } from './client.js';

/** The merged pull request that left this commit; one whose branch merely holds it does not count. */
export async function find(project: ReviewProject, commit: string, patience: Patience): Promise<number | undefined> {
  const { octokit, place, read } = githubClient(project, patience);
  const { data } = await read(answers.requests, () =>
    octokit.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
      ...place,
      commit_sha: commit,
      ...limited(),
    }),
  );
  const merged = data.filter(({ merged_at }) => merged_at !== null);
  return (merged.find(({ merge_commit_sha }) => merge_commit_sha === commit) ?? merged[0])?.number;
}
