import type { Step } from '../../engine/model/plan.js';
import { entities } from '../words/escape.js';
import { code, fenced, htmlCode, prose } from './escape.js';
import { markdownFieldDetail, markdownFieldLine } from './fields.js';
import type { Depth } from './fields.js';
import type { FieldView } from '../view/field-view.js';
import type { PlanViews } from '../view/plan-views.js';
import { count } from '../words/plural.js';
import { alongWords } from '../view/step-groups.js';
import type { StepGroup } from '../view/step-groups.js';
import { reasonSentence, riskClause, stepSymbol } from '../words/reasons.js';

/** The collapsed blocks of a plan's steps, and how much of them had no room. */
export interface Details {
  readonly text: string;
  readonly withoutContext: number;
  readonly countsOnly: number;
  readonly leftOut: number;
}

const depths: readonly Depth[] = ['counts', 'hunks', 'context'];
// No block is shorter: with less room there is no point in rendering another one.
const smallestBlock = 60;

/**
 * The changes of each step, as deep as `room` characters allow: first every step gets its counts, then its hunks,
 * then their context; within one depth what can hurt comes first, then what changes, then what is new.
 */
export function markdownDetails(groups: readonly StepGroup[], views: PlanViews, room: number): Details {
  const steps = [...groups.filter(({ lead }) => hasDetails(lead)).entries()];
  const order = [...steps].sort(([a, one], [b, other]) => weight(one.lead) - weight(other.lead) || a - b);
  const blocks = new Map<number, { readonly text: string; readonly depth: Depth }>();
  let left = room;
  for (const depth of depths) {
    for (const [at, group] of order) {
      if (left < smallestBlock) break;
      const known = blocks.get(at);
      // What had no room for less has none for more.
      if (known === undefined && depth !== 'counts') continue;
      const text = block(group, views, depth);
      const cost = text.length - (known?.text.length ?? 0);
      if (cost > left) continue;
      blocks.set(at, { text, depth: text === known?.text ? known.depth : depth });
      left -= cost;
    }
  }
  return tally(steps, blocks, views);
}

function tally(
  steps: readonly (readonly [number, StepGroup])[],
  blocks: ReadonlyMap<number, { readonly text: string; readonly depth: Depth }>,
  views: PlanViews,
): Details {
  let text = '';
  let withoutContext = 0;
  let countsOnly = 0;
  for (const [at, group] of steps) {
    const found = blocks.get(at);
    if (found === undefined) continue;
    text += found.text;
    if (found.depth === 'hunks' && block(group, views, 'context') !== found.text) withoutContext += 1;
    if (found.depth === 'counts' && block(group, views, 'hunks') !== found.text) countsOnly += 1;
  }
  const missing = steps.filter(([at]) => !blocks.has(at));
  const leftOut = missing.reduce((sum, [, { alike }]) => sum + 1 + alike.length, 0);
  return { text, withoutContext, countsOnly, leftOut };
}

function hasDetails(step: Step): boolean {
  return step.fields.length > 0 || step.reasons.some((reason) => reasonSentence(reason, step.action) !== undefined);
}

function weight(step: Step): number {
  if (step.risks.some((risk) => risk.kind !== 'publishes')) return 0;
  return step.action === 'update' || step.action === 'replace' ? 1 : 2;
}

function block({ lead: step, alike, along }: StepGroup, views: PlanViews, depth: Depth): string {
  const fields = views.fields(step);
  const changes = fields.length === 0 ? '' : ` — ${count(fields.length, 'field')}`;
  const same = alike.length === 0 ? '' : ` and ${count(alike.length, 'other')} alike`;
  const notes = [
    ...notesOf(step),
    ...namesNote('the same happens to', alike),
    ...namesNote(`only because of it: ${alongWords(along)}`, along),
  ];
  return [
    `<details><summary><code>${entities(stepSymbol(step))}</code> ${htmlCode(step.address)}${same}${changes}</summary>\n\n`,
    notes.map((note) => `- ${note}\n`).join(''),
    notes.length > 0 ? '\n' : '',
    fields.length > 0 ? `${fenced(fields.map(markdownFieldLine), 'diff')}\n` : '',
    ...fields.map((view) => detailBlock(view, depth)),
    '</details>\n',
  ].join('');
}

const shownNames = 20;

function namesNote(words: string, steps: readonly Step[]): readonly string[] {
  if (steps.length === 0) return [];
  const names = steps.slice(0, shownNames).map(({ address }) => code(address));
  const hidden = steps.length - names.length;
  return [`${words} ${names.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`];
}

function detailBlock(view: FieldView, depth: Depth): string {
  const lines = markdownFieldDetail(view, depth);
  return lines.length === 0 ? '' : `${code(view.name)}\n\n${fenced(lines, 'diff')}\n`;
}

const orders = {
  'delete-first': 'The old object is deleted before the new one is created.',
  'create-first': 'The new object is created before the old one is deleted.',
} as const;

function notesOf(step: Step): readonly string[] {
  const because = step.reasons
    .map((reason) => reasonSentence(reason, step.action))
    .filter((sentence) => sentence !== undefined)
    .map((sentence) => `why: ${prose(sentence)}`);
  const risks = step.risks
    .map((risk) => riskClause(risk, step.action))
    .filter((clause) => clause !== undefined)
    .map((clause) => `risk: ${prose(clause)}`);
  const order = step.action === 'replace' && step.order !== undefined ? [orders[step.order]] : [];
  return [...because, ...risks, ...order];
}
