import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Part, Row } from './entry.js';
import { findRequest, openHost } from './hosts.js';
import { patiently, type Patience } from './patience.js';
import { commentOn, commentOnMerged, explain, insecure, statusOn, withoutToken } from './problems.js';
import { ReviewError } from './review-error.js';
import type { ReviewEnvironment } from './review-environment.js';
import type { MergedRequest, RequestFacts, ReviewProject, ReviewRequest } from './review-request.js';
import type { CommitStatus } from './review-host.js';
import { isSafeServer } from './safe-server.js';
import { postSticky, type Posted, type StickyPart } from './sticky-comment.js';
import type { Subject } from './subject.js';

export type Published =
  | { readonly posted: Posted; readonly diagnostic?: undefined }
  /** Nothing was posted. A warning when that is as it should be: a fork's pipeline may only read. */
  | { readonly posted?: undefined; readonly diagnostic: Diagnostic };

/** What became of a run of one project and stack, as the comment is to tell it. */
export interface OutcomeComment extends Pick<Part, 'kind' | 'row' | 'markdown'> {
  readonly subject: Subject;
  /** When it came about, ISO 8601 UTC. */
  readonly at: string;
  /** Stands for the commit outside of a pipeline, where the later look counts. Hex. */
  readonly digest: string;
  /** What is told in its stead when the request has moved on; absent for what was carried out, which stands. */
  readonly superseded?: (head: string) => Pick<Part, 'row' | 'markdown'>;
}

/** Makes the request's one comment say what became of the runs. */
export async function publishOutcomes(
  outcomes: readonly OutcomeComment[],
  environment: ReviewEnvironment & { readonly request: ReviewRequest },
  patience: Patience,
): Promise<Published> {
  const { request } = environment;
  if (!isSafeServer(request.apiUrl)) return { diagnostic: insecure(request) };
  if (request.token === undefined) return { diagnostic: withoutToken(commentOn(request)) };
  try {
    const host = await openHost(request, patience);
    const facts = await host.facts();
    const parts = outcomes.map((outcome) => partOf(outcome, environment, facts));
    return { posted: await postSticky(host, parts, patience, facts) };
  } catch (error) {
    if (error instanceof ReviewError) return { diagnostic: explain(error, commentOn(request)) };
    throw error;
  }
}

/** Makes the commit's status say this; gives what kept it from that. */
export async function publishStatus(
  status: CommitStatus,
  { request, commit }: { readonly request: ReviewRequest; readonly commit: string },
  patience: Patience,
): Promise<Diagnostic | undefined> {
  if (!isSafeServer(request.apiUrl)) return insecure(request);
  if (request.token === undefined) return withoutToken(statusOn(request, commit));
  try {
    const host = await openHost(request, patience);
    await patiently(patience, () => host.mark(commit, status), { repeatable: true });
    return undefined;
  } catch (error) {
    if (error instanceof ReviewError) return explain(error, statusOn(request, commit));
    throw error;
  }
}

function partOf(
  { subject, at, digest, superseded, ...outcome }: OutcomeComment,
  environment: ReviewEnvironment,
  facts: RequestFacts | undefined,
): StickyPart {
  const { commit = digest.slice(0, 40), run, isQueued, links } = environment;
  const late = isLate(environment, facts) ? superseded?.(facts.head) : undefined;
  const row: Row = { ...(late ?? outcome).row, ...defined({ link: links.run }) };
  const revision = { commit, planned: at, ...defined({ run }) };
  const part = { kind: outcome.kind, markdown: (late ?? outcome).markdown, revision, row };
  return { subject, part, ...defined({ isQueued }) };
}

/** A commit that is no longer the request's newest; what a merge queue makes is nobody's commit, and never late. */
function isLate(
  { commit, isQueued }: ReviewEnvironment,
  facts: RequestFacts | undefined,
): facts is RequestFacts & { readonly isOpen: true } {
  return facts?.isOpen === true && commit !== undefined && isQueued !== true && commit !== facts.head;
}

/** The request that a commit was merged by; empty where there is none. */
interface FoundRequest {
  readonly request?: ReviewRequest;
  readonly merged?: MergedRequest;
  /** It could not be asked for. */
  readonly diagnostic?: Diagnostic;
}

export async function requestOfCommit(
  project: ReviewProject,
  commit: string,
  patience: Patience,
): Promise<FoundRequest> {
  if (project.token === undefined || !isSafeServer(project.apiUrl)) return {};
  try {
    const merged = await findRequest(project, commit, patience);
    return merged === undefined ? {} : { request: { ...project, number: merged.number }, merged };
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    // A commit that the platform does not know was merged by nobody.
    if (error.kind === 'not-found' || error.kind === 'refused') return {};
    return { diagnostic: explain(error, commentOnMerged(project, commit)) };
  }
}
