import { Commits, MergeRequests, Projects } from '@gitbeaker/rest';
import { createOnce, patiently, type Patience } from '../patience.js';
import { ReviewError } from '../review-error.js';
import type { MergedRequest, ProposedEdit, RequestChoice, ReviewProject } from '../review-request.js';
import { answers } from './answers.js';
import { ask, clientOptions } from './client.js';
import { withoutQuickActions } from './quick-actions.js';

/** The merged merge request that left this commit; one whose branch merely holds it does not count. */
export async function find(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<MergedRequest | undefined> {
  const commits = new Commits(clientOptions(project, patience));
  const found = (
    await patiently(patience, () => ask(answers.requests, () => commits.allMergeRequests(project.project, commit)), {
      repeatable: true,
    })
  ).find(({ state }) => state === 'merged');
  return found && { number: found.iid, mergedAt: String(found.merged_at ?? ''), base: String(found.target_branch) };
}

// One page holds more than anybody merges between two applies.
const pageSize = 100;

export async function listed(
  { project, ...rest }: ReviewProject,
  choice: RequestChoice,
  patience: Patience,
): Promise<readonly { readonly number: number }[]> {
  const requests = new MergeRequests(clientOptions({ project, ...rest }, patience));
  const found = await patiently(
    patience,
    () =>
      ask(answers.requests, () =>
        requests.all({
          ...{ projectId: project, scope: 'all', orderBy: 'updated_at', sort: 'desc', perPage: pageSize, page: 1 },
          ...{ state: choice.state === 'open' ? 'opened' : 'merged' },
          targetBranch: choice.state === 'open' ? choice.base : choice.before.base,
        }),
      ),
    { repeatable: true },
  );
  const numbered = found.map(({ iid, merged_at }) => ({ number: iid, mergedAt: merged_at ?? '' }));
  if (choice.state === 'open') return numbered.slice(0, choice.most);
  const { number, mergedAt } = choice.before;
  return numbered
    .filter((one) => one.number !== number && one.mergedAt !== '' && one.mergedAt <= mergedAt)
    .sort((a, b) => (a.mergedAt < b.mergedAt ? 1 : -1))
    .slice(0, choice.most);
}

/** Nothing that was there before is changed: a branch of its own gets a commit of its own. */
export async function propose(project: ReviewProject, edit: ProposedEdit, patience: Patience): Promise<string> {
  const options = clientOptions(project, patience);
  const requests = new MergeRequests(options);
  const { branch, onto, title, body } = edit;
  const base = await patiently(
    patience,
    () => ask(answers.project, () => new Projects(options).show(project.project)),
    { repeatable: true },
  );
  const find = async (): Promise<string | undefined> => {
    const which = { projectId: project.project, scope: 'all', state: 'opened', sourceBranch: branch } as const;
    const found = await patiently(
      patience,
      () => ask(answers.proposals, () => requests.all({ ...which, perPage: 1, page: 1 })),
      { repeatable: true },
    );
    return found[0] === undefined ? undefined : String(found[0].web_url);
  };
  const known = await find();
  if (known !== undefined) return known;
  const actions = edit.files.map(({ path, text }) => ({ action: 'update', filePath: path, content: text }) as const);
  try {
    await ask(answers.made, () =>
      new Commits(options).create(project.project, branch, title, [...actions], { startSha: onto }),
    );
  } catch (error) {
    // The branch was made by a run that came no further: its name says what it holds.
    if (!(error instanceof ReviewError) || error.kind !== 'refused') throw error;
  }
  const description = withoutQuickActions(body);
  const open = async (): Promise<string> => {
    const { web_url } = await ask(answers.proposed, () =>
      requests.create(project.project, branch, String(base.default_branch), title, {
        ...{ description, removeSourceBranch: true },
      }),
    );
    return String(web_url);
  };
  return createOnce(patience, open, find);
}
