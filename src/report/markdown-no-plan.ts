import { diagnosticCount } from './diagnostic-order.js';
import { fitted } from './markdown-budget.js';
import { code } from './markdown-escape.js';
import { placeLine } from './markdown-place.js';
import { problemItems } from './markdown-problems.js';
import { noPlanTitle } from './no-plan-view.js';
import type { NoPlan } from './no-plan-view.js';
import type { ReviewPlace } from './review-place.js';

const maxCharacters = 60_000;

/** The review comment of a plan that could not be made. */
export function noPlanMarkdown({ diagnostics, project, stack }: NoPlan, at: ReviewPlace = {}): string {
  const where =
    project === undefined || stack === undefined ? '' : `Project ${code(project)}, stack ${code(stack)}.\n\n`;
  const head = `## ⛔ ${noPlanTitle}: ${diagnosticCount(diagnostics)}\n\n${where}${placeLine(at)}`;
  const items = problemItems(diagnostics, at);
  return head + fitted(items, maxCharacters - head.length, (hidden) => `- … and ${hidden} more\n`).text;
}
