import type { DriftResult, DriftStatus, Finding } from '../engine/model/drift.js';
import { driftVerdict, endWords, findingClause, findingName, severityCounts, shortTime } from './drift-words.js';
import { fieldView } from './field-view.js';
import type { FieldView } from './field-view.js';
import { fitted } from './markdown-budget.js';
import { cellCode, code, fenced, htmlCode, prose } from './markdown-escape.js';
import { markdownFieldDetail, markdownFieldLine } from './markdown-fields.js';
import type { Depth } from './markdown-fields.js';
import { count } from './plural.js';
import { readJsonText } from './structured-text.js';
import { typeName } from './type-name.js';

export interface DriftMarkdownOptions {
  /** Default 60,000: the body of an issue may have 65,536. Not below 30,000. */
  readonly maxCharacters?: number;
}

const marks: Readonly<Record<DriftStatus, string>> = { clean: '✅', drift: '⚠️', incomplete: '❓', failed: '⛔' };
const caps = { notCompared: 6000, diagnostics: 4000, resolved: 3000, rest: 4000, closing: 1200 } as const;
const more = (hidden: number): string => `- … and ${hidden} more\n`;

/**
 * A drift check as the body of an issue: verdict, findings, values, what was not compared, what is resolved, what to
 * do. Never longer than `maxCharacters`, and says what it left out. Times come last: the rest is the same until
 * something changes.
 */
export function driftMarkdown(result: DriftResult, options: DriftMarkdownOptions = {}): string {
  const max = options.maxCharacters ?? 60_000;
  const head = header(result);
  const failed = list('### Problems', problems(result), caps.diagnostics);
  const notCompared = list('### Not compared', uncheckedItems(result), caps.notCompared);
  const resolved = list('### Resolved since the last check', resolvedItems(result), caps.resolved);
  const rest = list('### No drift', restItems(result), caps.rest);
  const end = closing(result);
  const others = [head, failed, notCompared, resolved, rest, end].reduce((sum, part) => sum + part.length, 0);
  let room = max - others - 200;
  const table = findingsTable(result.findings, Math.floor(room * 0.6));
  room -= table.length;
  const details = findingDetails(result.findings, room);
  return [head, failed, table, details, notCompared, resolved, rest, end].filter((part) => part !== '').join('\n');
}

function header(result: DriftResult): string {
  const targets = Object.values(result.targets).map((target) => code(target));
  const where = targets.length === 0 ? '' : ` at ${targets.join(', ')}`;
  return `## ${marks[result.status]} ${driftVerdict(result)}\n\nProject ${code(result.project)}, stack ${code(result.stack)}${where}.\n`;
}

function findingsTable(findings: readonly Finding[], room: number): string {
  if (findings.length === 0) return '';
  const head = '### Findings\n\n| | what | type | where | since | finding |\n|---|---|---|---|---|---|\n';
  const rows: string[] = [];
  let left = room - head.length - 200;
  for (const finding of findings) {
    const text = row(finding);
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

function row(finding: Finding): string {
  const type = finding.type === '' ? '' : cellCode(typeName(finding.type), 60);
  const where = finding.source === undefined ? '' : cellCode(finding.source, 120);
  const trend = finding.trend === 'known' ? '' : ` **${finding.trend}**`;
  return `| ${finding.severity}${trend} | ${cellCode(findingName(finding))} ${findingClause(finding)} | ${type} | ${where} | ${shortTime(finding.firstSeen)} | \`${finding.id}\` |\n`;
}

/** Values, as deep as there is room: with their context, without it, or how much of each has changed. */
function findingDetails(findings: readonly Finding[], room: number): string {
  const shown = findings.filter(
    ({ field, old, new: now }) => field !== undefined && (old !== undefined || now !== undefined),
  );
  if (shown.length === 0) return '';
  const heading = '### Values\n\n';
  const views = new Map<Finding, FieldView>();
  for (const depth of ['context', 'hunks', 'counts'] as const satisfies readonly Depth[]) {
    const { text, hidden } = blocksWithin(shown, depth, room - heading.length - 100, views);
    if (hidden === 0) return heading + text;
    if (depth === 'counts') return `${heading}${text}\nValues of ${count(hidden, 'more finding')} are in drift.json.\n`;
  }
  return '';
}

/** As many as fit; stops as soon as one does not. */
function blocksWithin(
  findings: readonly Finding[],
  depth: Depth,
  room: number,
  views: Map<Finding, FieldView>,
): { readonly text: string; readonly hidden: number } {
  let text = '';
  for (const [at, finding] of findings.entries()) {
    const next = block(finding, depth, views);
    if (text.length + next.length > room) return { text, hidden: findings.length - at };
    text += next;
  }
  return { text, hidden: 0 };
}

function block(finding: Finding, depth: Depth, views: Map<Finding, FieldView>): string {
  const view = views.get(finding) ?? viewOf(finding);
  views.set(finding, view);
  const lines = [markdownFieldLine(view), ...markdownFieldDetail(view, depth)];
  const title = `${htmlCode(findingName(finding))} <code>${finding.id}</code>`;
  return `<details><summary>${title}</summary>\n\n${fenced(lines, 'diff')}\n${prose(finding.todo)}\n\n</details>\n`;
}

function viewOf({ field = '', old, new: now }: Finding): FieldView {
  const sides = { ...(old === undefined ? {} : { old }), ...(now === undefined ? {} : { new: now }) };
  // As a deletion, so that nothing is said about what an update would do.
  return fieldView({ field, rule: 'update', cause: 'config', ...sides }, 'delete', readJsonText);
}

function problems({ diagnostics }: DriftResult): readonly string[] {
  return diagnostics.map((found) => {
    const hint = found.hint === undefined ? '' : ` (${prose(found.hint, 200)})`;
    return `- ${code(found.code)} ${prose(found.summary, 300)}${hint}\n`;
  });
}

function uncheckedItems({ notCompared }: DriftResult): readonly string[] {
  return notCompared.map(({ address, type, diagnostic, firstSeen }) => {
    const name = address === undefined ? code(typeName(type)) : code(address);
    return `- ${name} since ${shortTime(firstSeen)}: ${prose(diagnostic.summary, 300)}\n`;
  });
}

function resolvedItems({ resolved }: DriftResult): readonly string[] {
  return resolved.map((finding) => `- ${code(findingName(finding))}: ${endWords[finding.by]}\n`);
}

function restItems(result: DriftResult): readonly string[] {
  const { ignored, unapplied, converged, unmanaged } = result;
  return [
    ...ignored.map((found) => {
      const until = found.until === undefined ? '' : ` until ${found.until}`;
      return `- ignored${until}: ${code(findingName(found))} (${prose(found.reason, 200)})\n`;
    }),
    ...unapplied.map(({ address, action, fields }) => {
      const what =
        fields.length === 0
          ? ''
          : ` of ${fields
              .slice(0, 6)
              .map((field) => code(field, 60))
              .join(', ')}`;
      return `- not applied yet: ${action} ${code(address)}${what}\n`;
    }),
    ...(converged.length === 0
      ? []
      : [`- ${count(converged.length, 'change')} outside ended where the catalogue wants it\n`]),
    ...unmanaged.map(({ type, under, count: number }) => {
      const where = under === undefined ? '' : ` under ${code(under)}`;
      return `- ${number} ${code(typeName(type), 60)} not managed${where}\n`;
    }),
  ];
}

function list(title: string, items: readonly string[], room: number): string {
  if (items.length === 0) return '';
  const heading = `${title}: ${items.length}\n\n`;
  return heading + fitted(items, room - heading.length, more).text;
}

function closing(result: DriftResult): string {
  const example = result.findings.find(({ verbs }) => verbs.length > 0);
  const verbs =
    example === undefined
      ? ''
      : `### What to do\n\n\`\`\`sh\nsync drift revert ${example.id}   # put the platform back, through a plan\nsync drift accept ${example.id}   # write the value into the catalogue\nsync drift record ${example.id}   # fine for now: told again when it moves\nsync drift ignore ${example.id} --reason "why" --until ${nextYear(result.checkedAt)}\n\`\`\`\n\n`;
  const oldest = result.findings.map(({ firstSeen }) => firstSeen).sort()[0];
  const since = oldest === undefined ? '' : ` Oldest finding: ${shortTime(oldest)}.`;
  const success = result.lastSuccess === undefined ? 'never' : shortTime(result.lastSuccess);
  return `${verbs}Checked ${shortTime(result.checkedAt)}; everything compared last: ${success}.${since}\n`;
}

function nextYear(at: string): string {
  return `${Number(at.slice(0, 4)) + 1}-01-31`;
}
