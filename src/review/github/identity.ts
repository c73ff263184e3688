import { ReviewError, type ReviewErrorKind } from '../review-error.js';
import { answers } from './answers.js';
import { limited, type GithubClient } from './client.js';

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
  const user = await known(() => client.read(answers.user, () => octokit.request('GET /user', limited())));
  if (user !== undefined) return { login: user.data.login, isMe: ({ id }) => id === user.data.id };
  const query = 'query { viewer { databaseId login } }';
  const queried = await known(() =>
    client.read(answers.viewer, async () => ({ data: await octokit.graphql<Queried>(query, limited()) })),
  );
  const { databaseId, login } = queried?.data?.viewer ?? {};
  if (typeof databaseId === 'number') {
    // Lists know an app by this form of its name; the query language may tell another.
    const isListed = login?.endsWith('[bot]') === true;
    return { ...(isListed ? { login } : {}), isMe: ({ id }) => id === databaseId };
  }
  if (!isPipelineToken) return undefined;
  return { login: pipelineLogin, isMe: isOfPipeline };
}

/** Written by a workflow of the repository. */
export function isOfPipeline({ login, type }: Author): boolean {
  return login === pipelineLogin && type === 'Bot';
}

type Queried = {
  readonly viewer?: { readonly databaseId?: number | null; readonly login?: string | null } | null;
} | null;

const denials: ReadonlySet<ReviewErrorKind> = new Set(['unauthenticated', 'forbidden', 'not-found']);

/** Undefined where the token may not ask; what could not be found out goes on. */
async function known<T>(ask: () => Promise<T>): Promise<T | undefined> {
  return ask().catch((error: unknown) => {
    if (error instanceof ReviewError && denials.has(error.kind)) return undefined;
    throw error;
  });
}
