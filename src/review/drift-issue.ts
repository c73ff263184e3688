import { defined } from '@platform-sync/core/model/value';
import type { DriftStatus } from '@platform-sync/core/model/drift';
import {
  intactText,
  isAbout,
  readDriftMarker,
  withDriftMarker,
  type DriftMarker,
  type DriftSubject,
} from './drift-marker.js';
import type { IssueHost, IssueState, TrackedIssue } from './issue-host.js';

/** What the issue of a project and stack should say. */
export interface DriftIssue {
  readonly subject: DriftSubject;
  readonly status: DriftStatus;
  /** ISO 8601 UTC. */
  readonly checked: string;
  /** See `DriftMarker`. */
  readonly lineage?: string;
  /** Nothing was compared: what the issue says of findings stays. */
  readonly knowsNothing: boolean;
  /** See `saidBy`. */
  readonly said: string;
  /** For a new one; later it is the readers' to change. */
  readonly title: string;
  readonly markdown: string;
  /** The comment that it is closed with. */
  readonly closingComment: string;
}

/** An issue of ours. */
export interface OwnIssue extends TrackedIssue {
  readonly marker: DriftMarker;
}

export async function findIssues(
  host: IssueHost,
  state: IssueState,
  subject: DriftSubject,
): Promise<readonly OwnIssue[]> {
  const isOurs = (marker: DriftMarker | undefined): marker is DriftMarker =>
    marker !== undefined && isAbout(marker, subject);
  const found = await host.own(state, (body) => isOurs(readDriftMarker(body)));
  return found.flatMap((issue) => {
    const marker = readDriftMarker(issue.body);
    return isOurs(marker) ? [{ ...issue, marker }] : [];
  });
}

/** True when the issue says what it should already. */
export function saysSo({ body, marker }: OwnIssue, wanted: DriftIssue): boolean {
  const isNamed = marker.project !== undefined || wanted.subject.project === undefined;
  const isKnown = isNamed && (marker.lineage !== undefined || wanted.lineage === undefined);
  return isKnown && marker.said === wanted.said && intactText(body, marker) !== undefined;
}

const divider = '\n---\n\nWhat the last check before that found:\n\n';

/**
 * The whole body. A check that failed, or that had no record to compare with, knows nothing: what stood there before stays, below
 * its problems. The issue stays with the state that it was opened for.
 */
export function issueBody(wanted: DriftIssue, before?: OwnIssue): string {
  const { subject, status, checked, said, markdown, knowsNothing } = wanted;
  const known = knowsNothing && before !== undefined ? lastFindings(before) : undefined;
  const text = known === undefined || markdown.length + known.length > longest ? markdown : markdown + divider + known;
  const project = subject.project ?? before?.marker.project;
  const lineage = before?.marker.lineage ?? wanted.lineage;
  return withDriftMarker({ ...subject, ...defined({ project, lineage }), status, checked, said }, text);
}

// The body of an issue may have 65,536 characters, the marker and the divider included.
const longest = 65_000;

function lastFindings({ body, marker }: OwnIssue): string | undefined {
  const text = intactText(body, marker);
  if (text === undefined || marker.status === 'clean') return undefined;
  // The first one is ours: nothing that a check says about its problems has lines of its own.
  const at = marker.status === 'drift' ? -1 : text.indexOf(divider);
  if (at >= 0) return text.slice(at + divider.length);
  return marker.status === 'failed' ? undefined : text;
}
