import { defined } from '@platform-sync/core/model/value';
import type { Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { CommitStatus, ReviewComment, ReviewHost } from '../review-host.js';
import type { ReviewRequest } from '../review-request.js';
import { answers } from './answers.js';
import { githubClient, limited, type GithubClient } from './client.js';
import { identityOf, type Author } from './identity.js';
import { githubEvidence } from './evidence.js';

/** Statuses have four states; what says nothing must not hold a request up. */
const states = {
  pending: 'pending',
  success: 'success',
  failure: 'failure',
  neutral: 'success',
  superseded: 'error',
} as const;
/** The platform refuses longer ones. */
const longestWords = 140;

/** The conversation of a pull request, through the platform's own client. */
export function githubHost(request: ReviewRequest, patience: Patience): ReviewHost {
  const client = githubClient(request, patience);
  const { octokit, place, call, items } = client;

  async function own(passes: (body: string) => boolean): Promise<readonly ReviewComment[]> {
    const found: (ReviewComment & { readonly author: Author | null })[] = [];
    const comments = items(answers.comments, (which) =>
      octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...{ ...place, issue_number: request.number, ...which },
        ...limited(),
      }),
    );
    for await (const { id, body, html_url, user } of comments)
      if (passes(body ?? '')) found.push({ id, body: body ?? '', url: html_url, author: user });
    if (found.length === 0) return [];
    const me = await identityOf(client, request.isPipelineToken);
    return found.filter(({ author }) => author !== null && me?.isMe(author) === true);
  }

  return {
    own,
    ...githubEvidence(client, request),
    harmless: (markdown) => markdown,
    create: async (body) => {
      const { data } = await call(answers.comment, () =>
        octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...place,
          issue_number: request.number,
          body,
          ...limited(),
        }),
      );
      return { id: data.id, body, url: data.html_url };
    },
    edit: async (id, body) => {
      const { data } = await call(answers.comment, () =>
        octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
          ...place,
          comment_id: id,
          body,
          ...limited(),
        }),
      );
      return { id, body, url: data.html_url };
    },
    remove: async (id) => {
      await call(answers.anything, () =>
        octokit.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', {
          ...place,
          comment_id: id,
          ...limited(),
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof ReviewError && error.kind === 'not-found')) throw error;
      });
    },
    mark: (sha, status) => mark(client, sha, status),
  };
}

async function mark(
  { octokit, place, call }: GithubClient,
  sha: string,
  { name, state, words, link }: CommitStatus,
): Promise<void> {
  await call(answers.anything, () =>
    octokit.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
      ...{ ...place, sha, state: states[state], context: name, description: words.slice(0, longestWords) },
      ...defined({ target_url: link }),
      ...limited(),
    }),
  );
}
