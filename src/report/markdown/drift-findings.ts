import type { Finding } from '../../engine/model/drift.js';
import { findingView } from '../view/drift-view.js';
import type { FieldView } from '../view/field-view.js';
import { findingClause, findingCommands, findingName, severityCounts, shortTime } from '../words/drift.js';
import { count } from '../words/plural.js';
import { typeName } from '../words/type-name.js';
import { cellCode, code, fenced, htmlCode, prose } from './escape.js';
import { markdownFieldDetail, markdownFieldLine, type Depth } from './fields.js';

/** The findings as a table, as far as there is room. */
export function findingsTable(findings: readonly Finding[], room: number, lasting: boolean): string {
  if (findings.length === 0) return '';
  const columns = ['', 'what', 'where', 'since', 'finding'];
  const head = `### Findings\n\n${cells(columns)}${cells(columns.map(() => '---'))}`;
  const rows: string[] = [];
  let left = room - head.length - 200;
  for (const finding of findings) {
    const text = row(finding, lasting);
    if (text.length > left) break;
    left -= text.length;
    rows.push(text);
  }
  const hidden = findings.slice(rows.length);
  const rest =
    hidden.length === 0
      ? ''
      : `\n${count(hidden.length, 'more finding')} (${severityCounts(hidden)}): all are in drift.json.\n`;
  return `${head}${rows.join('')}${rest}`;
}

function row(finding: Finding, lasting: boolean): string {
  const { severity, trend, type, source } = finding;
  const ofType = type === '' ? '' : ` (${cellCode(typeName(type), 60)})`;
  return cells([
    `${severity}${lasting || trend === 'known' ? '' : ` **${trend}**`}`,
    `${cellCode(findingName(finding))}${ofType} ${findingClause(finding)}${finding.name === undefined ? '' : `: ${cellCode(finding.name, 120)}`}`,
    source === undefined ? '' : cellCode(source, 120),
    // The day: its hour stands in the finding's own part.
    shortTime(finding.firstSeen).split(' ')[0] ?? '',
    `\`${finding.id}\``,
  ]);
}

function cells(texts: readonly string[]): string {
  return `| ${texts.join(' | ')} |\n`;
}

/** A time in the platform's own words: shown as text unless it is one. */
function platformTime(text: string): string {
  const short = shortTime(text);
  return short === text ? code(text, 60) : short;
}

/** Each finding, as deep as there is room: values with their context, without it, or how much of each has changed. */
export function findingDetails(findings: readonly Finding[], room: number): string {
  if (findings.length === 0) return '';
  const heading = '### Each finding\n\n';
  const views = new Map<Finding, FieldView | undefined>();
  for (const depth of ['context', 'hunks', 'counts'] as const satisfies readonly Depth[]) {
    const { text, hidden } = blocksWithin(findings, depth, room - heading.length - 100, views);
    if (hidden === 0) return heading + text;
    if (depth === 'counts') return `${heading}${text}\n${count(hidden, 'more finding')} in full: see drift.json.\n`;
  }
  return '';
}

/** As many as fit; stops as soon as one does not. */
function blocksWithin(
  findings: readonly Finding[],
  depth: Depth,
  room: number,
  views: Map<Finding, FieldView | undefined>,
): { readonly text: string; readonly hidden: number } {
  let text = '';
  for (const [at, finding] of findings.entries()) {
    const next = block(finding, depth, views);
    if (text.length + next.length > room) return { text, hidden: findings.length - at };
    text += next;
  }
  return { text, hidden: 0 };
}

function block(finding: Finding, depth: Depth, views: Map<Finding, FieldView | undefined>): string {
  if (!views.has(finding)) views.set(finding, findingView(finding));
  const view = views.get(finding);
  const values =
    view === undefined ? '' : `${fenced([markdownFieldLine(view), ...markdownFieldDetail(view, depth)], 'diff')}\n`;
  const title = `${htmlCode(findingName(finding))} <code>${finding.id}</code>`;
  const commands = findingCommands(finding).map((command) => code(command, 300));
  const notes = [...storyOf(finding), prose(finding.todo), ...commands].join(' ');
  return `<details><summary>${title}</summary>\n\n${values}${notes}\n\n</details>\n`;
}

/** What the values do not tell. */
function storyOf({ with: parent, expired, updatedAt, firstSeen }: Finding): readonly string[] {
  return [
    `First seen ${shortTime(firstSeen)}.`,
    ...(updatedAt === undefined ? [] : [`Object last changed ${platformTime(updatedAt)}.`]),
    ...(parent === undefined ? [] : [`Went with ${code(parent)}.`]),
    ...(expired === undefined ? [] : [`Was ignored until ${code(expired.until, 20)} (${prose(expired.reason, 200)}).`]),
  ];
}
