import { flag, list, number, orNone, record, text, type Expected } from '../answer.js';

const author = record({ id: number, login: text, type: text });
const comment = record({ id: number, html_url: text });
const issue = record({ number, body: orNone(text), html_url: text });

/** What is read of the platform's answers. */
export const answers = {
  request: {
    what: 'a pull request',
    form: record({ head: record({ sha: text }), state: text, merged: flag, merge_commit_sha: orNone(text) }),
  },
  requests: {
    what: 'a list of pull requests',
    form: list(
      record({ number, merged_at: orNone(text), merge_commit_sha: orNone(text), base: record({ ref: text }) }),
    ),
  },
  repository: { what: 'a repository', form: record({ default_branch: text }) },
  commit: { what: 'a commit', form: record({ sha: text, tree: record({ sha: text }) }) },
  made: { what: 'an object', form: record({ sha: text }) },
  proposed: { what: 'a pull request', form: record({ html_url: text }) },
  proposals: { what: 'a list of pull requests', form: list(record({ html_url: text })) },
  commits: { what: 'a list of commits', form: list(record({ sha: text })) },
  run: {
    what: 'a workflow run',
    form: record({ run_number: number, path: text, head_sha: text, head_branch: orNone(text) }),
  },
  comment: { what: 'a comment', form: comment },
  comments: {
    what: 'a list of comments',
    form: list(record({ id: number, html_url: text, body: orNone(text), user: orNone(author) })),
  },
  anything: { what: 'an answer', form: () => true },
  issue: { what: 'an issue', form: issue },
  issues: {
    what: 'a list of issues',
    form: list((value) => issue(value) && record({ user: orNone(author) })(value)),
  },
  user: { what: 'a user', form: record({ id: number, login: text }) },
  viewer: {
    what: 'who the token belongs to',
    form: orNone(record({ viewer: orNone(record({ databaseId: orNone(number), login: orNone(text) })) })),
  },
} as const satisfies Readonly<Record<string, Expected>>;
