import { ReviewError } from '../review-error.js';
import { limited } from './client.js';
import type { GithubClient } from './client.js';

/** Who wrote something, as lists tell it. */
export interface Author {
  readonly id: number;
  readonly login: string;
  readonly type: string;
}

/** Who the token belongs to. */
export interface Identity {
  /** As lists can be filtered by it; absent where it is not known for certain. */
  readonly login?: string;
  isMe(author: Author): boolean;
}

const pipelineLogin = 'github-actions[bot]';

/**
 * An app's token can't ask for its user; the query language tells it, and the pipeline's own is known by name.
 * Undefined for a token that won't say.
 */
export async function identityOf(client: GithubClient, isPipelineToken: boolean): Promise<Identity | undefined> {
  const { octokit } = client;
  const user = await known(client, async () => (await octokit.request('GET /user', limited())).data);
  if (user !== undefined) return { login: user.login, isMe: ({ id }) => id === user.id };
  const viewer = await known(client, async () => {
    const query = 'query { viewer { databaseId login } }';
    return (await octokit.graphql<{ readonly viewer?: Viewer | null }>(query, limited())).viewer ?? undefined;
  });
  if (viewer?.databaseId !== undefined) {
    const { databaseId, login } = viewer;
    // Lists know an app by this form of its name; the query language may tell another.
    const isListed = login?.endsWith('[bot]') === true;
    return { ...(isListed ? { login } : {}), isMe: ({ id }) => id === databaseId };
  }
  if (!isPipelineToken) return undefined;
  return { login: pipelineLogin, isMe: ({ login, type }) => login === pipelineLogin && type === 'Bot' };
}

interface Viewer {
  readonly databaseId?: number;
  readonly login?: string;
}

async function known<T>(client: GithubClient, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  return client.read(ask).catch((error: unknown) => {
    if (error instanceof ReviewError && !['unavailable', 'unreachable', 'rate-limited'].includes(error.kind))
      return undefined;
    throw error;
  });
}
