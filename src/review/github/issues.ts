import { defined } from '../../engine/model/defined.js';
import { closedPages } from '../issue-host.js';
import type { IssueHost, IssueState, TrackedIssue } from '../issue-host.js';
import type { Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { githubClient, hasNext, limited } from './client.js';
import { identityOf } from './identity.js';
import type { Identity } from './identity.js';

const pageSize = 100;

/** The issues of a repository, through the platform's own client. */
export function githubIssues(project: ReviewProject, patience: Patience): IssueHost {
  const client = githubClient(project, patience);
  const { octokit, place, call, read } = client;
  let asked: Promise<Identity> | undefined;
  const me = (): Promise<Identity> => (asked ??= whoAmI());

  async function whoAmI(): Promise<Identity> {
    const identity = await identityOf(client, project.isPipelineToken);
    if (identity !== undefined) return identity;
    // Without knowing its own issue, each check would open another one.
    throw new ReviewError('forbidden', 'the token does not tell whose it is');
  }

  async function own(state: IssueState, passes: (body: string) => boolean): Promise<readonly TrackedIssue[]> {
    const { login, isMe } = await me();
    // By number: a list that moves while it is read may show an issue twice.
    const found = new Map<number, TrackedIssue>();
    for (let page = 1, more = true; more; page += 1) {
      const { data, headers } = await read(answers.issues, () =>
        octokit.request('GET /repos/{owner}/{repo}/issues', {
          ...place,
          ...{ state, sort: 'updated', direction: 'desc', per_page: pageSize, page },
          ...defined({ creator: login }),
          ...limited(),
        }),
      );
      // Pull requests are listed, too.
      for (const { number, body, html_url, user, pull_request } of data)
        if (pull_request === undefined && user !== null && isMe(user) && passes(body ?? ''))
          found.set(number, { number, body: body ?? '', url: html_url });
      more = data.length > 0 && hasNext(headers) && (state === 'open' || page < closedPages);
    }
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
