import type { StepResult } from '../../engine/api.js';
import {
  applyState,
  applyStates,
  applyTitle,
  outputsToShow,
  skippedByCause,
  type ApplyOutcome,
} from '../view/apply-outcome.js';
import { commentLimit, fitted } from './budget.js';
import { guardSection } from '../document/guards.js';
import { markdownSection } from './section.js';
import { code, prose } from './escape.js';
import { problemItems, problemText } from './problems.js';
import { count } from '../words/plural.js';
import { lineLink, placeLine } from './place.js';
import { filePlace, type ReviewPlace } from '../view/review-place.js';
import { inline } from '../words/value.js';

// Every part keeps a place of its own: the gravest comes first and gets the most.
const caps = {
  failed: 24_000,
  open: 8000,
  stale: 8000,
  guards: 8000,
  skipped: 6000,
  problems: 6000,
  outputs: 3000,
} as const;
const more = (hidden: number): string => `- … and ${hidden} more\n`;

/** The review comment of an apply: what it came to, what failed at which line, what was left out, what was done. */
export function applyMarkdown(outcome: ApplyOutcome, at: ReviewPlace = {}): string {
  const { mark, advice } = applyStates[applyState(outcome)];
  const { steps, diagnostics, mismatches = [], guards = [], open = [] } = outcome;
  const failed = steps.filter((step) => step.outcome === 'failed').map((step) => failedItem(step, outcome, at));
  const parts = [
    `## ${mark} ${applyTitle(outcome)}\n\n${subject(outcome)}${placeLine(at)}`,
    part('Failed', failed, caps.failed),
    part('May have been done', open.map(stepItem), caps.open),
    part('What is different now', mismatches.map(mismatchItem), caps.stale),
    guardSection({ guards, notices: [] })
      .map((section) => markdownSection(section, caps.guards, at))
      .join(''),
    part('Not begun', [...skippedByCause(steps)].map(skippedItem), caps.skipped),
    part('Problems', problemItems(diagnostics, at), caps.problems),
    outputsPart(outcome),
    ...(outcome.exitCode === 3
      ? ['Something could not be compared: nothing was done about it, and nothing is claimed.\n\n']
      : []),
    ...(advice === undefined ? [] : [`${advice}\n\n`]),
  ];
  const used = parts.reduce((sum, text) => sum + text.length, 0);
  return [...parts, donePart(steps, commentLimit - used - 200), closing(outcome)].join('');
}

function subject({ project, stack, targets = {} }: ApplyOutcome): string {
  if (project === undefined || stack === undefined) return '';
  const servers = Object.entries(targets).slice(0, 8);
  const where = servers.map(([name, target]) => `${code(name, 60)} at ${code(target)}`).join(', ');
  return `Apply of ${code(project, 100)}, stack ${code(stack, 100)}${where === '' ? '' : `: ${where}`}\n\n`;
}

function part(title: string, items: readonly string[], room: number): string {
  if (items.length === 0) return '';
  return `### ${title}\n\n${fitted(items, room, more).text}\n`;
}

function failedItem(step: StepResult, { sources = {} }: ApplyOutcome, at: ReviewPlace): string {
  const place = filePlace(Object.hasOwn(sources, step.address) ? sources[step.address] : undefined);
  const where = place === undefined ? '' : ` in ${lineLink(place, at)}`;
  const problems = (step.diagnostics ?? []).map((found) => {
    const { address: _address, field, ...rest } = found;
    return `  - ${field === undefined ? '' : `${code(field)} `}${problemText(rest, at)}\n`;
  });
  return `- ${code(step.action)} ${code(step.address)}${where}\n${problems.slice(0, 10).join('')}`;
}

function stepItem({ action, address }: Pick<StepResult, 'address' | 'action'>): string {
  return `- ${code(action)} ${code(address)}\n`;
}

function mismatchItem(found: NonNullable<ApplyOutcome['mismatches']>[number]): string {
  const { what, reviewed, now, meaning } = found;
  return `- **${prose(what)}**\n  - reviewed: ${prose(reviewed)}\n  - now: ${prose(now)}\n  - ${prose(meaning)}\n`;
}

const shownSteps = 10;

function skippedItem([why, steps]: readonly [string, readonly StepResult[]]): string {
  const names = steps.slice(0, shownSteps).map((step) => `${code(step.action)} ${code(step.address)}`);
  const hidden = steps.length - names.length;
  return `- ${prose(why)}: ${names.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}\n`;
}

function outputsPart(outcome: ApplyOutcome): string {
  const items = outputsToShow(outcome).map(([name, value]) => `- ${code(name)} = ${code(inline(value))}\n`);
  return part('Outputs', items, caps.outputs);
}

function donePart(steps: readonly StepResult[], room: number): string {
  const done = steps.filter((step) => step.outcome === 'done');
  if (done.length === 0) return '';
  const items = done.map(stepItem);
  const open = `<details${done.length <= 20 ? ' open' : ''}><summary>${count(done.length, 'step')} done</summary>\n\n`;
  return `${open}${fitted(items, room - open.length, more).text}\n</details>\n\n`;
}

function closing({ planDigest, requests, status }: ApplyOutcome): string {
  // Nobody counted them to the end.
  const told = status === 'unknown' ? 'requests not known' : count(requests, 'request');
  const plan = planDigest === undefined ? '' : `Plan ${code(planDigest.slice(0, 12))}, `;
  return `<sub>${plan}${told}</sub>\n`;
}
