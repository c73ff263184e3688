import type { Plan } from '../../engine/model/plan.js';
import { dangersOf, type Danger } from '../view/danger.js';
import { markdownDangers, markdownGuards } from './danger.js';
import { markdownDetails, type Details } from './details.js';
import { code, prose } from './escape.js';
import { markdownNotCompared, markdownRest, markdownTable } from './lists.js';
import { markdownOrigins } from './origin.js';
import { guardsShown } from '../view/guards-shown.js';
import { noRecordOf } from '../words/no-record.js';
import { applyCommand, type NextStepsContext } from '../words/next-steps.js';
import { originLine, othersLines } from '../words/origin.js';
import { parametersLine } from '../words/parameters.js';
import { PlanViews } from '../view/plan-views.js';
import { count } from '../words/plural.js';
import { placeLine } from './place.js';
import type { ReviewPlace } from '../view/review-place.js';
import { stepGroups } from '../view/step-groups.js';
import { summaryLine } from '../words/summary.js';
import { verdictMarks, verdictOf, verdictText } from '../view/verdict.js';
import { commentLimit } from './budget.js';

export interface MarkdownOptions extends NextStepsContext {
  /** Shared with other reports of the same plan. */
  readonly views?: PlanViews;
  readonly at?: ReviewPlace;
  /** Default 60,000: a review comment may have 65,536. Not below 30,000. */
  readonly maxCharacters?: number;
}

// Parts with a fixed purpose keep a place of their own; the dangers get all that is left of the rest.
const caps = { guards: 12_000, notCompared: 5000, origins: 4000, rest: 4000, closing: 1500 } as const;

/**
 * The review comment: verdict, dangers, guards, what came from outside, the table, the differences, what was not
 * compared, how to apply. Never longer than `maxCharacters`, and says what it left out.
 */
export function planMarkdown(plan: Plan, options: MarkdownOptions = {}): string {
  const { views = new PlanViews(undefined, plan), maxCharacters = commentLimit, at = {} } = options;
  const dangers = dangersOf(plan, views);
  const groups = stepGroups(plan);
  const scale = Math.min(1, maxCharacters / commentLimit);
  const cap = (name: keyof typeof caps): number => Math.floor(caps[name] * scale);
  const head = header(plan, dangers, at);
  let room = maxCharacters - head.length - caps.closing;
  const take = (text: string): string => {
    room -= text.length;
    return text;
  };
  const guards = take(markdownGuards(guardsShown(plan), cap('guards')));
  const notCompared = take(markdownNotCompared(plan, cap('notCompared')));
  const danger = take(markdownDangers(plan, dangers, groups, room, at));
  const origins = take(markdownOrigins(plan, Math.min(cap('origins'), Math.max(0, room))));
  const rest = take(markdownRest(plan, Math.min(cap('rest'), Math.max(0, room))));
  const table = markdownTable(plan, groups, room, at);
  take(table.text);
  const details = markdownDetails(groups, views, table.hidden > 0 ? 0 : room - detailsTitle.length);
  const differences = details.text === '' ? '' : `${detailsTitle}${details.text}\n`;
  return [
    head,
    danger,
    guards,
    origins,
    table.text,
    differences,
    notCompared,
    rest,
    closing(plan, options, leftOut(table.hidden, details)),
  ].join('');
}

const detailsTitle = '### Differences\n\n';

function header(plan: Plan, dangers: readonly Danger[], at: ReviewPlace): string {
  const targets = Object.entries(plan.targets).slice(0, 8);
  const where = targets.map(([name, target]) => `${code(name, 60)} at ${code(target)}`).join(', ');
  const mode = plan.mode === 'apply' ? '' : ` to ${plan.mode}`;
  const base = originLine(plan);
  const parameters = parametersLine(plan);
  const lines = [
    `## ${verdictMarks[verdictOf(plan, dangers)]} ${verdictText(plan, dangers)}`,
    '',
    ...noRecordText(plan.notices),
    `**${summaryLine(plan)}**`,
    '',
    `Plan${mode} for ${code(plan.project, 100)}, stack ${code(plan.stack, 100)}: ${where}`,
    '',
    ...(parameters === undefined ? [] : [prose(parameters), '']),
    ...(base === undefined ? [] : [prose(base), '']),
    ...othersLines(plan, dangers).map((line) => `${prose(line)}\n`),
    ...(plan.partial === undefined ? [] : [`**Partial plan.** ${partialText(plan.partial)}`, '']),
  ];
  return `${lines.join('\n')}\n${placeLine(at)}`;
}

function noRecordText(notices: Plan['notices']): readonly string[] {
  const notice = noRecordOf(notices);
  return notice === undefined ? [] : [`**${prose(notice.summary)}**`, '', prose(notice.hint ?? ''), ''];
}

function partialText(partial: NonNullable<Plan['partial']>): string {
  const names = (addresses: readonly string[]): string => {
    const shown = addresses.slice(0, 10).map((address) => code(address));
    const more = addresses.length - shown.length;
    return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  return [
    ...(partial.targets.length > 0 ? [`Only ${names(partial.targets)} and what they need.`] : []),
    ...(partial.excludes.length > 0 ? [`Without ${names(partial.excludes)}.`] : []),
    'What is left out was not looked at.',
  ].join(' ');
}

function leftOut(rows: number, details: Details): string {
  const parts = [
    ...(rows > 0 ? [`${count(rows, 'row')} of the table`] : []),
    ...(details.leftOut > 0 ? [`the differences of ${count(details.leftOut, 'resource')}`] : []),
    ...(details.countsOnly > 0 ? [`the lines of ${count(details.countsOnly, 'difference')}`] : []),
    ...(details.withoutContext > 0 ? [`the context of ${count(details.withoutContext, 'difference')}`] : []),
  ];
  return parts.length === 0 ? '' : `Left out for length: ${parts.join(', ')}. The HTML report has everything.\n\n`;
}

function closing(plan: Plan, options: MarkdownOptions, hidden: string): string {
  const command = options.suggest === false ? undefined : applyCommand(plan, options);
  const how = command === undefined ? '' : `### How to apply\n\nAfter the review: ${code(command)}\n\n`;
  return `${hidden}${how}<sub>Plan ${code(plan.digest.slice(0, 12))}, state serial ${Number(plan.serial)}</sub>\n`;
}
