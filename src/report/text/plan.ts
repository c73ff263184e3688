import { defined } from '../../engine/model/defined.js';
import {
  type OutputChange,
  type Plan,
  type Step,
  type UndeclaredChange,
  type Unmanaged,
} from '../../engine/model/plan.js';
import { diagnosticLines, noRecordLines } from './diagnostics.js';
import { folded, someOf } from '../words/alike.js';
import { visible } from '../words/escape.js';
import { guardLines } from './guards.js';
import { besidesNoRecord } from '../words/no-record.js';
import { guardsShown } from '../view/guards-shown.js';
import { nextSteps, type NextStepsContext } from '../words/next-steps.js';
import { failedReads } from '../words/failed-reads.js';
import { originLine } from '../words/origin.js';
import { parametersLine } from '../words/parameters.js';
import { PlanViews } from '../view/plan-views.js';
import { recapLines } from './recap.js';
import { alongWords, stepGroups, type StepGroup } from '../view/step-groups.js';
import { count } from '../words/plural.js';
import { stepLines } from './step.js';
import type { StructuredReader } from '../diff/structured-text.js';
import type { Style } from './style.js';
import { summaryLine } from '../words/summary.js';
import { typeName } from '../words/type-name.js';
import { unmanagedHint, unmanagedWords } from '../words/unmanaged.js';
import { inline } from '../words/value.js';

interface PlanTextOptions extends NextStepsContext {
  readonly style: Style;
  /** Reads texts that hold structure; default: JSON only. `structuredReader` makes one for a plan. */
  readonly read?: StructuredReader;
  /** Without the steps: what can hurt by name, guards, counts. */
  readonly summary?: boolean;
}

// More than a screen: its beginning has scrolled away when the end is read.
const longText = 50;

/** The whole plan for people. Says everything the document says, whatever the verdict. */
export function planText(plan: Plan, options: PlanTextOptions): string {
  return [...planPieces(plan, options)].join('');
}

/** The same text piece by piece: that of a large plan is better never in memory as a whole. */
export function* planPieces(plan: Plan, options: PlanTextOptions): Iterable<string> {
  let before = '';
  for (const lines of sections(plan, options)) {
    if (lines.length === 0) continue;
    yield `${before}${lines.join('\n')}`;
    before = '\n\n';
  }
  yield '\n';
}

function* sections(plan: Plan, options: PlanTextOptions): Iterable<readonly string[]> {
  const { style, read, summary = false } = options;
  const views = new PlanViews(read, plan);
  yield header(plan, style);
  yield noRecordLines(plan.notices, style);
  let length = 0;
  for (const group of summary ? [] : stepGroups(plan)) {
    const lines = groupLines(group, plan, style, views);
    length += lines.length;
    yield lines;
  }
  // What is told once for many is short, and names few.
  const isLong = summary || plan.steps.length > longText || length > longText;
  yield outputLines(plan.outputs, style);
  yield notComparedLines(plan, style);
  yield undeclaredLines(plan.undeclaredChanges, style);
  yield watchedLines(plan, style);
  yield unmanagedLines(plan.unmanaged, style);
  yield folded(besidesNoRecord(plan.notices)).flatMap((notice) => diagnosticLines(notice, style));
  yield isLong ? recapLines(plan, views, style) : [];
  yield guardLines(guardsShown(plan), style);
  yield [style.bold(summaryLine(plan)), ...originLines(plan), ...nextSteps(plan, options)];
}

function header(plan: Plan, style: Style): readonly string[] {
  const targets = Object.entries(plan.targets).map(([name, target]) => `${visible(name)} at ${visible(target)}`);
  const what = plan.mode === 'apply' ? 'Plan' : `Plan to ${plan.mode}`;
  const lines = [
    `${what} for ${style.bold(visible(plan.project))}, stack ${visible(plan.stack)}: ${targets.join(', ')}`,
  ];
  const parameters = parametersLine(plan);
  if (parameters !== undefined) lines.push(parameters);
  if (plan.partial !== undefined)
    lines.push(style.yellow(`Partial plan: ${partialText(plan.partial)}. What is left out was not looked at.`));
  if (plan.steps.length > 0) lines.push(style.dim(legend(plan)));
  return lines;
}

function originLines(plan: Plan): readonly string[] {
  const line = originLine(plan);
  return line === undefined ? [] : [line];
}

function partialText(partial: NonNullable<Plan['partial']>): string {
  const parts: string[] = [];
  if (partial.targets.length > 0) parts.push(`only ${partial.targets.map(visible).join(', ')} and what they need`);
  if (partial.excludes.length > 0) parts.push(`without ${partial.excludes.map(visible).join(', ')}`);
  return parts.join(', ');
}

const legendWords = [
  ['create', '+ create'],
  ['update', '~ update'],
  ['replace', '-/+ replace'],
  ['delete', '- delete'],
  ['move', '> move in state'],
  ['adopt', '= adopt into state'],
  ['forget', '. forget, object stays'],
  ['options', '! options, in state'],
] as const;

function legend(plan: Plan): string {
  const used = new Set(plan.steps.map((step) => step.action));
  return legendWords
    .filter(([action]) => used.has(action))
    .map(([, words]) => words)
    .join('   ');
}

function outputLines(outputs: readonly OutputChange[], style: Style): readonly string[] {
  if (outputs.length === 0) return [];
  return [style.bold('Outputs:'), ...outputs.map((output) => `  ${outputLine(output, style)}`)];
}

function outputLine(output: OutputChange, style: Style): string {
  const name = visible(output.name);
  if (output.old === undefined) return `${style.green('+')} ${name} = ${inline(output.new ?? null)}`;
  if (output.new === undefined) return `${style.red('-')} ${name}`;
  return `${style.yellow('~')} ${name} = ${inline(output.old)} → ${inline(output.new)}`;
}

function notComparedLines(plan: Plan, style: Style): readonly string[] {
  if (plan.notCompared.length === 0) return [];
  const findings = failedReads(plan.notCompared).map(({ diagnostic, addresses: [first, ...others] }) => ({
    ...diagnostic,
    ...defined({ address: first }),
    ...(others.length === 0 ? {} : { detail: detailOf(diagnostic.detail, others) }),
  }));
  const title = `Not compared: ${count(findings.length, 'read')} failed, so nothing is claimed about these.`;
  return [style.bold(style.yellow(title)), ...findings.flatMap((found) => diagnosticLines(found, style))];
}

const shownNames = 10;

function detailOf(detail: string | undefined, others: readonly string[]): string {
  const names = `also: ${someOf(others)}`;
  return detail === undefined ? names : `${detail}\n${names}`;
}

/** What is the same for many, or only there because of one, is told once, with the names of the others. */
function groupLines({ lead, alike, along }: StepGroup, plan: Plan, style: Style, views: PlanViews): readonly string[] {
  const lines = stepLines(lead, plan, style, views);
  if (alike.length + along.length === 0) return lines;
  return [
    ...lines,
    ...(alike.length === 0 ? [] : [othersLine('alike', alike, style)]),
    ...(along.length === 0 ? [] : [othersLine(`only because of it (${alongWords(along)})`, along, style)]),
  ];
}

function othersLine(words: string, steps: readonly Step[], style: Style): string {
  const names = steps.map(({ address }) => visible(address));
  return `      ${style.bold(`${count(steps.length, 'other')} ${words}:`)} ${someOf(names)}`;
}

function undeclaredLines(changes: readonly UndeclaredChange[], style: Style): readonly string[] {
  if (changes.length === 0) return [];
  return [
    style.bold('Changed outside in fields the catalogue does not mention (left alone):'),
    ...changes.map(
      (change) =>
        `  ${visible(change.address)}.${visible(change.field)}: ${optional(change.old)} → ${optional(change.new)}`,
    ),
  ];
}

function optional(value: UndeclaredChange['old']): string {
  return value === undefined ? '(none)' : inline(value);
}

/** What sync.yaml asks to be told of by name. */
function watchedLines({ meta: { unmanaged = [] } }: Plan, style: Style): readonly string[] {
  if (unmanaged.length === 0) return [];
  const hidden = unmanaged.length - shownNames;
  return [
    style.bold(`Nobody manages ${count(unmanaged.length, 'object')}:`),
    ...unmanaged.slice(0, shownNames).map((object) => `  ${visible(object.name)} (${unmanagedWords(object)})`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...unmanagedHint.map((line) => style.dim(`  ${line}`)),
  ];
}

function unmanagedLines(unmanaged: readonly Unmanaged[], style: Style): readonly string[] {
  return unmanaged
    .filter((item) => item.count > 0)
    .map((item) => {
      const under = item.under === undefined ? '' : ` under ${visible(item.under)}`;
      const name = typeName(item.type).replace(/^.*:/, '');
      const are = item.count === 1 ? 'object exists that is' : 'objects exist that are';
      return style.dim(`${item.count} ${name} ${are} neither in the catalogue nor in state${under}.`);
    });
}
