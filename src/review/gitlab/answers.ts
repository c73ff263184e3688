import { flag, list, number, orNone, record, text, type Expected } from '../answer.js';

const author = record({ id: number });

/** What is read of the platform's answers. */
export const answers = {
  request: {
    what: 'a merge request',
    form: record({ sha: text, state: text, merge_commit_sha: orNone(text), squash_commit_sha: orNone(text) }),
  },
  requests: {
    what: 'a list of merge requests',
    form: list(record({ iid: number, state: text, merged_at: orNone(text), target_branch: text })),
  },
  project: { what: 'a project', form: record({ default_branch: text }) },
  proposed: { what: 'a merge request', form: record({ web_url: text }) },
  proposals: { what: 'a list of merge requests', form: list(record({ web_url: text })) },
  made: { what: 'a commit', form: record({ id: text }) },
  commits: { what: 'a list of commits', form: list(record({ id: text })) },
  pipeline: { what: 'a pipeline', form: record({ iid: number }) },
  jobs: { what: 'a list of jobs', form: list(record({ name: text, status: text })) },
  status: { what: 'a status', form: record({ status: text }) },
  note: { what: 'a note', form: record({ id: number }) },
  notes: { what: 'a list of notes', form: list(record({ id: number, body: text, author, system: flag })) },
  issue: { what: 'an issue', form: record({ iid: number }) },
  issues: { what: 'a list of issues', form: list(record({ iid: number, description: orNone(text), author })) },
  user: { what: 'a user', form: author },
} as const satisfies Readonly<Record<string, Expected>>;
