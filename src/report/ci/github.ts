import { isEmptyPlan, type Plan } from '@platform-sync/core/model/plan';
import { sha256 } from '@platform-sync/core/model/canonical';
import { dangersOf } from '../view/danger.js';
import { alikeGroups, alikeText } from '../words/alike.js';
import { visible } from '../words/escape.js';
import { isBlocked } from '../words/guards.js';
import { planMarkdown, type MarkdownOptions } from '../markdown/plan.js';
import { PlanViews } from '../view/plan-views.js';
import { findingLevels, findingRules, type FindingLevel } from '../view/finding-rules.js';
import { reviewFindings, type ReviewFinding } from '../view/review-finding.js';
import { inRepository, type ReviewPlace } from '../view/review-place.js';
import { summaryLine } from '../words/summary.js';
import { verdictOf, verdictText } from '../view/verdict.js';

const commands: Readonly<Record<FindingLevel, string>> = { error: 'error', warning: 'warning', note: 'notice' };
// More of one level are not shown by a workflow run.
const maxPerLevel = 10;
// 1 MiB of UTF-8, at three bytes a character, with room to spare.
export const summaryCharacters = 340_000;

/** Workflow commands that mark the lines of the catalogue, worst first; the last of a level counts those left out. */
export function githubAnnotations(plan: Plan, views: PlanViews = new PlanViews(), at: ReviewPlace = {}): string {
  return annotations(reviewFindings(plan, views), at);
}

/** Findings as workflow commands, ten of a level at most; many of a kind are one. */
export function annotations(findings: readonly ReviewFinding[], at: ReviewPlace = {}): string {
  return findingLevels.flatMap((level) => levelLines(level, findings, at)).join('');
}

function levelLines(level: FindingLevel, findings: readonly ReviewFinding[], at: ReviewPlace): readonly string[] {
  const ofLevel = findings.filter((finding) => finding.level === level);
  const found = alikeGroups(ofLevel, ({ kind }) => kind).map(({ lead, others }) =>
    others.length === 0 ? lead : { ...lead, message: `${lead.message}\n${alikeText(others.map(whereOf))}` },
  );
  const shown = found.length <= maxPerLevel ? found : found.slice(0, maxPerLevel - 1);
  const lines = shown.map((finding) => annotation(finding, at));
  const hidden = found.length - shown.length;
  if (hidden > 0) lines.push(`::${commands[level]} title=${property('Platform sync')}::and ${hidden} more\n`);
  return lines;
}

function annotation({ level, rule, message, place }: ReviewFinding, at: ReviewPlace): string {
  const where =
    place === undefined ? '' : `file=${property(inRepository(place.file, at))},line=${place.line},col=${place.column},`;
  return `::${commands[level]} ${where}title=${property(findingRules[rule].title)}::${data(message)}\n`;
}

function whereOf({ place, address, message }: ReviewFinding): string {
  return visible(place === undefined ? (address ?? message) : `${place.file}:${place.line}`);
}

/** The text of a workflow command: no line of it can end the command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** A property of a workflow command: nor can it end the property. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The job summary: the review comment with more room, below 1 MiB. */
export function jobSummary(plan: Plan, options: Omit<MarkdownOptions, 'maxCharacters'> = {}): string {
  return planMarkdown(plan, { ...options, maxCharacters: summaryCharacters });
}

/** Lines for `$GITHUB_OUTPUT`: the verdict and the counts, for later steps of a job. */
export function githubOutputs(plan: Plan, views: PlanViews = new PlanViews()): string {
  const dangers = dangersOf(plan, views);
  const { create, update, replace, delete: deletes, forget, adopt, move, unchanged } = plan.summary;
  const counts = { create, update, replace, delete: deletes, forget, adopt, move, unchanged };
  const values: Readonly<Record<string, string | number | boolean>> = {
    verdict: verdictOf(plan, dangers),
    'verdict-text': verdictText(plan, dangers),
    summary: summaryLine(plan),
    'has-changes': !isEmptyPlan(plan),
    blocked: isBlocked(plan.guards),
    dangers: dangers.length,
    'not-compared': plan.notCompared.length,
    ...counts,
    digest: plan.digest,
    ...(plan.effectDigest === undefined ? {} : { 'effect-digest': plan.effectDigest }),
    project: plan.project,
    stack: plan.stack,
  };
  return outputs(values);
}

/** Named values as lines for `$GITHUB_OUTPUT`. */
export function outputs(values: Readonly<Record<string, string | number | boolean>>): string {
  return Object.entries(values)
    .map(([name, value]) => outputLines(name, String(value)))
    .join('');
}

/** The value decides its delimiter: nobody can write a value that holds its own. */
function outputLines(name: string, value: string): string {
  const delimiter = `end_${sha256(`${name}\n${value}`).slice(0, 40)}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}
