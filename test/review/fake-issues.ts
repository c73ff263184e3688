import type { Json } from '@platform-sync/core/model/value';
import type { ReviewProject } from '@platform-sync/review/review-request';
import { startFakeApi, type FakeAnswer, type FakeApi, type FakeCall } from './fake-api.js';
import { token, type FakePlatform } from './fake-platforms.js';

export interface FakeIssue {
  readonly number: number;
  readonly author: 'me' | 'other';
  readonly title: string;
  body: string | null;
  state: 'open' | 'closed';
  readonly comments: string[];
  readonly isPull?: boolean;
  /** Higher is later. */
  updated: number;
}

/** A review platform with one project and its issues, kept in memory. */
export interface FakeTracker {
  readonly api: FakeApi;
  readonly project: ReviewProject;
  readonly issues: FakeIssue[];
  identity: FakePlatform['identity'];
  /** Lists everybody's issues, whoever was asked for. */
  isDeaf: boolean;
  /** Adds an issue as if somebody had opened it. */
  add(given: Partial<Omit<FakeIssue, 'number' | 'comments'>>): FakeIssue;
}

const forbidden: FakeAnswer = { status: 403, body: { message: 'Resource not accessible by integration' } };
const notFound: FakeAnswer = { status: 404, body: { message: 'Not Found' } };

class Issues {
  readonly issues: FakeIssue[] = [];
  isDeaf = false;
  #clock = 0;

  add(given: Partial<Omit<FakeIssue, 'number' | 'comments'>>): FakeIssue {
    this.#clock += 1;
    const made: FakeIssue = {
      ...{ number: this.issues.length + 1, author: 'me', title: 'An issue', body: '', state: 'open', comments: [] },
      ...{ updated: this.#clock },
      ...given,
    };
    this.issues.push(made);
    return made;
  }

  touch(issue: FakeIssue, change: Partial<Pick<FakeIssue, 'body' | 'state'>>): void {
    this.#clock += 1;
    Object.assign(issue, change, { updated: this.#clock });
  }

  /** One page, the one last changed first, as it is asked for. */
  page(state: FakeIssue['state'], passes: (issue: FakeIssue) => boolean, { query }: FakeCall): readonly FakeIssue[] {
    const size = Number(query.get('per_page') ?? '20');
    const at = (Number(query.get('page') ?? '1') - 1) * size;
    const found = this.issues.filter((issue) => issue.state === state && (this.isDeaf || passes(issue)));
    return found.sort((a, b) => b.updated - a.updated).slice(at, at + size);
  }
}

/** Refuses what the real server does not know, so that a misspelt parameter can't pass. */
function unknownKeys(call: FakeCall, known: readonly string[]): FakeAnswer | undefined {
  const strange = Object.keys(call.body).filter((key) => !known.includes(key));
  return strange.length === 0 ? undefined : { status: 422, body: { message: `unknown: ${strange.join(', ')}` } };
}

export async function fakeGithubIssues(): Promise<FakeTracker> {
  const world = Object.assign(new Issues(), { identity: 'user' as FakeTracker['identity'] });
  const myLogin = (): string => ({ user: 'me', app: 'shop-bot[bot]', pipeline: 'github-actions[bot]' })[world.identity];
  const me = (): Json => ({ id: 7, login: myLogin(), type: world.identity === 'user' ? 'User' : 'Bot' });
  const mallory: Json = { id: 99, login: 'mallory', type: 'User' };
  const shown = (issue: FakeIssue): Json => ({
    ...{ number: issue.number, title: issue.title, body: issue.body, state: issue.state },
    html_url: `https://review.example.com/acme/shop/issues/${issue.number}`,
    user: issue.author === 'me' ? me() : mallory,
    ...(issue.isPull === true ? { pull_request: {} } : {}),
  });
  const root = '/repos/acme/shop/issues';
  const answer = (call: FakeCall, url: string): FakeAnswer => {
    const { method, path, body } = call;
    if (call.headers['authorization'] !== `token ${token}`)
      return { status: 401, body: { message: 'Bad credentials' } };
    if (String(body['body'] ?? '').length > 65_536) return { status: 422, body: { message: 'Body is too long' } };
    if (path === '/user') return world.identity === 'user' ? { status: 200, body: me() } : forbidden;
    if (path === '/graphql')
      return world.identity === 'app'
        ? { status: 200, body: { data: { viewer: { databaseId: 7, login: myLogin() } } } }
        : forbidden;
    if (path === root && method === 'GET') {
      const creator = call.query.get('creator');
      const isWanted = (issue: FakeIssue): boolean =>
        creator === null || creator === (issue.author === 'me' ? myLogin() : 'mallory');
      const state = call.query.get('state') === 'closed' ? 'closed' : 'open';
      const listed = world.page(state, isWanted, call);
      const link = listed.length === Number(call.query.get('per_page')) ? { link: `<${url}>; rel="next"` } : {};
      return { status: 200, body: listed.map(shown), headers: link };
    }
    if (path === root && method === 'POST') {
      const refused = unknownKeys(call, ['title', 'body']);
      if (refused !== undefined) return refused;
      return { status: 201, body: shown(world.add({ title: String(body['title']), body: String(body['body']) })) };
    }
    const [, number, comments] = /^\/repos\/acme\/shop\/issues\/(\d+)(\/comments)?$/.exec(path) ?? [];
    const issue = world.issues.find((one) => one.number === Number(number));
    if (issue === undefined) return notFound;
    if (comments !== undefined) {
      issue.comments.push(String(body['body']));
      return { status: 201, body: { id: 1 } };
    }
    const refused = unknownKeys(call, ['body', 'state']);
    if (refused !== undefined) return refused;
    world.touch(issue, body as Partial<FakeIssue>);
    return { status: 200, body: shown(issue) };
  };
  const api = await startFakeApi(answer);
  const project: ReviewProject = {
    ...{ platform: 'github', apiUrl: api.url, project: 'acme/shop', token },
    ...{ isUntrusted: false, isPipelineToken: true },
  };
  return Object.assign(world, { api, project });
}

export async function fakeGitlabIssues(): Promise<FakeTracker> {
  const world = Object.assign(new Issues(), { identity: 'user' as FakeTracker['identity'] });
  const shown = (issue: FakeIssue): Json => ({
    ...{ id: 1000 + issue.number, iid: issue.number, title: issue.title, description: issue.body },
    state: issue.state === 'open' ? 'opened' : 'closed',
    web_url: `https://review.example.com/acme/shop/issues/${issue.number}`,
    author: issue.author === 'me' ? { id: 7, username: 'me' } : { id: 99, username: 'mallory' },
  });
  const root = '/api/v4/projects/12/issues';
  const answer = (call: FakeCall): FakeAnswer => {
    const { method, path, body, query } = call;
    if (call.headers['private-token'] !== token) return { status: 401, body: { message: '401 Unauthorized' } };
    if (path === '/api/v4/user') return { status: 200, body: { id: 7, username: 'me' } };
    if (path === root && method === 'GET') {
      const state = { opened: 'open', closed: 'closed' }[query.get('state') ?? ''] as FakeIssue['state'] | undefined;
      if (state === undefined || query.get('order_by') !== 'updated_at') return { status: 400 };
      const isWanted = ({ author }: FakeIssue): boolean => query.get('scope') !== 'created_by_me' || author === 'me';
      return { status: 200, body: world.page(state, isWanted, call).map(shown) };
    }
    if (path === root && method === 'POST') {
      const refused = unknownKeys(call, ['title', 'description']);
      if (refused !== undefined) return refused;
      return {
        status: 201,
        body: shown(world.add({ title: String(body['title']), body: String(body['description']) })),
      };
    }
    const [, number, notes] = /^\/api\/v4\/projects\/12\/issues\/(\d+)(\/notes)?$/.exec(path) ?? [];
    const issue = world.issues.find((one) => one.number === Number(number));
    if (issue === undefined) return notFound;
    if (notes !== undefined) {
      issue.comments.push(String(body['body']));
      return { status: 201, body: { id: 1 } };
    }
    const refused = unknownKeys(call, ['description', 'state_event']);
    if (refused !== undefined) return refused;
    const state = { close: 'closed', reopen: 'open' }[String(body['state_event'])] as FakeIssue['state'] | undefined;
    const text = body['description'] as string | undefined;
    const change = { ...(text === undefined ? {} : { body: text }), ...(state === undefined ? {} : { state }) };
    world.touch(issue, change);
    return { status: 200, body: shown(issue) };
  };
  const api = await startFakeApi(answer);
  const project: ReviewProject = {
    ...{ platform: 'gitlab', apiUrl: `${api.url}/api/v4`, project: '12', token },
    ...{ isUntrusted: false, isPipelineToken: false },
  };
  return Object.assign(world, { api, project });
}
