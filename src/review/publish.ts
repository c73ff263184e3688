import { defined } from '../engine/model/defined.js';
import type { Diagnostic } from '../engine/model/diagnostic.js';
import { findRequest, openHost } from './hosts.js';
import type { Patience } from './patience.js';
import { commentOn, commentOnMerged, explain, insecure, withoutToken } from './problems.js';
import { ReviewError } from './review-error.js';
import type { ReviewEnvironment } from './review-environment.js';
import type { RequestFacts, ReviewProject, ReviewRequest } from './review-request.js';
import { isSafeServer } from './safe-server.js';
import { postSticky, type Posted } from './sticky-comment.js';
import type { Subject } from './subject.js';

export type Published =
  | { readonly posted: Posted; readonly diagnostic?: undefined }
  /** Nothing was posted. A warning when that is as it should be: a fork's pipeline may only read. */
  | { readonly posted?: undefined; readonly diagnostic: Diagnostic };

/** What became of a run, as its comment is to tell it. */
export interface OutcomeComment {
  readonly subject: Subject;
  /** When it came about, ISO 8601 UTC. */
  readonly at: string;
  /** Stands for the commit outside of a pipeline, where the later look counts. Hex. */
  readonly digest: string;
  readonly markdown: string;
  /** The text in its stead when the request has moved on; absent for what was carried out, which stands. */
  readonly superseded?: (head: string) => string;
}

/** Makes the request's one comment say what became of the run. */
export async function publishOutcome(
  outcome: OutcomeComment,
  environment: ReviewEnvironment & { readonly request: ReviewRequest },
  patience: Patience,
): Promise<Published> {
  const { request } = environment;
  if (!isSafeServer(request.apiUrl)) return { diagnostic: insecure(request) };
  if (request.token === undefined) return { diagnostic: withoutToken(commentOn(request)) };
  const revision = {
    commit: environment.commit ?? outcome.digest.slice(0, 40),
    planned: outcome.at,
    ...defined({ run: environment.run }),
  };
  try {
    const host = await openHost(request, patience);
    const facts = await host.facts();
    const markdown = isLate(environment, facts) ? outcome.superseded?.(facts.head) : undefined;
    const queued = environment.isQueued === true ? { isQueued: true as const } : {};
    const comment = { subject: outcome.subject, revision, markdown: markdown ?? outcome.markdown, ...queued };
    return { posted: await postSticky(host, comment, patience, facts) };
  } catch (error) {
    if (error instanceof ReviewError) return { diagnostic: explain(error, commentOn(request)) };
    throw error;
  }
}

/** A commit that is no longer the request's newest; what a merge queue makes is nobody's commit, and never late. */
function isLate(
  { commit, isQueued }: ReviewEnvironment,
  facts: RequestFacts | undefined,
): facts is RequestFacts & { readonly isOpen: true } {
  return facts?.isOpen === true && commit !== undefined && isQueued !== true && commit !== facts.head;
}

/** The request that a commit was merged by; empty where there is none. */
interface MergedRequest {
  readonly request?: ReviewRequest;
  /** It could not be asked for. */
  readonly diagnostic?: Diagnostic;
}

export async function requestOfCommit(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<MergedRequest> {
  if (project.token === undefined || !isSafeServer(project.apiUrl)) return {};
  try {
    const number = await findRequest(project, commit, patience);
    return number === undefined ? {} : { request: { ...project, number } };
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    // A commit that the platform does not know was merged by nobody.
    if (error.kind === 'not-found' || error.kind === 'refused') return {};
    return { diagnostic: explain(error, commentOnMerged(project, commit)) };
  }
}
