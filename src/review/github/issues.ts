import { defined } from '../../engine/model/defined.js';
import { closedPages, type IssueHost, type IssueState, type TrackedIssue } from '../issue-host.js';
import type { Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { githubClient, limited, type GithubClient } from './client.js';
import { identityOf, type Identity } from './identity.js';

/** The issues of a repository, through the platform's own client. */
export function githubIssues(project: ReviewProject, patience: Patience): IssueHost {
  const client = githubClient(project, patience);
  const { octokit, place, call, items } = client;
  let asked: Promise<Identity> | undefined;
  const me = (): Promise<Identity> => (asked ??= ownIdentity(client, project.isPipelineToken));

  async function own(state: IssueState, passes: (body: string) => boolean): Promise<readonly TrackedIssue[]> {
    const { login, isMe } = await me();
    // By number: a list that moves while it is read may show an issue twice.
    const found = new Map<number, TrackedIssue>();
    const issues = items(
      answers.issues,
      (which) =>
        octokit.request('GET /repos/{owner}/{repo}/issues', {
          ...place,
          ...{ state, sort: 'updated', direction: 'desc', ...which },
          ...defined({ creator: login }),
          ...limited(),
        }),
      state === 'open' ? Infinity : closedPages,
    );
    // Pull requests are listed, too.
    for await (const { number, body, html_url, user, pull_request } of issues)
      if (pull_request === undefined && user !== null && isMe(user) && passes(body ?? ''))
        found.set(number, { number, body: body ?? '', url: html_url });
    return [...found.values()].sort((a, b) => a.number - b.number);
  }

  return {
    own,
    harmless: (markdown) => markdown,
    create: async (title, body) => {
      const { data } = await call(answers.issue, () =>
        octokit.request('POST /repos/{owner}/{repo}/issues', { ...place, title, body, ...limited() }),
      );
      return { number: data.number, body, url: data.html_url };
    },
    edit: async (number, change) => {
      const { data } = await call(answers.issue, () =>
        octokit.request('PATCH /repos/{owner}/{repo}/issues/{issue_number}', {
          ...place,
          issue_number: number,
          ...change,
          ...limited(),
        }),
      );
      return { number, body: data.body ?? '', url: data.html_url };
    },
    comment: async (number, body) => {
      await call(answers.anything, () =>
        octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...place,
          issue_number: number,
          body,
          ...limited(),
        }),
      );
    },
  };
}

/** Without knowing its own issue, each check would open another one. */
async function ownIdentity(client: GithubClient, isPipelineToken: boolean): Promise<Identity> {
  const identity = await identityOf(client, isPipelineToken);
  if (identity !== undefined) return identity;
  throw new ReviewError('forbidden', 'the token does not tell whose it is');
}
