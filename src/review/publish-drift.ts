import { defined } from '@platform-sync/core/model/value';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import type { DriftIssue } from './drift-issue.js';
import { driftSubject, markedLineage, saidBy } from './drift-marker.js';
import { openIssues } from './hosts.js';
import { keepIssue, type IssueResult } from './keep-issue.js';
import type { Patience } from './patience.js';
import { explain, insecure, issueIn, withoutToken } from './problems.js';
import { ReviewError, type ReviewErrorKind } from './review-error.js';
import type { ReviewProject } from './review-request.js';
import { isSafeServer } from './safe-server.js';

export type PublishedDrift =
  | { readonly kept: IssueResult; readonly diagnostic?: undefined }
  /** The issue was left as it is. A warning when that is as it should be: a fork's pipeline may only read. */
  | { readonly kept?: undefined; readonly diagnostic: Diagnostic };

interface DriftIssueTexts extends Pick<DriftIssue, 'title' | 'markdown' | 'closingComment'> {
  /** Folder of sync.yaml inside the repository, forward slashes; empty for its root. */
  readonly folder: string;
}

/** Makes the project's one drift issue say what the check found. */
export async function publishDrift(
  result: DriftResult,
  { folder, ...texts }: DriftIssueTexts,
  project: ReviewProject,
  patience: Patience,
): Promise<PublishedDrift> {
  return publishIssue(
    {
      ...{ subject: driftSubject(result, folder), status: statusOf(result), checked: result.checkedAt },
      ...{
        said: saidBy(result),
        knowsNothing: result.status === 'failed' || result.unrecorded !== undefined,
        ...texts,
      },
      ...defined({ lineage: result.lineage === undefined ? undefined : markedLineage(result.lineage) }),
    },
    project,
    patience,
  );
}

/** Makes one issue say what is wanted, or tells why it could not. */
export async function publishIssue(
  wanted: DriftIssue,
  project: ReviewProject,
  patience: Patience,
): Promise<PublishedDrift> {
  if (!isSafeServer(project.apiUrl)) return { diagnostic: insecure(project) };
  if (project.token === undefined) return { diagnostic: withoutToken(issueIn(project)) };
  try {
    return { kept: await keepIssue(await openIssues(project, patience), wanted, patience) };
  } catch (error) {
    if (error instanceof ReviewError) return { diagnostic: told(error, wanted, project) };
    throw error;
  }
}

/** What comes and goes closes no issue. */
function statusOf({ status, flapping }: DriftResult): DriftResult['status'] {
  return status === 'clean' && flapping !== undefined ? 'drift' : status;
}

const passing: ReadonlySet<ReviewErrorKind> = new Set(['rate-limited', 'unavailable', 'unreachable']);

/** A stack that is as recorded fails nobody's job because the platform is busy: the next check closes what there is to close. */
function told(error: ReviewError, { status }: Pick<DriftIssue, 'status'>, project: ReviewProject): Diagnostic {
  const diagnostic = explain(error, issueIn(project));
  return status === 'clean' && passing.has(error.kind) ? { ...diagnostic, severity: 'warning' } : diagnostic;
}
