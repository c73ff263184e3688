import type { Diagnostic } from '../engine/model/diagnostic.js';
import type { ReviewError, ReviewErrorKind } from './review-error.js';
import type { ReviewPlatform, ReviewRequest } from './review-request.js';

const words: Readonly<
  Record<
    ReviewPlatform,
    { readonly name: string; readonly request: string; readonly token: string; readonly right: string }
  >
> = {
  github: {
    name: 'GitHub',
    request: 'pull request',
    token: 'GITHUB_TOKEN',
    right: 'Give the job the permission "pull-requests: write".',
  },
  gitlab: {
    name: 'GitLab',
    request: 'merge request',
    token: 'GITLAB_TOKEN',
    right: 'The token needs the scope "api" and the role Reporter or above in the project.',
  },
};

function subject({ platform, project, number }: ReviewRequest): string {
  return `${words[platform].request} ${number} of ${project}`;
}

/** A fork's pipeline gets a token that can only read, or none. That is right: the text is handed over otherwise. */
function readOnly(request: ReviewRequest): Diagnostic {
  return {
    severity: 'warning',
    code: 'review-read-only',
    summary: `This pipeline may not write to the ${subject(request)}, because it runs for a fork or a bot; no comment was made.`,
    hint: 'The Markdown is in a file instead, and in the job summary where there is one.',
  };
}

export function withoutToken(request: ReviewRequest): Diagnostic {
  if (request.isUntrusted) return readOnly(request);
  const { name, token, right } = words[request.platform];
  return {
    severity: 'error',
    code: 'review-no-token',
    summary: `There is no ${token} to comment on the ${subject(request)} with.`,
    hint: `Pass a token of ${name} in the environment variable ${token}. ${right}`,
  };
}

export function insecure(request: ReviewRequest): Diagnostic {
  return {
    severity: 'error',
    code: 'review-insecure-server',
    summary: `The token of ${words[request.platform].name} is not sent to ${request.apiUrl}: it is not https.`,
    hint: 'Only a server on this machine may be spoken to without encryption.',
  };
}

type Explanation = readonly [
  code: string,
  summary: (request: ReviewRequest) => string,
  hint?: (request: ReviewRequest) => string,
];

const explanations: Readonly<Record<ReviewErrorKind, Explanation>> = {
  unauthenticated: [
    'review-unauthenticated',
    ({ platform }) => `${words[platform].name} does not accept the token.`,
    ({ platform }) => `Look at the environment variable ${words[platform].token}: it may have expired.`,
  ],
  forbidden: [
    'review-forbidden',
    (request) => `The token may not comment on the ${subject(request)}.`,
    ({ platform }) => words[platform].right,
  ],
  'not-found': [
    'review-not-found',
    (request) => `There is no ${subject(request)}, or the token may not see it.`,
    ({ platform }) => words[platform].right,
  ],
  'rate-limited': [
    'review-unavailable',
    ({ platform }) => `${words[platform].name} asks to wait longer than a pipeline should for its rate limit.`,
    () => 'Run the job again later.',
  ],
  unavailable: [
    'review-unavailable',
    ({ platform }) => `${words[platform].name} could not do it, several times in a row.`,
    () => 'Run the job again later.',
  ],
  unreachable: ['review-unavailable', ({ apiUrl }) => `${apiUrl} can't be reached.`, () => 'Run the job again later.'],
  refused: ['review-refused', (request) => `The comment on the ${subject(request)} was refused.`],
};

/** What a failed call means for the user. */
export function explain(error: ReviewError, request: ReviewRequest): Diagnostic {
  const isDenied = error.kind === 'forbidden' || error.kind === 'not-found' || error.kind === 'unauthenticated';
  if (isDenied && request.isUntrusted) return readOnly(request);
  const [code, summary, hint] = explanations[error.kind];
  const status = error.status === undefined ? '' : `${error.status} `;
  const said = `${status}${withoutSecret(error.message, request.token)}`.trim();
  return {
    severity: 'error',
    code,
    summary: summary(request),
    ...(said === '' ? {} : { detail: `The answer was: ${said}` }),
    ...(hint === undefined ? {} : { hint: hint(request) }),
  };
}

/** A server may repeat what it was sent. */
function withoutSecret(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, '(secret)');
}
