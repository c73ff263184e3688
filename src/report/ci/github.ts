import { sha256 } from '@platform-sync/core/model/canonical';
import { documentFindings, type Finding } from '../document/findings.js';
import { findingLevels, findingRules, type FindingLevel } from '../document/rules.js';
import type { Document } from '../document/document.js';
import { inRepository, type ReviewPlace } from '../view/review-place.js';
import { alikeText } from '../words/alike.js';
import { visible } from '../words/escape.js';

const commands: Readonly<Record<FindingLevel, string>> = { error: 'error', warning: 'warning', note: 'notice' };
// More of one level are not shown by a workflow run.
const maxPerLevel = 10;
// 1 MiB of UTF-8, at three bytes a character, with room to spare.
export const summaryCharacters = 340_000;

/** Workflow commands that mark lines, worst first, ten of a level at most; the last of a level counts those left out. */
export function documentAnnotations(document: Document, at: ReviewPlace = {}): string {
  const findings = documentFindings(document);
  return findingLevels.flatMap((level) => levelLines(level, findings, at)).join('');
}

function levelLines(level: FindingLevel, findings: readonly Finding[], at: ReviewPlace): readonly string[] {
  const found = findings.filter((finding) => finding.level === level);
  const shown = found.length <= maxPerLevel ? found : found.slice(0, maxPerLevel - 1);
  const lines = shown.map((finding) => annotation(finding, at));
  const hidden = found.length - shown.length;
  if (hidden > 0)
    lines.push(`::${commands[level]} title=${property('Platform sync')}::and ${hidden} more, in the HTML report\n`);
  return lines;
}

function annotation({ level, rule, message, place, others }: Finding, at: ReviewPlace): string {
  const where =
    place === undefined
      ? ''
      : `file=${property(visible(inRepository(place.file, at)))},line=${place.line},col=${place.column},`;
  const text = others.length === 0 ? message : `${message}\n${alikeText(others.map(whereOf))}`;
  return `::${commands[level]} ${where}title=${property(findingRules[rule].title)}::${data(text)}\n`;
}

function whereOf({ place, address, message }: Finding): string {
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

/** Lines for `$GITHUB_OUTPUT`: the verdict and the counts, for later steps of a job. */
export function documentOutputs({ values }: Document): string {
  return Object.entries(values)
    .map(([name, value]) => outputLines(name, String(value)))
    .join('');
}

/** The value decides its delimiter: nobody can write a value that holds its own. */
function outputLines(name: string, value: string): string {
  const delimiter = `end_${sha256(`${name}\n${value}`).slice(0, 40)}`;
  return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
}
