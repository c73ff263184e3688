import type { Plan } from '@platform-sync/core/model/plan';
import { planDocument } from '../document/plan.js';
import { PlanViews } from '../view/plan-views.js';
import type { ReviewPlace } from '../view/review-place.js';
import type { NextStepsContext } from '../words/next-steps.js';
import { documentHtml } from './document.js';

interface HtmlOptions extends NextStepsContext {
  /** Shared with other reports of the same plan. */
  readonly views?: PlanViews;
  /** Where readers on a review platform are. */
  readonly at?: ReviewPlace;
}

/** A plan as a page. */
export function planHtml(plan: Plan, options: HtmlOptions = {}): string {
  const { views = new PlanViews(undefined, plan) } = options;
  return documentHtml(planDocument(plan, views, options), options.at);
}
