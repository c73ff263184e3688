import { applyDocument } from '../document/apply.js';
import type { ApplyOutcome } from '../view/apply-outcome.js';
import type { ReviewPlace } from '../view/review-place.js';
import { documentMarkdown } from './document.js';

/** The review comment of an apply: what it came to, what failed at which line, what was left out, what was done. */
export function applyMarkdown(outcome: ApplyOutcome, at: ReviewPlace = {}): string {
  return documentMarkdown(applyDocument(outcome), { at });
}
