import { Octokit } from '@octokit/core';
import { patiently } from '../patience.js';
import type { Patience } from '../patience.js';
import { answerError, ReviewError } from '../review-error.js';
import type { ReviewComment, ReviewHost } from '../review-host.js';
import type { ReviewRequest } from '../review-request.js';

const pageSize = 100;
const timeoutMs = 30_000;

interface Author {
  readonly id: number;
  readonly login: string;
  readonly type: string;
}

/** The conversation of a pull request, through the platform's own client. */
export function githubHost(request: ReviewRequest, patience: Patience): ReviewHost {
  const [owner = '', repo = ''] = request.project.split('/');
  const place = { owner, repo };
  const octokit = new Octokit({
    baseUrl: request.apiUrl,
    userAgent: 'platform-sync',
    ...(request.token === undefined ? {} : { auth: request.token }),
    // Its warnings about deprecated calls are for us, not for the pipeline's log.
    log: silent,
  });
  const call = <T>(work: () => Promise<T>): Promise<T> => work().catch((error: unknown) => fail(error, patience));
  const read = <T>(work: () => Promise<T>): Promise<T> => patiently(patience, () => call(work), { repeatable: true });

  async function own(passes: (body: string) => boolean): Promise<readonly ReviewComment[]> {
    const found: (ReviewComment & { readonly author: Author | null })[] = [];
    for (let page = 1, more = true; more; page += 1) {
      const { data, headers } = await read(() =>
        octokit.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...place,
          issue_number: request.number,
          per_page: pageSize,
          page,
          ...limited(),
        }),
      );
      for (const { id, body = '', html_url, user } of data)
        if (passes(body)) found.push({ id, body, url: html_url, author: user });
      more = data.length > 0 && headers.link?.includes('rel="next"') === true;
    }
    if (found.length === 0) return [];
    const isMe = await whoAmI();
    return found.filter(({ author }) => author !== null && isMe(author));
  }

  /** An app's token can't ask for its user; the query language tells it, and the pipeline's own is known by name. */
  async function whoAmI(): Promise<(author: Author) => boolean> {
    const id =
      (await known(async () => (await octokit.request('GET /user', limited())).data.id)) ??
      (await known(async () => {
        const { viewer } = await octokit.graphql<{ readonly viewer?: { readonly databaseId?: number } }>(
          'query { viewer { databaseId } }',
          limited(),
        );
        return viewer?.databaseId;
      }));
    if (id !== undefined) return (author) => author.id === id;
    return ({ login, type }) => request.isPipelineToken && login === 'github-actions[bot]' && type === 'Bot';
  }

  async function known(ask: () => Promise<number | undefined>): Promise<number | undefined> {
    return read(ask).catch((error: unknown) => {
      if (error instanceof ReviewError && !['unavailable', 'unreachable', 'rate-limited'].includes(error.kind))
        return undefined;
      throw error;
    });
  }

  return {
    own,
    harmless: (markdown) => markdown,
    create: async (body) => {
      const { data } = await call(() =>
        octokit.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
          ...place,
          issue_number: request.number,
          body,
          ...limited(),
        }),
      );
      return { id: data.id, body, url: data.html_url };
    },
    edit: async (id, body) => {
      const { data } = await call(() =>
        octokit.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
          ...place,
          comment_id: id,
          body,
          ...limited(),
        }),
      );
      return { id, body, url: data.html_url };
    },
    remove: async (id) => {
      await call(() =>
        octokit.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', {
          ...place,
          comment_id: id,
          ...limited(),
        }),
      ).catch((error: unknown) => {
        if (!(error instanceof ReviewError && error.kind === 'not-found')) throw error;
      });
    },
  };
}

function limited(): { readonly request: { readonly signal: AbortSignal } } {
  return { request: { signal: AbortSignal.timeout(timeoutMs) } };
}

const nothing = (): void => undefined;
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** The client's errors carry the request; only status and message go on. */
function fail(error: unknown, patience: Patience): never {
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
    const value = response.headers[name];
    return value === undefined ? undefined : String(value);
  };
  throw answerError(response.status, header, message, patience.now());
}
