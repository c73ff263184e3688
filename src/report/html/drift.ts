import type { DriftResult, DriftStatus } from '../../engine/model/drift.js';
import { driftMarks, driftVerdict, partialDriftLine, shortTime } from '../words/drift.js';
import { driftNotComparedHtml, driftRestHtml, problemsHtml, resolvedHtml } from './drift-sections.js';
import { joined, markup, type Html } from './html.js';
import { findingsHtml } from './findings.js';
import { pageHeading, pageHtml, type Page } from './page.js';

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
    main: joined(
      [
        problemsHtml(result),
        findingsHtml(result),
        driftNotComparedHtml(result),
        resolvedHtml(result),
        driftRestHtml(result),
      ],
      '\n',
    ),
    footer: footer(result),
  });
}

function header(result: DriftResult): Html {
  const targets = Object.entries(result.targets).map(([name, target]) => `${name} at ${target}`);
  const where = targets.length === 0 ? '' : `: ${targets.join(', ')}`;
  const success = result.lastSuccess === undefined ? 'never' : shortTime(result.lastSuccess);
  return joined([
    pageHeading(`${driftMarks[result.status]} ${driftVerdict(result)}`),
    markup`<p class="facts">Project <b>${result.project}</b>, stack ${result.stack}${where}</p>`,
    markup`<p class="facts">Checked ${shortTime(result.checkedAt)}; everything compared last: ${success}</p>`,
    result.partial === undefined ? '' : markup`<p class="facts">${partialDriftLine(result.partial)}</p>`,
  ]);
}

function footer(result: DriftResult): Html {
  const keys =
    result.findings.length === 0
      ? ''
      : markup`<p>Keys on a finding: arrows, Home and End move, Enter opens; Escape in the filters shows everything again.</p>`;
  return markup`${keys}<p>Made by version ${result.engine} with ${Number(result.requests)} requests. The same as data: drift.json.</p>`;
}
