import type { Plan, Step } from '../engine/model/plan.js';
import { code, fenced, html, htmlCode, prose } from './markdown-escape.js';
import { markdownFieldDetail, markdownFieldLine } from './markdown-fields.js';
import type { Depth } from './markdown-fields.js';
import type { FieldView } from './field-view.js';
import type { PlanViews } from './plan-views.js';
import { count } from './plural.js';
import { reasonSentence, riskClause, stepSymbol } from './reasons.js';

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
export function markdownDetails(plan: Plan, views: PlanViews, room: number): Details {
  const steps = [...plan.steps.filter(hasDetails).entries()];
  const order = [...steps].sort(([a, one], [b, other]) => weight(one) - weight(other) || a - b);
  const blocks = new Map<number, { readonly text: string; readonly depth: Depth }>();
  let left = room;
  for (const depth of depths) {
    for (const [at, step] of order) {
      if (left < smallestBlock) break;
      const known = blocks.get(at);
      // What had no room for less has none for more.
      if (known === undefined && depth !== 'counts') continue;
      const text = block(step, views, depth);
      const cost = text.length - (known?.text.length ?? 0);
      if (cost > left) continue;
      blocks.set(at, { text, depth: text === known?.text ? known.depth : depth });
      left -= cost;
    }
  }
  return tally(steps, blocks, views);
}

function tally(
  steps: readonly (readonly [number, Step])[],
  blocks: ReadonlyMap<number, { readonly text: string; readonly depth: Depth }>,
  views: PlanViews,
): Details {
  let text = '';
  let withoutContext = 0;
  let countsOnly = 0;
  for (const [at, step] of steps) {
    const found = blocks.get(at);
    if (found === undefined) continue;
    text += found.text;
    if (found.depth === 'hunks' && block(step, views, 'context') !== found.text) withoutContext += 1;
    if (found.depth === 'counts' && block(step, views, 'hunks') !== found.text) countsOnly += 1;
  }
  return { text, withoutContext, countsOnly, leftOut: steps.length - blocks.size };
}

function hasDetails(step: Step): boolean {
  return step.fields.length > 0 || step.reasons.some((reason) => reasonSentence(reason, step.action) !== undefined);
}

function weight(step: Step): number {
  if (step.risks.some((risk) => risk.kind !== 'publishes')) return 0;
  return step.action === 'update' || step.action === 'replace' ? 1 : 2;
}

function block(step: Step, views: PlanViews, depth: Depth): string {
  const fields = views.fields(step);
  const changes = fields.length === 0 ? '' : ` — ${count(fields.length, 'field')}`;
  const notes = notesOf(step);
  return [
    `<details><summary><code>${html(stepSymbol(step))}</code> ${htmlCode(step.address)}${changes}</summary>\n\n`,
    notes.map((note) => `- ${note}\n`).join(''),
    notes.length > 0 ? '\n' : '',
    fields.length > 0 ? `${fenced(fields.map(markdownFieldLine), 'diff')}\n` : '',
    ...fields.map((view) => detailBlock(view, depth)),
    '</details>\n',
  ].join('');
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
    .map(riskClause)
    .filter((clause) => clause !== undefined)
    .map((clause) => `risk: ${prose(clause)}`);
  const order = step.action === 'replace' && step.order !== undefined ? [orders[step.order]] : [];
  return [...because, ...risks, ...order];
}
