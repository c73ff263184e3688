import type { Plan } from '@platform-sync/core/model/plan';
import { planDocument } from '../document/plan.js';
import { PlanViews } from '../view/plan-views.js';
import type { NextStepsContext } from '../words/next-steps.js';
import { documentMarkdown, type MarkdownLimits } from './document.js';

export interface MarkdownOptions extends NextStepsContext, MarkdownLimits {
  /** Shared with other reports of the same plan. */
  readonly views?: PlanViews;
}

/** A plan as a review comment. */
export function planMarkdown(plan: Plan, options: MarkdownOptions = {}): string {
  const { views = new PlanViews(undefined, plan) } = options;
  return documentMarkdown(planDocument(plan, views, options), options);
}
