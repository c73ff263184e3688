import type { StepResult } from '../engine/api.js';
import { applyMarkdown } from './apply-markdown.js';
import { applyState, applyStates, applyTitle, skippedByCause } from './apply-outcome.js';
import type { ApplyOutcome } from './apply-outcome.js';
import { visible } from './escape.js';
import { annotations, outputs } from './github.js';
import { text } from './html/escape.js';
import { pageHeading, pageHtml } from './html/page.js';
import { section } from './html/sections.js';
import { jsonText } from './json-text.js';
import { diagnosticFindings, problemsHtml } from './no-plan.js';
import { filePlace, placeHtml } from './review-place.js';
import type { ReviewPlace } from './review-place.js';
import type { ReviewFinding } from './review-finding.js';

/** Every report of an apply by the name of its file. None has the name of a plan's: both may lie in one folder. */
export function applyReports(outcome: ApplyOutcome, at: ReviewPlace = {}): ReadonlyMap<string, string> {
  const values = {
    verdict: applyState(outcome),
    'verdict-text': applyTitle(outcome),
    summary: `${applyTitle(outcome)}.`,
  };
  return new Map([
    ['result.json', jsonText(outcome)],
    ['result.md', applyMarkdown(outcome, at)],
    ['result.html', applyHtml(outcome, at)],
    ['result-annotations.txt', annotations(applyFindings(outcome), at)],
    ['result-output.txt', outputs(values)],
  ]);
}

/** What kept steps from being done, at their lines; then what concerns the whole run. */
function applyFindings({ steps, sources = {}, diagnostics }: ApplyOutcome): readonly ReviewFinding[] {
  const own = steps
    .filter(({ outcome }) => outcome === 'failed')
    .flatMap(({ address, diagnostics: found = [] }) => {
      const place = filePlace(Object.hasOwn(sources, address) ? sources[address] : undefined);
      return found.map((one) => ({
        ...one,
        address,
        ...(place === undefined || one.place !== undefined ? {} : { place }),
      }));
    });
  return diagnosticFindings([...own, ...diagnostics]);
}

function applyHtml(outcome: ApplyOutcome, at: ReviewPlace): string {
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
