import type { StepResult } from '../../engine/api.js';
import { applyState, applyStates, applyTitle, skippedByCause } from '../view/apply-outcome.js';
import type { ApplyOutcome } from '../view/apply-outcome.js';
import { visible } from '../words/escape.js';
import type { ReviewPlace } from '../view/review-place.js';
import { text } from './escape.js';
import { pageHeading, pageHtml } from './page.js';
import { placeHtml } from './place.js';
import { problemsHtml } from './problems.js';
import { section } from './sections.js';

/** What an apply came to, as a page. */
export function applyHtml(outcome: ApplyOutcome, at: ReviewPlace): string {
  const { project, stack, engine, steps, diagnostics, mismatches = [] } = outcome;
  const { mark, tone, advice } = applyStates[applyState(outcome)];
  const where =
    project === undefined || stack === undefined
      ? ''
      : `<p class="facts">Project <b>${text(project)}</b>, stack ${text(stack)}</p>`;
  const failed = steps.filter((step) => step.outcome === 'failed').map((step) => failedHtml(step, outcome));
  const skipped = [...skippedByCause(steps)].map(
    ([why, group]) => `<li>${text(why)}: ${group.map((step) => stepHtml(step)).join(', ')}</li>`,
  );
  const done = steps.filter((step) => step.outcome === 'done').map((step) => `<li>${stepHtml(step)}</li>`);
  const stale = mismatches.map(
    ({ what, reviewed, now, meaning }) =>
      `<li><b>${text(what)}</b><br>reviewed: ${text(reviewed)}<br>now: ${text(now)}<br>${text(meaning)}</li>`,
  );
  return pageHtml({
    title: project === undefined ? applyTitle(outcome) : `${applyTitle(outcome)}: ${project}, stack ${stack ?? ''}`,
    verdict: tone,
    skip: 'To the steps',
    header: `${pageHeading(`${mark} ${applyTitle(outcome)}`)}${where}${placeHtml(at)}${advice === undefined ? '' : `<p>${text(advice)}</p>`}`,
    main: [
      section('failed', 'Failed', list(failed)),
      section('superseded', 'What is different now', list(stale)),
      section('skipped', 'Not begun', list(skipped)),
      section('problems', 'Problems', problemsHtml(diagnostics)),
      section('done', 'Done', list(done)),
    ].join(''),
    footer: engine === undefined ? '' : `<p>Made by version ${text(engine)}.</p>`,
  });
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

function stepHtml({ action, address }: StepResult): string {
  return `${text(action)} <code>${text(address)}</code>`;
}

function failedHtml(step: StepResult, { sources = {} }: ApplyOutcome): string {
  const source = Object.hasOwn(sources, step.address) ? sources[step.address] : undefined;
  const place = source === undefined ? '' : ` <span class="place">${text(visible(source))}</span>`;
  return `<li>${stepHtml(step)}${place}${problemsHtml(step.diagnostics ?? [])}</li>`;
}
