import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** Diagnostics of posting a plan to a pull or merge request. */
export const reviewCodes = {
  'review-read-only': {
    title: 'The pipeline may not comment',
    explanation:
      'A pipeline that runs for a fork (or for the dependency bot) gets a token that can only read, or none. The Markdown was written to a file and, where there is one, to the job summary. A warning, because it is as it should be.',
  },
  'review-no-request': {
    title: 'The pipeline belongs to no pull or merge request',
    explanation:
      'There is nothing to comment on, so the Markdown was written to a file and, where there is one, to the job summary. `--request NUMBER` names a request that the pipeline’s variables do not.',
  },
  'review-no-token': {
    title: 'There is no token to comment with',
    explanation:
      '`sync comment` takes `GITHUB_TOKEN` (or `GH_TOKEN`) or `GITLAB_TOKEN` from the environment. The token of a GitLab job (`CI_JOB_TOKEN`) may not write comments: make a project access token with the scope `api`.',
  },
  'review-insecure-server': {
    title: 'The server is not encrypted',
    explanation: 'Tokens are sent over https only, except to this very machine.',
  },
  'review-unauthenticated': {
    title: 'The token was not accepted',
    explanation: 'The token has expired, was withdrawn, or belongs to another server.',
  },
  'review-forbidden': {
    title: 'The token may not comment',
    explanation:
      'GitHub: the job needs `permissions: {pull-requests: write}`. GitLab: the token needs the scope `api` and the role Reporter or above.',
  },
  'review-not-found': {
    title: 'The pull or merge request was not found',
    explanation: 'Its number is wrong, or the token may not see it: both platforms answer alike.',
  },
  'review-unavailable': {
    title: 'The review platform could not be used',
    explanation:
      'It was asked several times, with pauses, and failed, asked for a longer pause than a pipeline should make, or could not be reached. Nothing about the plan is wrong: run the job again.',
  },
  'file-unwritable': {
    title: 'The Markdown could not be written',
    explanation: 'The file named with `--file` could not be made. Check the folder and its rights.',
  },
  'review-refused': {
    title: 'The comment was refused',
    explanation: 'The answer says why; a locked conversation is the usual reason.',
  },
} as const satisfies DiagnosticCodes;
