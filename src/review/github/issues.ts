import { defined } from '@platform-sync/core/model/value';
import { closedPages, type IssueHost, type IssueState, type TrackedIssue } from '../issue-host.js';
import type { Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { githubClient, limited, pageSize, type GithubClient } from './client.js';
import { identityOf, isOfPipeline, type Author, type Identity } from './identity.js';

/** The issues of a repository, through the platform's own client. */
export function githubIssues(project: ReviewProject, patience: Patience): IssueHost {
  const client = githubClient(project, patience);
  const { octokit, place, call } = client;
  let asked: Promise<Identity> | undefined;
  const me = (): Promise<Identity> => (asked ??= ownIdentity(client, project.isPipelineToken));

  async function own(state: IssueState, passes: (body: string) => boolean): Promise<readonly TrackedIssue[]> {
    if (state === 'open') {
      // Most repositories have one page of open issues: whose token this is need not be asked where none is ours, or a workflow's.
      const { found, isWhole } = await listed(client, state, passes, { mostPages: 1 });
      if (isWhole) {
        if (found.every(({ author }) => project.isPipelineToken && isOfPipeline(author))) return found;
        const { isMe } = await me();
        return found.filter(({ author }) => isMe(author));
      }
    }
    const { login, isMe } = await me();
    const mostPages = state === 'open' ? Infinity : closedPages;
    const { found } = await listed(client, state, passes, { mostPages, ...defined({ creator: login }) });
    return found.filter(({ author }) => isMe(author));
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

/** What passes, with its author; `isWhole`: there was no page besides. */
async function listed(
  { octokit, place, items }: GithubClient,
  state: IssueState,
  passes: (body: string) => boolean,
  how: { readonly creator?: string; readonly mostPages: number },
): Promise<{ readonly found: readonly Authored[]; readonly isWhole: boolean }> {
  // By number: a list that moves while it is read may show an issue twice.
  const found = new Map<number, Authored>();
  let seen = 0;
  const issues = items(
    answers.issues,
    (which) =>
      octokit.request('GET /repos/{owner}/{repo}/issues', {
        ...place,
        ...{ state, sort: 'updated', direction: 'desc', ...which },
        ...defined({ creator: how.creator }),
        ...limited(),
      }),
    how.mostPages,
  );
  // Pull requests are listed, too.
  for await (const { number, body, html_url, user, pull_request } of issues) {
    seen += 1;
    if (pull_request === undefined && user !== null && passes(body ?? ''))
      found.set(number, { number, body: body ?? '', url: html_url, author: user });
  }
  return { found: [...found.values()].sort((a, b) => a.number - b.number), isWhole: seen < pageSize };
}

type Authored = TrackedIssue & { readonly author: Author };

/** Without knowing its own issue, each check would open another one. */
async function ownIdentity(client: GithubClient, isPipelineToken: boolean): Promise<Identity> {
  const identity = await identityOf(client, isPipelineToken);
  if (identity !== undefined) return identity;
  throw new ReviewError('forbidden', 'the token does not tell whose it is');
}
