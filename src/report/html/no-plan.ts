import { noPlanDocument } from '../document/no-plan.js';
import type { NoPlan } from '../view/no-plan.js';
import type { ReviewPlace } from '../view/review-place.js';
import { documentHtml } from './document.js';

/** The page of a plan that could not be made. */
function noPlanHtml(found: NoPlan, at: ReviewPlace): string {
  return documentHtml(noPlanDocument(found), at);
}
