import { canonicalJson, sha256 } from '../engine/model/canonical.js';
import type { Diagnostic } from '../engine/model/diagnostic.js';
import { diagnosticCount, diagnosticsText, placeText, sortDiagnostics } from './diagnostics.js';
import { visible } from './escape.js';
import { annotations, outputs } from './github.js';
import { codeQuality } from './gitlab.js';
import { pageHeading, pageHtml } from './html/page.js';
import { text } from './html/escape.js';
import { section } from './html/sections.js';
import { jsonText } from './json-text.js';
import { problemItems } from './markdown-problems.js';
import { fitted } from './markdown-budget.js';
import { code } from './markdown-escape.js';
import type { ReviewFinding } from './review-finding.js';
import { placeHtml, placeLine } from './review-place.js';
import type { ReviewPlace } from './review-place.js';
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
  /** When it became certain that there is none, ISO 8601 UTC. */
  readonly endedAt?: string;
}

const verdict = 'No plan';

/** The reports of a plan that could not be made, under the names that `planReports` uses; none that counts changes. */
export function noPlanReports(found: NoPlan, at: ReviewPlace = {}): ReadonlyMap<string, string> {
  const sorted = { ...found, diagnostics: sortDiagnostics(found.diagnostics) };
  const findings = diagnosticFindings(sorted.diagnostics);
  const markdown = noPlanMarkdown(sorted, at);
  return new Map([
    ['no-plan.json', noPlanDocument(sorted)],
    ['plan.txt', diagnosticsText(sorted.diagnostics, plainStyle)],
    ['plan.md', markdown],
    ['plan.html', noPlanHtml(sorted, at)],
    ['plan.sarif', noPlanSarif(sorted, findings, at)],
    ['gitlab-code-quality.json', codeQuality(findings, at)],
    ['github-annotations.txt', annotations(findings, at)],
    ['github-summary.md', markdown],
    ['github-output.txt', outputs({ verdict: 'failed', 'verdict-text': verdict, summary: summaryOf(sorted) })],
  ]);
}

/** The document of a plan that could not be made, for `sync comment` and for programs. */
function noPlanDocument({ diagnostics, engine, project, stack, endedAt }: NoPlan): string {
  const facts = { ...(engine === undefined ? {} : { engine }), ...(project === undefined ? {} : { project }) };
  const more = { ...(stack === undefined ? {} : { stack }), ...(endedAt === undefined ? {} : { endedAt }) };
  return jsonText({ formatVersion: 1, kind: 'no-plan', ...facts, ...more, diagnostics });
}

function summaryOf({ diagnostics }: NoPlan): string {
  return `${verdict}: ${diagnosticCount(diagnostics)}.`;
}

function noPlanSarif(found: NoPlan, findings: readonly ReviewFinding[], at: ReviewPlace): string {
  const properties = { verdict: 'failed', summary: summaryOf(found) };
  return sarifLog(findings, { ...found, isPlanned: false, at, properties });
}

/** Errors stand where they are in the catalogue, as changes do. */
export function diagnosticFindings(diagnostics: readonly Diagnostic[]): readonly ReviewFinding[] {
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

/** The review comment of a plan that could not be made. */
export function noPlanMarkdown({ diagnostics, project, stack }: NoPlan, at: ReviewPlace = {}): string {
  const where =
    project === undefined || stack === undefined ? '' : `Project ${code(project)}, stack ${code(stack)}.\n\n`;
  const head = `## ⛔ ${verdict}: ${diagnosticCount(diagnostics)}\n\n${where}${placeLine(at)}`;
  const items = problemItems(diagnostics, at);
  return head + fitted(items, maxCharacters - head.length, (hidden) => `- … and ${hidden} more\n`).text;
}

function noPlanHtml({ diagnostics, engine, project, stack }: NoPlan, at: ReviewPlace): string {
  const where =
    project === undefined || stack === undefined
      ? ''
      : `<p class="facts">Project <b>${text(project)}</b>, stack ${text(stack)}</p>`;
  return pageHtml({
    title: project === undefined ? verdict : `${verdict} for ${project}, stack ${stack ?? ''}`,
    verdict: 'blocked',
    skip: 'To the errors',
    header: `${pageHeading(`⛔ ${verdict}: ${diagnosticCount(diagnostics)}`)}${where}${placeHtml(at)}`,
    main: section('problems', 'Problems', problemsHtml(diagnostics)),
    footer: engine === undefined ? '' : `<p>Made by version ${text(engine)}.</p>`,
  });
}

/** A list of problems with place, code, sentence, and what helps; empty when there are none. */
export function problemsHtml(diagnostics: readonly Diagnostic[]): string {
  const items = diagnostics.map((found) => {
    const place = found.place === undefined ? '' : `<span class="place">${text(placeText(found.place))}</span> `;
    const more = [found.detail, found.hint].filter((part) => part !== undefined).map((part) => `<br>${text(part)}`);
    return `<li>${place}<code>${text(found.code)}</code> ${text(found.summary)}${more.join('')}</li>`;
  });
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}
