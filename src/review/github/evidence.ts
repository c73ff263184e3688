import { unlessDenied } from '../review-error.js';
import type { ReviewHost } from '../review-host.js';
import type { RequestFacts, ReviewRequest, Revision } from '../review-request.js';
import { answers } from './answers.js';
import { limited, type GithubClient } from './client.js';
import { queuedRequest, seriesOf } from './environment.js';

// The platform lists no more than 250 commits of a request.
const mostPages = 3;

/** What the platform itself says of a pull request, its commits and the runs of workflows. */
export function githubEvidence(client: GithubClient, request: ReviewRequest): Pick<ReviewHost, 'facts' | 'knows'> {
  const { octokit, place, read, items } = client;
  let asked: Promise<RequestFacts | undefined> | undefined;
  const facts = (): Promise<RequestFacts | undefined> => (asked ??= unlessDenied(ask));

  async function ask(): Promise<RequestFacts> {
    const { data } = await read(answers.request, () =>
      octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
        ...place,
        pull_number: request.number,
        ...limited(),
      }),
    );
    const { head, merge_commit_sha, state, merged } = data;
    const isMerged = merged && merge_commit_sha !== null;
    return { head: head.sha, merged: isMerged ? [merge_commit_sha] : [], isOpen: state === 'open' };
  }

  async function hasCommit(commit: string): Promise<boolean> {
    const known = await facts();
    if (known !== undefined && [known.head, ...known.merged].includes(commit)) return true;
    const commits = items(
      answers.commits,
      (which) =>
        octokit.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/commits', {
          ...{ ...place, pull_number: request.number, ...which },
          ...limited(),
        }),
      mostPages,
    );
    for await (const { sha } of commits) if (sha === commit) return true;
    return false;
  }

  async function knows({ commit, run }: Revision): Promise<boolean> {
    if (run === undefined) return false;
    const { data } = await read(answers.run, () =>
      octokit.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}', { ...place, run_id: run.id, ...limited() }),
    );
    const series = seriesOf(`${request.project}/${data.path}`);
    if (data.run_number !== run.number || series !== run.series) return false;
    return isQueued(data, commit, request.number) || hasCommit(commit);
  }

  return { facts, knows: async (revision) => (await unlessDenied(() => knows(revision))) ?? false };
}

/** A merge queue tries a request on a branch of its own, whose commits the request does not list. */
function isQueued(
  run: { readonly head_sha: string; readonly head_branch: string | null },
  commit: string,
  number: number,
): boolean {
  return run.head_sha === commit && queuedRequest(run.head_branch ?? '') === number;
}
