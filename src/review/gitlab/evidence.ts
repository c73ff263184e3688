import { MergeRequests, Pipelines } from '@gitbeaker/rest';
import { unlessDenied } from '../review-error.js';
import type { ReviewHost } from '../review-host.js';
import type { RequestFacts, ReviewRequest, Revision } from '../review-request.js';
import type { Expected } from '../answer.js';
import { answers } from './answers.js';
import type { ClientOptions } from './client.js';

/** Asks the client, again where that may help, and gives what was expected. */
export type Read = <T>(expected: Expected, work: () => Promise<T>) => Promise<T>;

/** What the platform itself says of a merge request, its commits and the project's pipelines. */
export function gitlabEvidence(
  { project, number }: ReviewRequest,
  options: ClientOptions,
  read: Read,
): Pick<ReviewHost, 'facts' | 'knows'> {
  const requests = new MergeRequests(options);
  const pipelines = new Pipelines(options);
  let asked: Promise<RequestFacts | undefined> | undefined;
  const facts = (): Promise<RequestFacts | undefined> => (asked ??= unlessDenied(ask));

  async function ask(): Promise<RequestFacts> {
    const { sha, state, merge_commit_sha, squash_commit_sha } = await read(answers.request, () =>
      requests.show(project, number),
    );
    const merged = [merge_commit_sha, squash_commit_sha].filter((commit) => typeof commit === 'string');
    return { head: sha, merged: state === 'merged' ? [sha, ...merged] : [], isOpen: state === 'opened' };
  }

  async function knows({ commit, run }: Revision): Promise<boolean> {
    if (run === undefined) return false;
    const pipeline = await read(answers.pipeline, () => pipelines.show(project, run.id));
    if (pipeline.iid !== run.number) return false;
    const known = await facts();
    if (known !== undefined && [known.head, ...known.merged].includes(commit)) return true;
    const commits = await read(answers.commits, () =>
      requests.allCommits(project, number, { maxPages: 1, perPage: 100 }),
    );
    return commits.some(({ id }) => id === commit);
  }

  return { facts, knows: async (revision) => (await unlessDenied(() => knows(revision))) ?? false };
}
