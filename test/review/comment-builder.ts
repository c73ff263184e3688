import { commentText } from '@platform-sync/review/comment-text';
import { entriesWith, type Entry, type Part, type Row } from '@platform-sync/review/entry';
import { type StickyPart, withMarker } from '@platform-sync/review/sticky-comment';
import type { Revision } from '@platform-sync/review/review-request';
import type { Subject } from '@platform-sync/review/subject';

export function row(more: Partial<Row> = {}): Row {
  return { mark: '📝', verdict: 'Changes', counts: '1 to create', rank: 3, project: 'shop', stack: 'prod', ...more };
}

export function sticky(subject: Subject, revision: Revision, markdown: string, more: Partial<Part> = {}): StickyPart {
  return { subject, part: { kind: 'plan', revision, row: row(), markdown, ...more } };
}

/** A comment's body as it is posted. */
export function body(...parts: readonly StickyPart[]): string {
  return bodyOf(entriesWith([], parts));
}

export function bodyOf(entries: readonly Entry[]): string {
  return withMarker(entries, commentText(entries));
}
