import { canonicalJson, sha256 } from '../engine/model/canonical.js';
import type { Diagnostic } from '../engine/model/diagnostic.js';
import { diagnosticCount, diagnosticsText, placeText, sortDiagnostics } from './diagnostics.js';
import { visible } from './escape.js';
import { annotations } from './github.js';
import { codeQuality } from './gitlab.js';
import { pageHeading, pageHtml } from './html/page.js';
import { text } from './html/escape.js';
import { section } from './html/sections.js';
import { fitted } from './markdown-budget.js';
import { code, prose } from './markdown-escape.js';
import type { ReviewFinding } from './review-finding.js';
import { sarifLog } from './sarif.js';
import { plainStyle } from './style.js';

/** A plan that errors kept from being made: what a reviewer is told in its stead. */
export interface NoPlan {
  /** At least one error. */
  readonly diagnostics: readonly Diagnostic[];
  /** Version of this program, where it is known. */
  readonly engine?: string;
  /** Absent where the project could not even be opened. */
  readonly project?: string;
  readonly stack?: string;
}

const verdict = 'No plan';

/** The reports of a plan that could not be made, under the names that `planReports` uses; none that counts changes. */
export function noPlanReports(found: NoPlan): ReadonlyMap<string, string> {
  const sorted = { ...found, diagnostics: sortDiagnostics(found.diagnostics) };
  const findings = findingsOf(sorted.diagnostics);
  const markdown = noPlanMarkdown(sorted);
  return new Map([
    ['plan.txt', diagnosticsText(sorted.diagnostics, plainStyle)],
    ['plan.md', markdown],
    ['plan.html', noPlanHtml(sorted)],
    ['plan.sarif', noPlanSarif(sorted, findings)],
    ['gitlab-code-quality.json', codeQuality(findings)],
    ['github-annotations.txt', annotations(findings)],
    ['github-summary.md', markdown],
  ]);
}

function noPlanSarif(found: NoPlan, findings: readonly ReviewFinding[]): string {
  const summary = `${verdict}: ${diagnosticCount(found.diagnostics)}.`;
  return sarifLog(findings, { ...found, isPlanned: false, properties: { verdict: 'failed', summary } });
}

/** Errors stand where they are in the catalogue, as changes do. */
function findingsOf(diagnostics: readonly Diagnostic[]): readonly ReviewFinding[] {
  const seen = new Map<string, number>();
  const findings = diagnostics.map((found): ReviewFinding => {
    const { severity, address, field, place } = found;
    const hint = found.hint === undefined ? '' : ` ${visible(found.hint)}`;
    const key = canonicalJson([found.code, found.summary, place?.file ?? '', address ?? '', field ?? '']);
    // The same mistake twice in a file: told apart without lines, which move.
    const repeat = seen.get(key) ?? 0;
    seen.set(key, repeat + 1);
    return {
      rule: severity === 'error' ? 'error' : 'warning',
      level: severity === 'info' ? 'note' : severity,
      message: `${visible(found.code)}: ${visible(found.summary)}${hint}`,
      ...(address === undefined ? {} : { address }),
      ...(place === undefined ? {} : { place: { file: place.file, line: place.line, column: place.column } }),
      fingerprint: sha256(`${key} ${repeat}`),
    };
  });
  const order = ['error', 'warning', 'note'];
  return findings.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

const maxCharacters = 60_000;

function noPlanMarkdown({ diagnostics, project, stack }: NoPlan): string {
  const where =
    project === undefined || stack === undefined ? '' : `Project ${code(project)}, stack ${code(stack)}.\n\n`;
  const head = `## ⛔ ${verdict}: ${diagnosticCount(diagnostics)}\n\n${where}`;
  const items = diagnostics.map((found) => {
    const place = found.place === undefined ? '' : `${code(placeText(found.place))} `;
    const hint = found.hint === undefined ? '' : ` (${prose(found.hint, 200)})`;
    return `- ${place}${code(found.code)} ${prose(found.summary, 400)}${hint}\n`;
  });
  return head + fitted(items, maxCharacters - head.length, (hidden) => `- … and ${hidden} more\n`).text;
}

function noPlanHtml({ diagnostics, engine, project, stack }: NoPlan): string {
  const where =
    project === undefined || stack === undefined
      ? ''
      : `<p class="facts">Project <b>${text(project)}</b>, stack ${text(stack)}</p>`;
  const items = diagnostics.map((found) => {
    const place = found.place === undefined ? '' : `<span class="place">${text(placeText(found.place))}</span> `;
    const more = [found.detail, found.hint].filter((part) => part !== undefined).map((part) => `<br>${text(part)}`);
    return `<li>${place}<code>${text(found.code)}</code> ${text(found.summary)}${more.join('')}</li>`;
  });
  return pageHtml({
    title: project === undefined ? verdict : `${verdict} for ${project}, stack ${stack ?? ''}`,
    verdict: 'blocked',
    skip: 'To the errors',
    header: `${pageHeading(`⛔ ${verdict}: ${diagnosticCount(diagnostics)}`)}${where}`,
    main: section('problems', 'Problems', `<ul>${items.join('')}</ul>`),
    footer: engine === undefined ? '' : `<p>Made by version ${text(engine)}.</p>`,
  });
}
