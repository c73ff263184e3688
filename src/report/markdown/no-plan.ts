import { noPlanDocument } from '../document/no-plan.js';
import type { NoPlan } from '../view/no-plan.js';
import type { ReviewPlace } from '../view/review-place.js';
import { documentMarkdown } from './document.js';

/** The review comment of a plan that could not be made. */
export function noPlanMarkdown(found: NoPlan, at: ReviewPlace = {}): string {
  return documentMarkdown(noPlanDocument(found), { at });
}
