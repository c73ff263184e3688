import type { StepResult } from '../../engine/api.js';
import {
  applyState,
  applyStates,
  applyTitle,
  outputsToShow,
  skippedByCause,
  type ApplyOutcome,
} from '../view/apply-outcome.js';
import type { ReviewPlace } from '../view/review-place.js';
import { joined, markup, type Html, type Part } from './html.js';
import { pageHeading, pageHtml } from './page.js';
import { placeHtml, sourceHtml } from './place.js';
import { problemsHtml } from './problems.js';
import { guardsHtml, section } from './sections.js';
import { inline } from '../words/value.js';

/** What an apply came to, as a page. */
export function applyHtml(outcome: ApplyOutcome, at: ReviewPlace): string {
  const { project, stack, engine, steps, diagnostics, mismatches = [], guards = [], open = [] } = outcome;
  const { mark, tone, advice } = applyStates[applyState(outcome)];
  const where =
    project === undefined || stack === undefined
      ? ''
      : markup`<p class="facts">Project <b>${project}</b>, stack ${stack}</p>`;
  const failed = steps.filter((step) => step.outcome === 'failed').map((step) => failedHtml(step, outcome, at));
  const skipped = [...skippedByCause(steps)].map(
    ([why, group]) =>
      markup`<li>${why}: ${joined(
        group.map((step) => stepHtml(step)),
        ', ',
      )}</li>`,
  );
  const done = steps.filter((step) => step.outcome === 'done').map(stepItem);
  const stale = mismatches.map(
    ({ what, reviewed, now, meaning }) =>
      markup`<li><b>${what}</b><br>reviewed: ${reviewed}<br>now: ${now}<br>${meaning}</li>`,
  );
  return pageHtml({
    title: project === undefined ? applyTitle(outcome) : `${applyTitle(outcome)}: ${project}, stack ${stack ?? ''}`,
    verdict: tone,
    skip: 'To the steps',
    header: markup`${pageHeading(`${mark} ${applyTitle(outcome)}`)}${where}${placeHtml(at)}${advice === undefined ? '' : markup`<p>${advice}</p>`}`,
    main: joined([
      section('failed', 'Failed', list(failed)),
      section('open', 'May have been done', list(open.map(stepItem))),
      section('superseded', 'What is different now', list(stale)),
      guardsHtml({ guards }, new Map()),
      section('skipped', 'Not begun', list(skipped)),
      section('problems', 'Problems', problemsHtml(diagnostics, at)),
      section('outputs', 'Outputs', list(shownOutputs(outcome))),
      section('done', 'Done', list(done)),
    ]),
    footer: engine === undefined ? '' : markup`<p>Made by version ${engine}.</p>`,
  });
}

function shownOutputs(outcome: ApplyOutcome): readonly Html[] {
  return outputsToShow(outcome).map(([name, value]) => markup`<li><code>${name}</code> = ${inline(value)}</li>`);
}

function list(items: readonly Html[]): Part {
  return items.length === 0 ? '' : markup`<ul>${items}</ul>`;
}

function stepItem(step: Pick<StepResult, 'address' | 'action'>): Html {
  return markup`<li>${stepHtml(step)}</li>`;
}

function stepHtml({ action, address }: Pick<StepResult, 'address' | 'action'>): Html {
  return markup`${action} <code>${address}</code>`;
}

function failedHtml(step: StepResult, { sources = {} }: ApplyOutcome, at: ReviewPlace): Html {
  const source = Object.hasOwn(sources, step.address) ? sources[step.address] : undefined;
  const place = source === undefined ? '' : markup` <span class="place">${sourceHtml(source, at)}</span>`;
  return markup`<li>${stepHtml(step)}${place}${problemsHtml(step.diagnostics ?? [], at)}</li>`;
}
