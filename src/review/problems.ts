import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ReviewError, ReviewErrorKind } from './review-error.js';
import type { ReviewPlatform, ReviewProject, ReviewRequest } from './review-request.js';

const words: Readonly<
  Record<ReviewPlatform, { readonly name: string; readonly request: string; readonly token: string }>
> = {
  github: { name: 'GitHub', request: 'pull request', token: 'GITHUB_TOKEN' },
  gitlab: { name: 'GitLab', request: 'merge request', token: 'GITLAB_TOKEN' },
};

const gitlabRight = 'The token needs the scope "api" and the role Reporter or above in the project.';

/** What was to be written, in the words of the sentences below. */
interface Task {
  readonly project: ReviewProject;
  /** `comment on the pull request 5 of acme/shop` */
  readonly verb: string;
  /** `comment on the pull request 5 of acme/shop`, as a thing. */
  readonly thing: string;
  /** `pull request 5 of acme/shop` */
  readonly place: string;
  /** What became of it: `no comment was made`. */
  readonly undone: string;
  /** Which right the token needs. */
  readonly right: string;
}

export function commentOn(request: ReviewRequest): Task {
  const place = `${words[request.platform].request} ${request.number} of ${request.project}`;
  return {
    project: request,
    verb: `comment on the ${place}`,
    thing: `comment on the ${place}`,
    place,
    undone: 'no comment was made',
    right: request.platform === 'github' ? 'Give the job the permission "pull-requests: write".' : gitlabRight,
  };
}

export function statusOn(request: ReviewRequest, commit: string): Task {
  const place = `commit ${commit.slice(0, 12)} of ${request.project}`;
  return {
    project: request,
    verb: `set the status of ${place}`,
    thing: `status of ${place}`,
    place,
    undone: 'its status was left as it is',
    right: request.platform === 'github' ? 'Give the token the permission "Commit statuses: write".' : gitlabRight,
  };
}

/** The same where its number is not known yet. */
export function commentOnMerged(project: ReviewProject, commit: string): Task {
  const place = `${words[project.platform].request} that ${commit.slice(0, 12)} was merged by`;
  return {
    project,
    verb: `find the ${place}`,
    thing: `look for the ${place}`,
    place,
    undone: 'no comment was made',
    right: project.platform === 'github' ? 'Give the job the permission "pull-requests: write".' : gitlabRight,
  };
}

export function issueIn(project: ReviewProject): Task {
  return {
    project,
    verb: `keep the drift issue of ${project.project}`,
    thing: `drift issue of ${project.project}`,
    place: `project ${project.project}`,
    undone: 'the drift issue was left as it is',
    right: project.platform === 'github' ? 'Give the job the permission "issues: write".' : gitlabRight,
  };
}

/** A request with an edit of files. */
export function editIn(project: ReviewProject): Task {
  const name = words[project.platform].request;
  return {
    project,
    verb: `open a ${name} in ${project.project}`,
    thing: `${name} in ${project.project}`,
    place: `project ${project.project}, or no such commit in it`,
    undone: 'nothing was proposed',
    right:
      project.platform === 'github'
        ? 'It needs the rights "contents: write" and "pull-requests: write".'
        : 'The token needs the scope "api" and the role Developer or above in the project.',
  };
}

/** A fork's pipeline gets a token that can only read, or none. That is right: the text is handed over otherwise. */
function readOnly({ place, undone }: Task): Diagnostic {
  return {
    severity: 'warning',
    code: 'review-read-only',
    summary: `This pipeline may not write to the ${place}, because it runs for a fork or a bot; ${undone}.`,
    hint: 'The Markdown is in a file instead, and in the job summary where there is one.',
  };
}

export function withoutToken(task: Task): Diagnostic {
  if (task.project.isUntrusted) return readOnly(task);
  const { name, token } = words[task.project.platform];
  return {
    severity: 'error',
    code: 'review-no-token',
    summary: `There is no ${token} to ${task.verb} with.`,
    hint: `Pass a token of ${name} in the environment variable ${token}. ${task.right}`,
  };
}

export function insecure(project: ReviewProject): Diagnostic {
  return {
    severity: 'error',
    code: 'review-insecure-server',
    summary: `The token of ${words[project.platform].name} is not sent to ${project.apiUrl}: it is not https.`,
    hint: 'Only a server on this machine may be called without encryption.',
  };
}

type Explanation = readonly [code: string, summary: (task: Task) => string, hint?: (task: Task) => string];

const explanations: Readonly<Record<ReviewErrorKind, Explanation>> = {
  unauthenticated: [
    'review-unauthenticated',
    ({ project }) => `${words[project.platform].name} does not accept the token.`,
    ({ project }) => `Look at the environment variable ${words[project.platform].token}: it may have expired.`,
  ],
  forbidden: ['review-forbidden', ({ verb }) => `The token may not ${verb}.`, ({ right }) => right],
  'not-found': [
    'review-not-found',
    ({ place }) => `There is no ${place}, or the token may not see it.`,
    ({ right }) => right,
  ],
  'rate-limited': [
    'review-unavailable',
    ({ project }) => `${words[project.platform].name} asks to wait longer than a pipeline should for its rate limit.`,
    () => 'Run the job again later.',
  ],
  unavailable: [
    'review-unavailable',
    ({ project }) => `${words[project.platform].name} failed several times in a row.`,
    () => 'Run the job again later.',
  ],
  unreachable: [
    'review-unavailable',
    ({ project }) => `${project.apiUrl} can't be reached.`,
    () => 'Run the job again later.',
  ],
  unusable: [
    'review-unusable-answer',
    ({ project }) => `${words[project.platform].name} gave an answer that can't be used.`,
    ({ project }) => `Check that ${project.apiUrl} is the address of its API.`,
  ],
  locked: [
    'review-locked',
    ({ place, undone }) => `The conversation of the ${place} is locked; ${undone}.`,
    () => 'The Markdown is in a file instead, and in the job summary where there is one.',
  ],
  refused: ['review-refused', ({ thing }) => `The ${thing} was refused.`],
};

/** What a failed call means for the user. */
export function explain(error: ReviewError, task: Task): Diagnostic {
  const { project } = task;
  const isDenied = error.kind === 'forbidden' || error.kind === 'not-found' || error.kind === 'unauthenticated';
  if (isDenied && project.isUntrusted) return readOnly(task);
  const [code, summary, hint] = explanations[error.kind];
  const status = error.status === undefined ? '' : `${error.status} `;
  const said = `${status}${withoutSecret(error.message, project.token)}`.trim();
  return {
    // Somebody locked it on purpose: nothing about the run is wrong.
    severity: error.kind === 'locked' ? 'warning' : 'error',
    code,
    summary: summary(task),
    ...(said === '' ? {} : { detail: `The answer was: ${said}` }),
    ...defined({ hint: hint?.(task) }),
  };
}

/** A server may repeat what it was sent. */
function withoutSecret(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, '(secret)');
}
