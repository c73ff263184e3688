import type { Json } from '@platform-sync/core/model/value';
import type { ReviewRequest } from '@platform-sync/review/review-request';
import { startFakeApi, type FakeAnswer, type FakeApi, type FakeCall } from './fake-api.js';

export const token = 'canary-token-4711';

export interface FakeComment {
  readonly id: number;
  body: string;
  readonly author: 'me' | 'other';
  /** Number of the request it is of. */
  readonly request: number;
}

/** A request besides the one of the tests. */
interface OtherRequest {
  readonly number: number;
  /** Absent: it is open. */
  readonly mergedAt?: string;
}

/** A review platform with one request and its comments. */
export interface FakePlatform {
  readonly api: FakeApi;
  readonly request: ReviewRequest;
  comments: FakeComment[];
  /** Adds a comment as if somebody had written it. */
  add(author: FakeComment['author'], body: string, request?: number): FakeComment;
  readonly others: OtherRequest[];
  /** What the server says of the request and of runs; commits are in the request unless they are strange. */
  head: string | undefined;
  state: 'open' | 'merged';
  readonly strange: Set<string>;
  /** Run id → number. Runs that are not here do not exist. */
  readonly runs: Map<number, number>;
  /** Name → status, of the jobs of every run. */
  readonly jobs: Map<string, string>;
  /** Of commits, in the order in which they were set: `COMMIT STATE NAME: WORDS LINK`. */
  readonly statuses: string[];
  /** How the token may ask who it belongs to. */
  identity: 'user' | 'app' | 'pipeline';
}

const pageOf = (all: readonly Json[], { query }: FakeCall): readonly Json[] => {
  const size = Number(query.get('per_page') ?? '20');
  const page = Number(query.get('page') ?? '1');
  return all.slice((page - 1) * size, page * size);
};

const forbidden: FakeAnswer = { status: 403, body: { message: 'Resource not accessible by integration' } };
const notFound: FakeAnswer = { status: 404, body: { message: 'Not Found' } };

/** The request of the tests. */
const own = 5;
const mergedAt = '2026-01-01T00:00:00Z';

/** Comments kept in memory, written to by the two kinds of server below. */
class Comments {
  comments: FakeComment[] = [];
  head: string | undefined;
  state: FakePlatform['state'] = 'open';
  readonly strange = new Set<string>();
  readonly runs = new Map<number, number>(Array.from({ length: 20 }, (_, at) => [at, at]));
  readonly jobs = new Map<string, string>();
  readonly statuses: string[] = [];
  #next = 1;

  mark(commit: string, { state, name, context: of = name, description, target_url: link }: FakeCall['body']): void {
    const text = [commit.slice(0, 7), state, `${String(of)}:`, description, link];
    this.statuses.push(text.filter((one) => one !== undefined).join(' '));
  }

  readonly others: OtherRequest[] = [];

  add(author: FakeComment['author'], body: string, request = own): FakeComment {
    const made = { id: this.#next, body, author, request };
    this.#next += 1;
    this.comments.push(made);
    return made;
  }

  edit(id: number, body: string): FakeComment | undefined {
    const found = this.comments.find((comment) => comment.id === id);
    if (found !== undefined) found.body = body;
    return found;
  }

  remove(id: number): boolean {
    const before = this.comments.length;
    this.comments = this.comments.filter((comment) => comment.id !== id);
    return this.comments.length < before;
  }
}

export async function fakeGithub(): Promise<FakePlatform> {
  const world = Object.assign(new Comments(), { identity: 'user' as FakePlatform['identity'] });
  const me = (): Json =>
    world.identity === 'pipeline'
      ? { id: 41, login: 'github-actions[bot]', type: 'Bot' }
      : { id: 7, login: 'me', type: world.identity === 'app' ? 'Bot' : 'User' };
  const shown = ({ id, body, author }: FakeComment): Json => ({
    id,
    body,
    html_url: `https://review.example.com/acme/shop/pull/5#c${id}`,
    user: author === 'me' ? me() : { id: 99, login: 'mallory', type: 'User' },
  });
  const answer = (call: FakeCall, url: string): FakeAnswer => {
    const { method, path } = call;
    const body = String(call.body['body'] ?? '');
    if (body.length > 65_536)
      return { status: 422, body: { message: 'Body is too long (maximum is 65536 characters)' } };
    if (call.headers['authorization'] !== `token ${token}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    if (path === '/user') return world.identity === 'user' ? { status: 200, body: me() } : forbidden;
    if (path === '/graphql')
      return world.identity === 'app' ? { status: 200, body: { data: { viewer: { databaseId: 7 } } } } : forbidden;
    if (path === '/repos/acme/shop/pulls')
      return {
        status: 200,
        body: chosen(world, call).map(({ number, mergedAt: at }) => ({
          ...{ number, merged_at: at ?? null, merge_commit_sha: null, base: { ref: 'main' } },
        })),
      };
    const marked = /^\/repos\/acme\/shop\/statuses\/([0-9a-f]{40})$/.exec(path)?.[1];
    if (marked !== undefined) {
      world.mark(marked, call.body);
      return { status: 201, body: { state: call.body['state'] ?? null } };
    }
    const known = requestAnswer(world, path) ?? runAnswer(world, path);
    if (known !== undefined) return known;
    const id = Number(/^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/.exec(path)?.[1]);
    if (method === 'PATCH') {
      const edited = world.edit(id, body);
      return edited === undefined ? notFound : { status: 200, body: shown(edited) };
    }
    if (method === 'DELETE') return world.remove(id) ? { status: 204 } : notFound;
    const request = Number(/^\/repos\/acme\/shop\/issues\/(\d+)\/comments$/.exec(path)?.[1] ?? 0);
    if (request === 0) return notFound;
    if (method === 'POST') return { status: 201, body: shown(world.add('me', body, request)) };
    const comments = world.comments.filter((comment) => comment.request === request);
    const listed = pageOf(comments.map(shown), call);
    const seen = Number(call.query.get('page')) * Number(call.query.get('per_page'));
    const link = seen < comments.length ? { link: `<${url}${path}?page=9>; rel="next"` } : {};
    return { status: 200, body: listed, headers: link };
  };
  const api = await startFakeApi(answer);
  const request: ReviewRequest = {
    platform: 'github',
    apiUrl: api.url,
    project: 'acme/shop',
    number: 5,
    token,
    isUntrusted: false,
    isPipelineToken: true,
  };
  return Object.assign(world, { api, request });
}

/** The requests that a list is asked for. */
const chosen = ({ others }: Comments, { query }: FakeCall): readonly OtherRequest[] =>
  others.filter((other) => (other.mergedAt === undefined) === (query.get('state') ?? '').startsWith('open'));

const allCommits = (strange: ReadonlySet<string>): readonly string[] =>
  [
    ...Array.from({ length: 10 }, (_, at) => at.toString(16).padStart(40, '0')),
    ...'abcdef'.split('').map((c) => c.repeat(40)),
  ].filter((sha) => !strange.has(sha));

function requestAnswer({ head, state, strange, others }: Comments, path: string): FakeAnswer | undefined {
  const isMerged = state === 'merged';
  if (path === '/repos/acme/shop/pulls/5')
    return head === undefined
      ? notFound
      : {
          status: 200,
          body: {
            head: { sha: head },
            state: isMerged ? 'closed' : 'open',
            merged: isMerged,
            merge_commit_sha: isMerged ? 'e'.repeat(40) : null,
          },
        };
  if (path === '/repos/acme/shop/pulls/5/commits')
    return { status: 200, body: allCommits(strange).map((sha) => ({ sha })) };
  if (path === `/repos/acme/shop/commits/${'e'.repeat(40)}/pulls`)
    return {
      status: 200,
      body: [
        {
          ...{ number: own, merged_at: isMerged ? mergedAt : null, merge_commit_sha: 'e'.repeat(40) },
          base: { ref: 'main' },
        },
      ],
    };
  const other = others.find(({ number }) => path === `/repos/acme/shop/pulls/${number}`);
  if (other !== undefined) {
    const isOther = other.mergedAt !== undefined;
    const facts = { state: isOther ? 'closed' : 'open', merged: isOther, merge_commit_sha: null };
    return { status: 200, body: { head: { sha: 'f'.repeat(40) }, ...facts } };
  }
  return /^\/repos\/acme\/shop\/commits\/[0-9a-f]+\/pulls$/.test(path) ? { status: 200, body: [] } : undefined;
}

/** The workflow that the runs below are of. */
export const workflow = 'acme/shop/.github/workflows/review.yml';

function runAnswer({ runs }: Comments, path: string): FakeAnswer | undefined {
  const id = /^\/repos\/acme\/shop\/actions\/runs\/(\d+)$/.exec(path)?.[1];
  if (id === undefined) return undefined;
  const number = runs.get(Number(id));
  if (number === undefined) return notFound;
  const run = { path: '.github/workflows/review.yml', head_branch: 'topic', head_sha: '' };
  return { status: 200, body: { id: Number(id), run_number: number, ...run } };
}

export async function fakeGitlab(): Promise<FakePlatform> {
  const world = Object.assign(new Comments(), { identity: 'user' as FakePlatform['identity'] });
  const shown = ({ id, body, author }: FakeComment): Json => ({
    id,
    body,
    system: false,
    author: author === 'me' ? { id: 7, username: 'me' } : { id: 99, username: 'mallory' },
  });
  const answer = (call: FakeCall): FakeAnswer => {
    const { method, path } = call;
    const number = Number(/^\/api\/v4\/projects\/12\/merge_requests\/(\d+)/.exec(path)?.[1] ?? own);
    const root = `/api/v4/projects/12/merge_requests/${number}/notes`;
    const body = String(call.body['body'] ?? '');
    if (call.headers['private-token'] !== token) return { status: 401, body: { message: '401 Unauthorized' } };
    const marked = /^\/api\/v4\/projects\/12\/statuses\/([0-9a-f]{40})$/.exec(path)?.[1];
    if (marked !== undefined) {
      const state = String(call.body['state'] ?? call.query.get('state'));
      const last = world.statuses.at(-1)?.startsWith(`${marked.slice(0, 7)} ${state} `) === true;
      // As the server has it: what is so already can't become so.
      if (last) return { status: 400, body: { message: `Cannot transition status via :enqueue from :${state}` } };
      world.mark(marked, { ...Object.fromEntries(call.query), ...call.body });
      return { status: 201, body: { status: state } };
    }
    if (path === '/api/v4/user') return { status: 200, body: { id: 7, username: 'me' } };
    if (path === '/api/v4/projects/12/merge_requests')
      return {
        status: 200,
        body: chosen(world, call).map(({ number: iid, mergedAt: at }) => ({
          ...{ iid, state: at === undefined ? 'opened' : 'merged', merged_at: at ?? null, target_branch: 'main' },
        })),
      };
    const other = world.others.find(({ number: iid }) => path === `/api/v4/projects/12/merge_requests/${iid}`);
    if (other !== undefined)
      return {
        status: 200,
        body: {
          ...{ iid: other.number, sha: 'f'.repeat(40), state: other.mergedAt === undefined ? 'opened' : 'merged' },
          ...{ merge_commit_sha: null, squash_commit_sha: null },
        },
      };
    if (path === '/api/v4/projects/12/merge_requests/5') {
      const merged = world.state === 'merged' ? 'e'.repeat(40) : null;
      const facts = { iid: 5, sha: world.head ?? '', state: merged === null ? 'opened' : 'merged' };
      return world.head === undefined ? notFound : { status: 200, body: { ...facts, merge_commit_sha: merged } };
    }
    if (path === '/api/v4/projects/12/merge_requests/5/commits')
      return { status: 200, body: allCommits(world.strange).map((sha) => ({ id: sha })) };
    const pipeline = /^\/api\/v4\/projects\/12\/pipelines\/(\d+)$/.exec(path)?.[1];
    if (pipeline !== undefined) {
      const iid = world.runs.get(Number(pipeline));
      return iid === undefined ? notFound : { status: 200, body: { id: Number(pipeline), iid } };
    }
    if (/^\/api\/v4\/projects\/12\/pipelines\/\d+\/jobs$/.test(path))
      return {
        status: 200,
        body: pageOf(
          [...world.jobs].map(([name, status]) => ({ name, status })),
          call,
        ),
      };
    if (path === `/api/v4/projects/12/repository/commits/${'e'.repeat(40)}/merge_requests`)
      return {
        status: 200,
        body: [
          {
            ...{ iid: own, state: world.state === 'merged' ? 'merged' : 'opened', target_branch: 'main' },
            merged_at: world.state === 'merged' ? mergedAt : null,
          },
        ],
      };
    const id = Number(path.slice(root.length + 1));
    if (method === 'PUT') {
      const edited = world.edit(id, body);
      return edited === undefined ? notFound : { status: 200, body: shown(edited) };
    }
    if (method === 'DELETE') return world.remove(id) ? { status: 204 } : notFound;
    if (path !== root) return notFound;
    if (method === 'POST') return { status: 201, body: shown(world.add('me', body, number)) };
    return { status: 200, body: pageOf(world.comments.filter(({ request: of }) => of === number).map(shown), call) };
  };
  const api = await startFakeApi(answer);
  const request: ReviewRequest = {
    platform: 'gitlab',
    apiUrl: `${api.url}/api/v4`,
    project: '12',
    number: 5,
    token,
    isUntrusted: false,
    isPipelineToken: false,
  };
  return Object.assign(world, { api, request });
}
