import type { Json } from '@platform-sync/core/model/value';
import type { ReviewProject } from '@platform-sync/review/review-request';
import { startFakeApi, type FakeAnswer, type FakeApi, type FakeCall } from './fake-api.js';
import { token } from './fake-platforms.js';

/** A request that was opened, with the branch that it is of. */
export interface FakeEdit {
  readonly branch: string;
  readonly onto: string;
  readonly files: Readonly<Record<string, string>>;
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

/** A forge that takes branches and requests, and knows one commit. */
export interface FakeEdits {
  readonly api: FakeApi;
  readonly project: ReviewProject;
  readonly edits: FakeEdit[];
}

type Made = Pick<FakeEdit, 'branch' | 'onto' | 'files'>;

/** `knows`: the commit that its default branch is at. */
export async function fakeGithubEdits(knows: string): Promise<FakeEdits> {
  const edits: FakeEdit[] = [];
  const trees: Record<string, string>[] = [];
  const commits: Omit<Made, 'branch'>[] = [];
  const branches: Made[] = [];
  const shown = (at: number): Json => ({ html_url: `https://review.example.com/acme/shop/pull/${at + 1}` });
  const answer = ({ method, path, query, body, headers }: FakeCall): FakeAnswer => {
    if (headers['authorization'] !== `token ${token}`) return { status: 401, body: { message: 'Bad credentials' } };
    const call = `${method} ${path.replace('/repos/acme/shop', '')}`;
    const text = (name: string): string => String(body[name]);
    if (call === 'GET ') return { status: 200, body: { default_branch: 'main' } };
    if (call === `GET /git/commits/${knows}`) return { status: 200, body: { sha: knows, tree: { sha: 'base-tree' } } };
    if (call === 'POST /git/trees' && text('base_tree') === 'base-tree') {
      const tree = body['tree'] as readonly { readonly path: string; readonly content: string }[];
      trees.push(Object.fromEntries(tree.map((file) => [file.path, file.content])));
      return { status: 201, body: { sha: `tree${trees.length - 1}` } };
    }
    if (call === 'POST /git/commits') {
      const [onto = ''] = body['parents'] as readonly string[];
      commits.push({ onto, files: trees[Number(text('tree').slice(4))] ?? {} });
      return { status: 201, body: { sha: `commit${commits.length - 1}` } };
    }
    if (call === 'POST /git/refs') {
      const branch = text('ref').replace('refs/heads/', '');
      const commit = commits[Number(text('sha').slice(6))];
      if (commit === undefined || branches.some((one) => one.branch === branch))
        return { status: 422, body: { message: 'Reference already exists' } };
      branches.push({ branch, ...commit });
      return { status: 201, body: {} };
    }
    if (call === 'GET /pulls')
      return {
        status: 200,
        body: edits.flatMap(({ branch }, at) => (query.get('head') === `acme:${branch}` ? [shown(at)] : [])),
      };
    if (call === 'POST /pulls') {
      const made = branches.find(({ branch }) => branch === text('head'));
      if (made === undefined) return { status: 422, body: { message: 'no such head' } };
      edits.push({ ...made, base: text('base'), title: text('title'), body: text('body') });
      return { status: 201, body: shown(edits.length - 1) };
    }
    return { status: 404, body: { message: 'Not Found' } };
  };
  const api = await startFakeApi(answer);
  return { api, edits, project: projectAt('github', api.url, 'acme/shop') };
}

export async function fakeGitlabEdits(knows: string): Promise<FakeEdits> {
  const edits: FakeEdit[] = [];
  const branches: Made[] = [];
  const shown = (at: number): Json => ({ web_url: `https://review.example.com/acme/shop/-/merge_requests/${at + 1}` });
  const answer = ({ method, path, query, body, headers }: FakeCall): FakeAnswer => {
    if (headers['private-token'] !== token) return { status: 401, body: { message: '401 Unauthorized' } };
    const call = `${method} ${path.replace('/api/v4/projects/12', '')}`;
    const text = (name: string): string => String(body[name]);
    if (call === 'GET ') return { status: 200, body: { default_branch: 'main' } };
    if (call === 'POST /repository/commits') {
      const branch = text('branch');
      if (branches.some((one) => one.branch === branch) || text('start_sha') !== knows)
        return { status: 400, body: { message: `A branch called '${branch}' already exists.` } };
      const actions = body['actions'] as readonly Readonly<Record<string, string>>[];
      const files = actions.map(({ action, file_path, content }) => [`${action} ${file_path}`, content] as const);
      const named = files.map(([name, content]) => [name.replace('update ', ''), content ?? '']);
      branches.push({ branch, onto: knows, files: Object.fromEntries(named) as Record<string, string> });
      return { status: 201, body: { id: 'f'.repeat(40) } };
    }
    if (call === 'GET /merge_requests')
      return {
        status: 200,
        body: edits.flatMap(({ branch }, at) => (query.get('source_branch') === branch ? [shown(at)] : [])),
      };
    if (call === 'POST /merge_requests') {
      const made = branches.find(({ branch }) => branch === text('source_branch'));
      if (made === undefined) return { status: 400, body: { message: 'no such branch' } };
      edits.push({ ...made, base: text('target_branch'), title: text('title'), body: text('description') });
      return { status: 201, body: shown(edits.length - 1) };
    }
    return { status: 404, body: { message: '404 Not Found' } };
  };
  const api = await startFakeApi(answer);
  return { api, edits, project: projectAt('gitlab', `${api.url}/api/v4`, '12') };
}

function projectAt(platform: ReviewProject['platform'], apiUrl: string, project: string): ReviewProject {
  return { ...{ platform, apiUrl, project, token, isUntrusted: false, isPipelineToken: true } };
}
