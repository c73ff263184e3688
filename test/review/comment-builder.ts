import { commentText } from '../../src/review/comment-text.js';
import { entriesWith, type Entry, type Part, type Row } from '../../src/review/entry.js';
import { withMarker } from '../../src/review/marker.js';
import type { Revision } from '../../src/review/review-request.js';
import type { StickyPart } from '../../src/review/sticky-comment.js';
import type { Subject } from '../../src/review/subject.js';

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
