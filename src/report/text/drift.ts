import { defined } from '../../engine/model/defined.js';
import type { DriftResult, Finding, Unapplied, UncheckedFinding } from '../../engine/model/drift.js';
import { diagnosticLines, diagnosticsText, noRecordLines } from './diagnostics.js';
import {
  driftVerdict,
  endWords,
  findingClause,
  findingCommands,
  findingName,
  shortTime,
  trendWords,
  partialDriftLine,
} from '../words/drift.js';
import { adoptCommand, besidesNoRecord } from '../words/no-record.js';
import { visible } from '../words/escape.js';
import { fieldLines } from './field.js';
import { count } from '../words/plural.js';
import { findingView } from '../view/drift-view.js';
import type { Style } from './style.js';
import { typeName } from '../words/type-name.js';

/** A drift check for people at a terminal: each finding with its values, then what is no drift, then the verdict. */
export function driftText(result: DriftResult, style: Style): string {
  const sections: (readonly string[])[] = [
    heading(result, style),
    noRecordLines(result.diagnostics, style),
    ...result.findings.map((finding) => findingLines(finding, style)),
    notComparedLines(result.notCompared, style),
    resolvedLines(result, style),
    restLines(result, style),
    [diagnosticsText(besidesNoRecord(result.diagnostics), style).trimEnd()].filter((text) => text !== ''),
    [style.bold(paintFor(result, style)(driftVerdict(result))), ...nextSteps(result).map(style.typed)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading(result: DriftResult, style: Style): readonly string[] {
  const targets = Object.entries(result.targets).map(([name, target]) => `${visible(name)} ${visible(target)}`);
  const where = targets.length === 0 ? '' : `: ${targets.join(', ')}`;
  const head = style.bold(`Drift of ${visible(result.project)}, stack ${visible(result.stack)}${where}`);
  return result.partial === undefined ? [head] : [head, style.yellow(partialDriftLine(result.partial))];
}

function findingLines(finding: Finding, style: Style): readonly string[] {
  const paint = { high: style.red, medium: style.yellow, low: style.cyan }[finding.severity];
  const place = finding.source === undefined ? '' : `  ${style.dim(visible(finding.source))}`;
  const type = finding.type === '' ? '' : ` (${typeName(finding.type)})`;
  return [
    `${paint(finding.severity.padEnd(6))} ${style.bold(visible(findingName(finding)))}${type}: ${findingClause(finding)}${place}`,
    ...(finding.name === undefined ? [] : [`       ${style.bold(visible(finding.name))}`]),
    ...valueLines(finding, style),
    ...notes(finding).map((note) => `       ${style.dim(note)}`),
    `       ${finding.todo.split('\n').map(visible).join(' ')}`,
    ...findingCommands(finding).map((command) => `       ${style.cyan(style.typed(visible(command)))}`),
  ];
}

function valueLines(finding: Finding, style: Style): readonly string[] {
  const view = findingView(finding);
  return view === undefined ? [] : fieldLines(view, view.name.length, style).map((line) => `       ${line}`);
}

function notes(finding: Finding): readonly string[] {
  const seen = `finding ${finding.id}, ${trendWords[finding.trend]}, first seen ${shortTime(finding.firstSeen)}`;
  const moved = finding.updatedAt === undefined ? '' : `; object last changed ${visible(shortTime(finding.updatedAt))}`;
  return [
    `${seen}${moved}`,
    ...(finding.with === undefined ? [] : [`went with ${visible(finding.with)}`]),
    ...(finding.expired === undefined
      ? []
      : [`was ignored until ${visible(finding.expired.until)}: ${visible(finding.expired.reason)}`]),
  ];
}

function notComparedLines(found: readonly UncheckedFinding[], style: Style): readonly string[] {
  if (found.length === 0) return [];
  const title = `Not compared: ${count(found.length, 'read')} failed, so nothing is claimed about these.`;
  return [
    style.bold(style.yellow(title)),
    ...found.flatMap(({ address, diagnostic, firstSeen }) => [
      ...diagnosticLines({ ...diagnostic, ...defined({ address }) }, style),
      `  ${style.dim(`since ${shortTime(firstSeen)}`)}`,
    ]),
  ];
}

function resolvedLines({ resolved }: DriftResult, style: Style): readonly string[] {
  if (resolved.length === 0) return [];
  return [
    style.bold('Resolved since the last check:'),
    ...resolved.map(
      (finding) =>
        `  ${visible(findingName(finding))}: ${endWords[finding.by]} (first seen ${shortTime(finding.firstSeen)})`,
    ),
  ];
}

/** What is no drift, in few words. */
function restLines(result: DriftResult, style: Style): readonly string[] {
  const { ignored, unapplied, converged, unmanaged } = result;
  const lines = [
    ...ignored.map((found) => {
      const until = found.until === undefined ? '' : ` until ${found.until}`;
      return `Ignored${until}: ${visible(findingName(found))} (${visible(found.reason)})`;
    }),
    ...unapplied.map(unappliedLine),
    ...(converged.length === 0
      ? []
      : [
          `${count(converged.length, 'change')} outside ended where the catalogue wants it; the next apply records that.`,
        ]),
    ...unmanaged.map(({ type, under, count: number }) => {
      const where = under === undefined ? '' : ` under ${visible(under)}`;
      return `${number} ${typeName(type).replace(/^.*:/, '')} not managed${where}.`;
    }),
  ];
  return lines.map((line) => style.dim(line));
}

function unappliedLine({ address, action, fields, source }: Unapplied): string {
  const what = fields.length === 0 ? '' : ` of ${fields.map(visible).join(', ')}`;
  const where = source === undefined ? '' : `  ${visible(source)}`;
  return `Not applied yet: ${action} ${visible(address)}${what}${where}`;
}

function paintFor({ status }: DriftResult, style: Style): (text: string) => string {
  if (status === 'clean') return style.green;
  return status === 'failed' ? style.red : style.yellow;
}

function nextSteps({ unapplied, status, unrecorded }: DriftResult): readonly string[] {
  if (unrecorded !== undefined) return [`To record what exists, type: ${adoptCommand}`];
  if (status === 'failed' || unapplied.length === 0) return [];
  return [`${count(unapplied.length, 'change')} of the catalogue still to apply: sync plan`];
}
