import type { Plan } from '@platform-sync/core/model/plan';
import { readJsonText, type StructuredReader } from '../diff/structured-text.js';
import { planDocument } from '../document/plan.js';
import { compared } from '../view/compared.js';
import { PlanViews } from '../view/plan-views.js';
import type { NextStepsContext } from '../words/next-steps.js';
import { documentText, type DocumentTextOptions } from './document.js';

interface PlanTextOptions extends NextStepsContext, DocumentTextOptions {
  /** Reads texts that hold structure; default: JSON only. `structuredReader` makes one for a plan. */
  readonly read?: StructuredReader;
}

/** The whole plan for people. Says everything the document says, whatever the verdict. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  const views = new PlanViews(plan, options.read ?? readJsonText, compared);
  return documentText(planDocument(plan, views, options), options);
}
