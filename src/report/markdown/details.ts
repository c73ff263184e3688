import type { Step } from '../../engine/model/plan.js';
import { entities } from '../words/escape.js';
import { code, fenced, htmlCode, prose } from './escape.js';
import { markdownFieldDetail, markdownFieldLine, type Depth } from './fields.js';
import type { FieldView } from '../view/field-view.js';
import type { PlanViews } from '../view/plan-views.js';
import { count } from '../words/plural.js';
import { alongWords, stepKinds, type StepGroup } from '../view/step-groups.js';
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

const mostOfKind = 20;

/** A pass over the steps: how deep it shows them, and which share of the room may be taken when it ends. */
interface Pass {
  readonly depth: Depth;
  readonly share: number;
}

const ofAll: readonly Pass[] = depths.map((depth) => ({ depth, share: 1 }));
// Counts of many leave room for what changes in some; what is left in the end goes to counts again.
const ofMany: readonly Pass[] = [{ depth: 'counts', share: 0.6 }, ...ofAll.slice(1), { depth: 'counts', share: 1 }];

/**
 * The changes of each step, as deep as `room` characters allow: first steps get their counts, then their hunks, then their
 * context. Within one depth every kind of change has its turn before one of them has a second; of those whose turn it is,
 * what can hurt comes first, then what changes, then what is new. Where not all fit, nobody reads more than a few of a kind.
 */
export function markdownDetails(groups: readonly StepGroup[], views: PlanViews, room: number): Details {
  const shown = groups.filter(({ lead }) => hasDetails(lead));
  const steps = [...shown.entries()];
  const turns = turnsOf(shown);
  const turn = (group: StepGroup): number => turns.get(group) ?? 0;
  const isWhole = fits(shown, views, room);
  const told = isWhole ? steps : steps.filter(([, group]) => turn(group) < mostOfKind);
  const order = [...told].sort(
    ([a, one], [b, other]) => turn(one) - turn(other) || weight(one.lead) - weight(other.lead) || a - b,
  );
  const blocks = new Map<number, { readonly text: string; readonly depth: Depth }>();
  let left = room;
  for (const { depth, share } of isWhole ? ofAll : ofMany) {
    for (const [at, group] of order) {
      const free = left - room * (1 - share);
      if (free < smallestBlock) break;
      const known = blocks.get(at);
      // What had no room for less has none for more, and nothing is shown less deep again.
      if (depth === 'counts' ? known !== undefined : known === undefined) continue;
      const text = block(group, views, depth);
      const cost = text.length - (known?.text.length ?? 0);
      if (cost > free) continue;
      blocks.set(at, { text, depth: text === known?.text ? known.depth : depth });
      left -= cost;
    }
  }
  return tally(steps, blocks, views);
}

/** Whether each can at least say how much it changes. */
function fits(groups: readonly StepGroup[], views: PlanViews, room: number): boolean {
  let left = room;
  return groups.every((group) => (left -= block(group, views, 'counts').length) >= 0);
}

/** Which of its kind each is. */
function turnsOf(groups: readonly StepGroup[]): ReadonlyMap<StepGroup, number> {
  return new Map(stepKinds(groups).flatMap((kind) => kind.map((group, turn) => [group, turn] as const)));
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
