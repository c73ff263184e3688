import type { DiagnosticCodes } from '../engine/model/diagnostic.js';

/** Diagnostics of posting a plan to a pull or merge request, and of keeping a drift issue. */
export const reviewCodes = {
  'review-read-only': {
    title: 'The pipeline may not write there',
    explanation:
      'A pipeline that runs for a fork (or for the dependency bot) gets a token that can only read, or none. The Markdown was written to a file and, where there is one, to the job summary. A warning, because it is as it should be.',
  },
  'review-no-request': {
    title: 'The pipeline belongs to no pull or merge request',
    explanation:
      'There is nothing to comment on, so the Markdown was written to a file and, where there is one, to the job summary. `--request NUMBER` names a request that the pipeline’s variables do not.',
  },
  'review-no-token': {
    title: 'There is no token to write with',
    explanation:
      '`sync comment` and `sync drift --issue` take `GITHUB_TOKEN` (or `GH_TOKEN`) or `GITLAB_TOKEN` from the environment. The token of a GitLab job (`CI_JOB_TOKEN`) may write neither comments nor issues: make a project access token with the scope `api`.',
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
    title: 'The token may not write there',
    explanation:
      'GitHub: the job needs `permissions: {pull-requests: write}` for the comment, `{issues: write}` for the drift issue. GitLab: the token needs the scope `api` and the role Reporter or above.',
  },
  'review-not-found': {
    title: 'What was to be written to was not found',
    explanation:
      'The number of the request or the name of the project is wrong, or the token may not see it: both platforms answer alike.',
  },
  'review-locked': {
    title: 'The conversation is locked',
    explanation:
      'Somebody closed the pull or merge request to comments. The Markdown was written to a file and, where there is one, to the job summary. A warning: neither the run nor the token is at fault.',
  },
  'review-unavailable': {
    title: 'The review platform could not be used',
    explanation:
      'It was asked several times, with pauses, and failed, asked for a longer pause than a pipeline should make, or could not be reached. Nothing about the plan or the check is wrong: run the job again.',
  },
  'review-unusable-answer': {
    title: 'The review platform’s answer can’t be used',
    explanation:
      'It has another form than was asked for, or values that are nested more than 200 levels deep: another program may stand at that address (`GITHUB_API_URL`, `CI_API_V4_URL`), or something in between changes answers. Nothing is concluded from it; what was written is looked for before it is written again.',
  },
  'issue-no-project': {
    title: 'There is no project to keep a drift issue in',
    explanation:
      '`sync drift --issue` takes the project from the pipeline: `GITHUB_REPOSITORY` (owner/name) or `CI_PROJECT_ID`. Set it where `--platform` is used outside of a pipeline. The check was made; its report stands.',
  },
  'review-refused': {
    title: 'The comment or issue was refused',
    explanation: 'The answer says why; a locked conversation, or a project without issues, is the usual reason.',
  },
} as const satisfies DiagnosticCodes;
