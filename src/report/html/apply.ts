import { applyDocument } from '../document/apply.js';
import type { ApplyOutcome } from '../view/apply-outcome.js';
import type { ReviewPlace } from '../view/review-place.js';
import { documentHtml } from './document.js';

/** What an apply came to, as a page. */
export function applyHtml(outcome: ApplyOutcome, at: ReviewPlace): string {
  return documentHtml(applyDocument(outcome), at);
}
