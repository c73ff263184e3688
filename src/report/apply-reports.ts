import { applyMarkdown } from './markdown/apply.js';
import { applyState, applyTitle, type ApplyOutcome } from './view/apply-outcome.js';
import { diagnosticFindings } from './view/diagnostic-findings.js';
import { annotations, outputs } from './ci/github.js';
import { applyHtml } from './html/apply.js';
import { jsonText } from './words/json-text.js';
import { filePlace, type ReviewPlace } from './view/review-place.js';
import type { ReviewFinding } from './view/review-finding.js';

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
