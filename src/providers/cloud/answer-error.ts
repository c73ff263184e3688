import { defined, type Json, ownMember } from '@platform-sync/core/model/value';
import { cloudError, oneLine } from './errors.js';
import { type ProviderError, type ProviderErrorKind } from '@platform-sync/core/model/provider';
import type { CloudCode, HttpCode } from '@platform-sync/core/generated/codes';
import { asList, asObject, asText, parseJson } from '@platform-sync/rest/http/json';
import { readProblem } from '@platform-sync/rest/http/problem';
import { retryAfterMs } from '@platform-sync/rest/http/retry';
import type { HttpAnswer } from '@platform-sync/rest/http/transport';
import type { TokenSource } from './token-source.js';
import { quotaPermission, readPermission, writePermission } from './wire.js';

/** An error body of the service, as far as it could be understood. */
interface CloudProblem {
  readonly message: string | undefined;
  /** Exact reason from the details: `SERVICE_DISABLED`. */
  readonly reason: string | undefined;
  /** How long the service asks to wait. */
  readonly waitMs: number | undefined;
  /** False for a page of a proxy. */
  readonly own: boolean;
}

/** What a failed answer means. `again`: trying again may help, after `waitMs` at least when the service says so. */
interface FailedAnswer {
  readonly error: ProviderError;
  readonly again: boolean;
  /** Refused for the number of calls: other calls must wait, too. */
  readonly tooMany: boolean;
  readonly waitMs: number | undefined;
}

/** The call that was answered. */
export interface Asked {
  readonly service: string;
  readonly isWrite: boolean;
}

/** What an answer that is no success means. `now` in milliseconds since the epoch. */
export function readFailedAnswer(answer: HttpAnswer, asked: Asked, tokens: TokenSource, now: number): FailedAnswer {
  const { status } = answer;
  const problem = readCloudProblem(answer.text);
  const kind = kindOf(status, problem, asked);
  const words = oneLine(tokens.redactor, `${String(status)} ${problem.message ?? 'without a word'}`).replace(/\.$/, '');
  const [code, summary] = sentence(kind, asked, words);
  const hint = hintFor(kind, problem, asked, tokens.source);
  return {
    error: cloudError(kind, code, summary, {
      status,
      ...(kind === 'not-found' ? { field: 'serviceName' } : {}),
      ...defined({
        detail: problem.reason === undefined ? undefined : `Reason: ${oneLine(tokens.redactor, problem.reason)}.`,
        hint,
      }),
    }),
    again: kind === 'unavailable' || kind === 'rate-limited',
    tooMany: kind === 'rate-limited',
    waitMs: retryAfterMs(answer.headers['retry-after'], now) ?? problem.waitMs,
  };
}

/** The service hides what exists: an unknown name mostly gets a 403 with one of these phrases. */
const hidden = /not found or permission denied|may not exist/i;
const quota = /^(?:RATE_LIMIT_EXCEEDED|CONCURRENT_OPERATIONS_QUOTA_EXCEEDED)$/;
/** A quota a minute passes by itself; others don't. */
const quotaText = /^Quota exceeded for quota metric .* per minute/i;

function kindOf(status: number, { message = '', reason = '' }: CloudProblem, { isWrite }: Asked): ProviderErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403 && (quota.test(reason) || quotaText.test(message))) return 'rate-limited';
  if (status === 403) return hidden.test(message) ? 'not-found' : 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 429) return 'rate-limited';
  if (status === 408 || status >= 500) return isWrite ? 'ambiguous' : 'unavailable';
  // Either says that the etag is not the one of the policy any more.
  if (isWrite && (status === 409 || status === 412)) return 'conflict';
  return status >= 400 ? 'invalid' : 'unexpected-answer';
}

function sentence(
  kind: ProviderErrorKind,
  { service, isWrite }: Asked,
  words: string,
): readonly [CloudCode | HttpCode, string] {
  switch (kind) {
    case 'conflict':
      return ['policy-changed', `The policy of "${service}" was changed meanwhile, so it was not written (${words}).`];
    case 'ambiguous':
      return ['outcome-unknown', `It is not known whether the policy of "${service}" was written (${words}).`];
    case 'not-found':
      return ['service-not-found', `There is no service "${service}", or it may not be seen (${words}).`];
    case 'unauthenticated':
      return ['unauthenticated', `The access token for the cloud was not accepted (${words}).`];
    case 'forbidden':
      return ['forbidden', `The policy of "${service}" may not be ${isWrite ? 'set' : 'read'} (${words}).`];
    case 'rate-limited':
      return ['rate-limited', `The cloud refused the policy of "${service}" for now: too many calls (${words}).`];
    case 'unavailable':
      return ['server-unavailable', `The cloud could not answer for the policy of "${service}" (${words}).`];
    case 'invalid':
      return ['request-rejected', `The cloud refused the request for the policy of "${service}" (${words}).`];
    default:
      return ['unexpected-answer', `The policy of "${service}": this is not an answer of the cloud (${words}).`];
  }
}

/** What to do, for the reasons the service tells exactly. */
const reasonHints: Readonly<Record<string, string>> = {
  SERVICE_DISABLED: 'The API that keeps the policies is not enabled in the project the call is counted for: enable it.',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'The token was made for too few scopes: see the setting scopes.',
  USER_PROJECT_DENIED: `The identity needs ${quotaPermission} on the project that calls are counted for (billingProject).`,
  CONSUMER_INVALID: 'The project that calls are counted for does not exist or may not be used (billingProject).',
};

const endpointHint =
  'The answer does not come from the service itself: check serviceManagementCustomEndpoint, which ends in the version.';

function hintFor(
  kind: ProviderErrorKind,
  { reason = '', own }: CloudProblem,
  { isWrite }: Asked,
  source: string,
): string | undefined {
  const permission = isWrite ? writePermission : readPermission;
  const exact = ownMember(reasonHints, reason);
  if (exact !== undefined) return exact;
  switch (kind) {
    case 'conflict':
      return 'Plan again and review the changes of others.';
    case 'unauthenticated':
      return `It came from ${source}. It may be expired, revoked or cut off.`;
    case 'forbidden':
      return `The credentials are ${source}. Their identity needs the right ${permission}.`;
    case 'not-found':
      return own
        ? `Check the name. The credentials are ${source}; their identity needs the right ${permission}.`
        : endpointHint;
    case 'invalid':
    case 'unexpected-answer':
      return own ? undefined : endpointHint;
    default:
      return undefined;
  }
}

function readCloudProblem(text: string): CloudProblem {
  const error = asObject(asObject(parseJson(text))?.error);
  if (error === undefined) {
    return { message: readProblem(text).detail, reason: undefined, waitMs: undefined, own: false };
  }
  const details = (asList(error.details) ?? []).map(asObject);
  const reason = details.map((detail) => asText(detail?.reason)).find((found) => found !== undefined);
  const delay = details.map((detail) => spanMs(detail?.retryDelay)).find((found) => found !== undefined);
  return { message: asText(error.message) ?? asText(error.status), reason, waitMs: delay, own: true };
}

/** `"3.5s"` in milliseconds. */
function spanMs(value: Json | undefined): number | undefined {
  const seconds = typeof value === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(value)?.[1] : undefined;
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}
