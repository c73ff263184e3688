import type { Change, ChangeGroup, Note } from '../document/document.js';
import { entities } from '../words/escape.js';
import { changeKinds } from './changes.js';
import { code, fenced, htmlCode, prose } from './escape.js';
import { markdownFieldDetail, markdownFieldLine, type Depth } from './fields.js';
import { commandOf } from '../words/diagnostics.js';
import type { FieldView } from '../view/field-view.js';
import { count } from '../words/value.js';
import { markdownLine } from './line.js';

/** The blocks of the changes, and how much of them had no room. */
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

/** Changes, and the stack that commands about them are typed for. */
interface Told extends ChangeGroup {
  readonly stack: string | undefined;
}

/** A pass over the changes: how deep it shows them, and which share of the room may be taken when it ends. */
interface Pass {
  readonly depth: Depth;
  readonly share: number;
}

const ofAll: readonly Pass[] = depths.map((depth) => ({ depth, share: 1 }));
// Counts of many leave room for what changes in some; what is left in the end goes to counts again.
const ofMany: readonly Pass[] = [{ depth: 'counts', share: 0.6 }, ...ofAll.slice(1), { depth: 'counts', share: 1 }];

/**
 * Each change, as deep as `room` characters allow: first all get their counts, then their hunks, then their
 * context. Within one depth every kind of change has its turn before one of them has a second; of those whose turn it is,
 * what can hurt comes first, then what changes, then what is new. Where not all fit, nobody reads more than a few of a kind.
 */
export function markdownDetails(groups: readonly ChangeGroup[], room: number, stack: string | undefined): Details {
  const shown = groups.filter(({ lead }) => hasDetails(lead)).map((group) => ({ ...group, stack }));
  const steps = [...shown.entries()];
  const turns = turnsOf(shown);
  const turn = (group: ChangeGroup): number => turns.get(group) ?? 0;
  const isWhole = fits(shown, room);
  const told = isWhole ? steps : steps.filter(([, group]) => turn(group) < mostOfKind);
  const order = [...told].sort(
    ([a, one], [b, other]) => turn(one) - turn(other) || one.lead.rank - other.lead.rank || a - b,
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
      const text = block(group, depth);
      const cost = text.length - (known?.text.length ?? 0);
      if (cost > free) continue;
      blocks.set(at, { text, depth: text === known?.text ? known.depth : depth });
      left -= cost;
    }
  }
  return tally(steps, blocks, room);
}

// A screen: what fits on it is not folded.
const fewLines = 40;

/** Whether each can at least say how much it changes. */
function fits(groups: readonly Told[], room: number): boolean {
  let left = room;
  return groups.every((group) => (left -= block(group, 'counts').length) >= 0);
}

/** Which of its kind each is. */
function turnsOf(groups: readonly Told[]): ReadonlyMap<ChangeGroup, number> {
  return new Map(changeKinds(groups).flatMap((kind) => kind.map((group, turn) => [group, turn] as const)));
}

function tally(
  steps: readonly (readonly [number, Told])[],
  blocks: ReadonlyMap<number, { readonly text: string; readonly depth: Depth }>,
  room: number,
): Details {
  let text = '';
  let withoutContext = 0;
  let countsOnly = 0;
  for (const [at, group] of steps) {
    const found = blocks.get(at);
    if (found === undefined) continue;
    text += found.text;
    if (found.depth === 'hunks' && block(group, 'context') !== found.text) withoutContext += 1;
    if (found.depth === 'counts' && block(group, 'hunks') !== found.text) countsOnly += 1;
  }
  // Nobody should have to open three changes of a line each.
  if (steps.length === blocks.size && text.split('\n').length <= fewLines) {
    const opened = steps.map(([at, group]) => block(group, blocks.get(at)?.depth ?? 'counts', true)).join('');
    if (opened.length <= room) text = opened;
  }
  const missing = steps.filter(([at]) => !blocks.has(at));
  const leftOut = missing.reduce((sum, [, { alike }]) => sum + 1 + alike.length, 0);
  return { text, withoutContext, countsOnly, leftOut };
}

/** More than the table says. */
function hasDetails({ fieldCount, notes, todo }: Change): boolean {
  return fieldCount > 0 || todo !== undefined || notes.some(isShown);
}

function isShown({ weight }: Note): boolean {
  return weight === undefined;
}

function block({ lead, alike, along, alongWords, stack }: Told, depth: Depth, isOpen = false): string {
  const fields = lead.fields();
  const about = lead.clause ?? (fields.length === 0 ? '' : count(fields.length, 'field'));
  const same = alike.length === 0 ? '' : ` and ${count(alike.length, 'other')} alike`;
  const notes = [
    ...lead.notes
      .filter(isShown)
      .map(({ label, line }) => `${label === undefined ? '' : `${label}: `}${markdownLine(line, {})}`),
    ...namesNote('the same happens to', alike),
    ...namesNote(`only because of it: ${alongWords}`, along),
    ...(lead.todo === undefined ? [] : [prose(lead.todo)]),
    ...lead.commands.map(({ line }) => code(commandOf(line, stack), 300)),
  ];
  return [
    `<details${isOpen ? ' open' : ''}><summary><code>${entities(lead.mark)}</code> ${htmlCode(lead.name)}${same}${about === '' ? '' : ` — ${about}`}</summary>\n\n`,
    notes.map((note) => `- ${note}\n`).join(''),
    notes.length > 0 ? '\n' : '',
    fields.length > 0 ? `${fenced(fields.map(markdownFieldLine), 'diff')}\n` : '',
    ...fields.map((view) => detailBlock(view, depth)),
    '</details>\n',
  ].join('');
}

const shownNames = 20;

function namesNote(words: string, changes: readonly Change[]): readonly string[] {
  if (changes.length === 0) return [];
  const names = changes.slice(0, shownNames).map(({ name }) => code(name));
  const hidden = changes.length - names.length;
  return [`${words} ${names.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`];
}

function detailBlock(view: FieldView, depth: Depth): string {
  const lines = markdownFieldDetail(view, depth);
  return lines.length === 0 ? '' : `${code(view.name)}\n\n${fenced(lines, 'diff')}\n`;
}
