import { Commits, MergeRequestNotes, Users } from '@gitbeaker/rest';
import { defined } from '@platform-sync/core/model/value';
import { patiently, type Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { ReviewComment, ReviewHost } from '../review-host.js';
import type { ReviewRequest } from '../review-request.js';
import { answers } from './answers.js';
import { ask, clientOptions } from './client.js';
import { gitlabEvidence, type Read } from './evidence.js';
import { withoutQuickActions } from './quick-actions.js';

const pageSize = 100;
const states = {
  pending: 'pending',
  success: 'success',
  failure: 'failed',
  neutral: 'success',
  superseded: 'canceled',
} as const;

/** The notes of a merge request, through the client its users keep. */
export function gitlabHost(request: ReviewRequest, patience: Patience): ReviewHost {
  const options = clientOptions(request, patience);
  const notes = new MergeRequestNotes(options);
  const users = new Users(options);
  const commits = new Commits(options);
  const { project, number } = request;
  const read: Read = (expected, work) => patiently(patience, () => ask(expected, work), { repeatable: true });

  return {
    own: async (passes) => {
      const marked: (ReviewComment & { readonly author: number })[] = [];
      for (let page = 1, more = true; more; page += 1) {
        const listed = await read(answers.notes, () =>
          notes.all(project, number, { sort: 'asc', orderBy: 'created_at', perPage: pageSize, page }),
        );
        for (const { id, body, author, system } of listed)
          if (!system && passes(body)) marked.push({ id, body, author: author.id });
        more = listed.length === pageSize;
      }
      if (marked.length === 0) return [];
      const me = await read(answers.user, () => users.showCurrentUser());
      return marked.filter(({ author }) => author === me.id).sort((a, b) => a.id - b.id);
    },
    ...gitlabEvidence(request, options, read),
    harmless: withoutQuickActions,
    create: async (body) => {
      const { id } = await ask(answers.note, () => notes.create(project, number, body));
      return { id, body };
    },
    edit: async (id, body) => {
      await notes.edit(project, number, id, { body });
      return { id, body };
    },
    remove: async (id) => {
      await notes.remove(project, number, id).catch((error: unknown) => {
        if (!(error instanceof ReviewError && error.kind === 'not-found')) throw error;
      });
    },
    mark: async (commit, { name, state, words, link }) => {
      const more = { name, description: words, ...defined({ targetUrl: link }) };
      await ask(answers.status, () => commits.editStatus(project, commit, states[state], more)).catch(
        (error: unknown) => {
          // One that says so already has no way from there to there.
          if (!(error instanceof ReviewError && error.status === 400 && /transition/i.test(error.message))) throw error;
        },
      );
    },
  };
}
