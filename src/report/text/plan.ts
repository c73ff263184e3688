import type { Plan } from '@platform-sync/core/model/plan';
import type { StructuredReader } from '../diff/structured-text.js';
import { planDocument } from '../document/plan.js';
import { PlanViews } from '../view/plan-views.js';
import type { NextStepsContext } from '../words/next-steps.js';
import { documentPieces, type DocumentTextOptions } from './document.js';

interface PlanTextOptions extends NextStepsContext, DocumentTextOptions {
  /** Reads texts that hold structure; default: JSON only. `structuredReader` makes one for a plan. */
  readonly read?: StructuredReader;
  /** Shared with other reports of the same plan. */
  readonly views?: PlanViews;
}

/** The whole plan for people. Says everything the document says, whatever the verdict. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  return [...planPieces(plan, options)].join('');
}

/** The same text piece by piece: that of a large plan is better never in memory as a whole. */
export function* planPieces(plan: Plan, options: PlanTextOptions): Iterable<string> {
  const { views = new PlanViews(options.read, plan) } = options;
  yield* documentPieces(planDocument(plan, views, options), options);
}
