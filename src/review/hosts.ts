import type { IssueHost } from './issue-host.js';
import type { Patience } from './patience.js';
import type { ReviewHost } from './review-host.js';
import type { MergedRequest, ProposedEdit, RequestChoice, ReviewProject, ReviewRequest } from './review-request.js';

/** Opens the request's platform; only that one's client is loaded. */
export async function openHost(request: ReviewRequest, patience: Patience): Promise<ReviewHost> {
  if (request.platform === 'github') return (await import('./github/host.js')).githubHost(request, patience);
  return (await import('./gitlab/host.js')).gitlabHost(request, patience);
}

/** Opens the issues of a project; only its platform's client is loaded. */
export async function openIssues(project: ReviewProject, patience: Patience): Promise<IssueHost> {
  if (project.platform === 'github') return (await import('./github/issues.js')).githubIssues(project, patience);
  return (await import('./gitlab/issues.js')).gitlabIssues(project, patience);
}

/** The request that a commit of a branch was merged by. */
export async function findRequest(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<MergedRequest | undefined> {
  return (await requestsOf(project)).find(project, commit, patience);
}

/** Requests by their state, those of which something happened last first. */
export async function listRequests(
  project: ReviewProject,
  choice: RequestChoice,
  patience: Patience,
): Promise<readonly { readonly number: number }[]> {
  return (await requestsOf(project)).listed(project, choice, patience);
}

/** Makes a branch with an edit, and a request to merge it into the default branch. Gives the request's address; once for one edit. */
export async function proposeEdit(project: ReviewProject, edit: ProposedEdit, patience: Patience): Promise<string> {
  return (await requestsOf(project)).propose(project, edit, patience);
}

function requestsOf({ platform }: ReviewProject): Promise<RequestReader> {
  return platform === 'github' ? import('./github/requests.js') : import('./gitlab/requests.js');
}

interface RequestReader {
  readonly find: typeof findRequest;
  readonly listed: typeof listRequests;
  readonly propose: typeof proposeEdit;
}
