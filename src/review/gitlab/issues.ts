import { IssueNotes, Issues, Users } from '@gitbeaker/rest';
import { defined } from '@platform-sync/core/model/value';
import { closedPages, type IssueHost, type IssueState, type TrackedIssue } from '../issue-host.js';
import { patiently, type Patience } from '../patience.js';
import type { ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { ask, clientOptions } from './client.js';
import type { Read } from './evidence.js';
import { withoutQuickActions } from './quick-actions.js';

const pageSize = 100;
const states = { open: 'opened', closed: 'closed' } as const;
const stateEvents = { open: 'reopen', closed: 'close' } as const;

/** The issues of a project, through the client its users keep. */
export function gitlabIssues({ project, ...rest }: ReviewProject, patience: Patience): IssueHost {
  const options = clientOptions({ project, ...rest }, patience);
  const issues = new Issues(options);
  const notes = new IssueNotes(options);
  const users = new Users(options);
  const read: Read = (expected, work) => patiently(patience, () => ask(expected, work), { repeatable: true });
  let asked: Promise<number> | undefined;
  const me = (): Promise<number> => (asked ??= read(answers.user, () => users.showCurrentUser()).then(({ id }) => id));

  async function own(state: IssueState, passes: (body: string) => boolean): Promise<readonly TrackedIssue[]> {
    // By number: a list that moves while it is read may show an issue twice.
    const found = new Map<number, TrackedIssue & { readonly by: number }>();
    for (let page = 1, more = true; more; page += 1) {
      const listed = await read(answers.issues, () =>
        issues.all({
          projectId: project,
          ...{ scope: 'created_by_me', state: states[state], orderBy: 'updated_at', sort: 'desc' },
          ...{ perPage: pageSize, page },
        }),
      );
      // Without a description it is null, whatever the client's types say.
      for (const { iid, description, author, web_url } of listed)
        if (passes(description ?? ''))
          found.set(iid, { number: iid, body: description, by: author.id, ...linkTo(web_url) });
      more = listed.length === pageSize && (state === 'open' || page < closedPages);
    }
    // Where nothing looks like ours, nobody needs to know whose token this is.
    if (found.size === 0) return [];
    const id = await me();
    return [...found.values()].filter(({ by }) => by === id).sort((a, b) => a.number - b.number);
  }

  return {
    own,
    harmless: withoutQuickActions,
    create: async (title, description) => {
      const { iid, web_url } = await ask(answers.issue, () => issues.create(project, title, { description }));
      return { number: iid, body: description, ...linkTo(web_url) };
    },
    edit: async (number, { body, state }) => {
      const { web_url } = await ask(answers.issue, () =>
        issues.edit(project, number, {
          ...defined({ description: body, stateEvent: state === undefined ? undefined : stateEvents[state] }),
        }),
      );
      return { number, body: body ?? '', ...linkTo(web_url) };
    },
    comment: async (number, body) => {
      await notes.create(project, number, body);
    },
  };
}

function linkTo(url: unknown): { readonly url?: string } {
  return typeof url === 'string' ? { url } : {};
}
