import { Octokit } from '@octokit/core';
import { boundedFetch } from '@platform-sync/core/model/bounded-answer';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { timeLimit } from '@platform-sync/core/model/world';
import { understood, type Expected } from '../answer.js';
import { patiently, type Patience } from '../patience.js';
import { answerError, ReviewError } from '../review-error.js';
import type { ReviewProject } from '../review-request.js';

const timeoutMs = 30_000;

/** The most that the platform shows of a list at a time. */
export const pageSize = 100;

interface Answer {
  readonly data: unknown;
}

/** One page of a list, and where the next one is. */
interface Page<T> {
  readonly data: readonly T[];
  readonly headers: { readonly link?: string | undefined };
}

/** The platform's own client, with errors that hold no token, and patience for what only reads. */
export interface GithubClient {
  readonly octokit: Octokit;
  readonly place: { readonly owner: string; readonly repo: string };
  /** One call as it is, whose answer is what was expected. */
  call<T extends Answer>(expected: Expected, work: () => Promise<T>): Promise<T>;
  /** A call that may be made again. */
  read<T extends Answer>(expected: Expected, work: () => Promise<T>): Promise<T>;
  /** The items of a list, page after page, as far as somebody wants them; at most `mostPages` pages. */
  items<T>(
    expected: Expected,
    ask: (which: { readonly per_page: number; readonly page: number }) => Promise<Page<T>>,
    mostPages?: number,
  ): AsyncGenerator<T>;
}

export function githubClient(project: ReviewProject, patience: Patience): GithubClient {
  const [owner = '', repo = ''] = project.project.split('/');
  const octokit = new Octokit({
    baseUrl: project.apiUrl,
    userAgent: 'platform-sync',
    ...defined({ auth: project.token }),
    // Its warnings about deprecated calls are for us, not for the pipeline's log.
    log: silent,
    request: { fetch: boundedFetch },
  });
  const call = async <T extends Answer>(expected: Expected, work: () => Promise<T>): Promise<T> => {
    const answer = await work().catch((error: unknown) => fail(error, patience));
    understood(answer.data, expected);
    return answer;
  };
  const read: GithubClient['read'] = (expected, work) =>
    patiently(patience, () => call(expected, work), { repeatable: true });
  return {
    octokit,
    place: { owner, repo },
    call,
    read,
    items: async function* (expected, ask, mostPages = Infinity) {
      for (let page = 1, more = true; more; page += 1) {
        const { data, headers } = await read(expected, () => ask({ per_page: pageSize, page }));
        yield* data;
        more = data.length > 0 && hasNext(headers) && page < mostPages;
      }
    },
  };
}

/** Every call ends some time. */
export function limited(): { readonly request: { readonly signal: AbortSignal } } {
  return { request: { signal: timeLimit(timeoutMs) } };
}

/** Whether an answer to a list says that there is another page. */
function hasNext(headers: Page<unknown>['headers']): boolean {
  return headers.link?.includes('rel="next"') === true;
}

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The client's errors carry the request; only status and message go on. */
function fail(error: unknown, patience: Patience): never {
  // The client's own errors know what was asked; any other is one of reading the answer.
  if (!(error instanceof Error) || !('request' in error)) throw new ReviewError('unusable', 'it could not be read');
  const { response, message, errors } = error as {
    readonly response?: { readonly status?: number; readonly headers: Readonly<Record<string, unknown>> };
    readonly message: string;
    readonly errors?: readonly { readonly type?: string; readonly message: string }[];
  };
  // The query language says no with status 200.
  if (errors?.[0] !== undefined && response?.status === undefined)
    throw new ReviewError(errors[0].type === 'RATE_LIMITED' ? 'rate-limited' : 'forbidden', errors[0].message);
  if (response?.status === undefined) throw new ReviewError('unreachable', message);
  const header = (name: string): string | undefined => {
    const value = ownMember(response.headers, name);
    return value === undefined ? undefined : String(value);
  };
  throw answerError(response.status, header, message, patience.now());
}
