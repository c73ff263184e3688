import { diagnosticCount } from '../words/diagnostics.js';
import { commentLimit, fitted } from './budget.js';
import { code } from './escape.js';
import { placeLine } from './place.js';
import { problemItems } from './problems.js';
import { noPlanTitle, type NoPlan } from '../view/no-plan.js';
import type { ReviewPlace } from '../view/review-place.js';

/** The review comment of a plan that could not be made. */
export function noPlanMarkdown({ diagnostics, project, stack }: NoPlan, at: ReviewPlace = {}): string {
  const where =
    project === undefined || stack === undefined ? '' : `Project ${code(project)}, stack ${code(stack)}.\n\n`;
  const head = `## ⛔ ${noPlanTitle}: ${diagnosticCount(diagnostics)}\n\n${where}${placeLine(at)}`;
  const items = problemItems(diagnostics, at);
  return head + fitted(items, commentLimit - head.length, (hidden) => `- … and ${hidden} more\n`).text;
}
