import type { DriftResult, DriftStatus } from '../../engine/model/drift.js';
import { driftMarks, driftVerdict, shortTime } from '../words/drift.js';
import { driftNotComparedHtml, driftRestHtml, problemsHtml, resolvedHtml } from './drift-sections.js';
import { text } from './escape.js';
import { findingsHtml } from './findings.js';
import { pageHeading, pageHtml } from './page.js';
import type { Page } from './page.js';

const verdicts: Readonly<Record<DriftStatus, Page['verdict']>> = {
  clean: 'clean',
  drift: 'dangerous',
  incomplete: 'incomplete',
  failed: 'blocked',
};

/** A drift check as one page that needs nothing else: no network, no other file. Never cut. */
export function driftHtml(result: DriftResult): string {
  return pageHtml({
    title: `Drift of ${result.project}, stack ${result.stack}`,
    verdict: verdicts[result.status],
    skip: 'To the findings',
    header: header(result),
    main: [
      problemsHtml(result),
      findingsHtml(result),
      driftNotComparedHtml(result),
      resolvedHtml(result),
      driftRestHtml(result),
    ].join('\n'),
    footer: footer(result),
  });
}

function header(result: DriftResult): string {
  const targets = Object.entries(result.targets).map(([name, target]) => `${text(name)} at ${text(target)}`);
  const where = targets.length === 0 ? '' : `: ${targets.join(', ')}`;
  const success = result.lastSuccess === undefined ? 'never' : shortTime(result.lastSuccess);
  return [
    pageHeading(`${driftMarks[result.status]} ${driftVerdict(result)}`),
    `<p class="facts">Project <b>${text(result.project)}</b>, stack ${text(result.stack)}${where}</p>`,
    `<p class="facts">Checked ${text(shortTime(result.checkedAt))}; everything compared last: ${text(success)}</p>`,
  ].join('');
}

function footer(result: DriftResult): string {
  const keys =
    'Keys on a finding: arrows, Home and End move, Enter opens; Escape in the filters shows everything again.';
  return `<p>${keys}</p><p>Made by version ${text(result.engine)} with ${Number(result.requests)} requests. The same as data: drift.json.</p>`;
}
