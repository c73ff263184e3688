import { createOnce, type Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { MergedRequest, ProposedEdit, RequestChoice, ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { type GithubClient, githubClient, limited, pageSize } from './client.js';

/** The merged pull request that left this commit; one whose branch merely holds it does not count. */
export async function find(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<MergedRequest | undefined> {
  const { octokit, place, read } = githubClient(project, patience);
  const { data } = await read(answers.requests, () =>
    octokit.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
      ...place,
      commit_sha: commit,
      ...limited(),
    }),
  );
  const merged = data.filter(({ merged_at }) => merged_at !== null);
  const found = merged.find(({ merge_commit_sha }) => merge_commit_sha === commit) ?? merged[0];
  return found && { number: found.number, mergedAt: found.merged_at ?? '', base: found.base.ref };
}

/** One page: more than anybody merges between two applies. */
export async function listed(
  project: ReviewProject,
  choice: RequestChoice,
  patience: Patience,
): Promise<readonly { readonly number: number }[]> {
  const { octokit, place, read } = githubClient(project, patience);
  const { data } = await read(answers.requests, () =>
    octokit.request('GET /repos/{owner}/{repo}/pulls', {
      ...place,
      ...{ state: choice.state === 'open' ? 'open' : 'closed', sort: 'updated', direction: 'desc' },
      ...{ base: choice.state === 'open' ? choice.base : choice.before.base, per_page: pageSize },
      ...limited(),
    }),
  );
  if (choice.state === 'open') return data.slice(0, choice.most);
  const { number, mergedAt } = choice.before;
  return data
    .filter((one) => one.number !== number && one.merged_at !== null && one.merged_at <= mergedAt)
    .sort((a, b) => ((a.merged_at ?? '') < (b.merged_at ?? '') ? 1 : -1))
    .slice(0, choice.most);
}

/** Nothing that was there before is changed: a branch of its own points at a commit of its own. */
export async function propose(project: ReviewProject, edit: ProposedEdit, patience: Patience): Promise<string> {
  const client = githubClient(project, patience);
  const { octokit, place, read, call } = client;
  const { data: repository } = await read(answers.repository, () =>
    octokit.request('GET /repos/{owner}/{repo}', { ...place, ...limited() }),
  );
  const head = edit.branch;
  const find = async (): Promise<string | undefined> => {
    const { data } = await read(answers.proposals, () =>
      octokit.request('GET /repos/{owner}/{repo}/pulls', {
        ...{ ...place, head: `${place.owner}:${head}`, state: 'open', ...limited() },
      }),
    );
    return data[0]?.html_url;
  };
  const known = await find();
  if (known !== undefined) return known;
  await makeBranch(client, edit);
  const { title, body } = edit;
  const open = async (): Promise<string> => {
    const { data } = await call(answers.proposed, () =>
      octokit.request('POST /repos/{owner}/{repo}/pulls', {
        ...{ ...place, title, body, head, base: repository.default_branch, ...limited() },
      }),
    );
    return data.html_url;
  };
  return createOnce(patience, open, find);
}

async function makeBranch({ octokit, place, read, call }: GithubClient, edit: ProposedEdit): Promise<void> {
  const { data: base } = await read(answers.commit, () =>
    octokit.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
      ...{ ...place, commit_sha: edit.onto, ...limited() },
    }),
  );
  const tree = edit.files.map(({ path, text }) => ({ path, content: text, mode: '100644', type: 'blob' }) as const);
  const { data: made } = await call(answers.made, () =>
    octokit.request('POST /repos/{owner}/{repo}/git/trees', {
      ...{ ...place, base_tree: base.tree.sha, tree, ...limited() },
    }),
  );
  const { data: commit } = await call(answers.made, () =>
    octokit.request('POST /repos/{owner}/{repo}/git/commits', {
      ...{ ...place, message: edit.title, tree: made.sha, parents: [edit.onto], ...limited() },
    }),
  );
  const branch = { ref: `refs/heads/${edit.branch}`, sha: commit.sha };
  try {
    await call(answers.anything, () =>
      octokit.request('POST /repos/{owner}/{repo}/git/refs', { ...place, ...branch, ...limited() }),
    );
  } catch (error) {
    // It was made by a run that came no further: its name says what it holds.
    if (!(error instanceof ReviewError) || error.kind !== 'refused') throw error;
  }
}
