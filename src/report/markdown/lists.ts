import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { Action, LeftOut, Plan, PlanValue, Step } from '../../engine/model/plan.js';
import { alikeGroups, alikeProblems, problemKind, type AlikeGroup } from '../words/alike.js';
import { failedReads } from '../words/failed-reads.js';
import { fitted, type Fitted } from './budget.js';
import { cellCode, code, prose } from './escape.js';
import { placeText } from '../words/diagnostics.js';
import { besidesNoRecord } from '../words/no-record.js';
import { count } from '../words/plural.js';
import { stepSymbol } from '../words/reasons.js';
import { fileLink } from './place.js';
import { filePlace, type ReviewPlace } from '../view/review-place.js';
import { groupSize, stepKinds, type StepGroup } from '../view/step-groups.js';
import { typeName } from '../words/type-name.js';
import { importCommand, unmanagedWords } from '../words/unmanaged.js';
import { inline } from '../words/value.js';

const shownFields = 6;
const shownNames = 10;
const longTable = 50;
const more = (hidden: number): string => `- … and ${hidden} more\n`;

/**
 * One row for each step, or for steps that are told once, as many as fit; when not all do, how many there are of each
 * kind comes first. Of many, those that differ in values alone share a row. `hidden` counts steps.
 */
export function markdownTable(plan: Plan, groups: readonly StepGroup[], room: number, at: ReviewPlace = {}): Fitted {
  if (plan.steps.length === 0) return { text: '', hidden: 0 };
  const heading = '### Changes\n\n';
  const head = '| | resource | type | fields |\n|---|---|---|---|\n';
  const kinds = tableKinds(plan, groups, room);
  const isLong = kinds.length > longTable;
  const open = isLong ? `<details><summary>${count(plan.steps.length, 'change')}</summary>\n\n` : '';
  const close = isLong ? '\n</details>\n\n' : '\n';
  // A long table has no room for links.
  const linked = isLong ? {} : at;
  // A row costs at least this much: no need to write rows that can't fit.
  const written = kinds.slice(0, Math.floor(room / 20) + 1).map((kind) => row(plan, kind, linked));
  const frame = heading.length + open.length + head.length + close.length;
  const size = written.reduce((sum, line) => sum + line.length, frame);
  if (written.length === kinds.length && size <= room)
    return { text: `${heading}${open}${head}${written.join('')}${close}`, hidden: 0 };
  const counts = fitted(countLines(plan.steps), Math.min(3000, Math.max(0, room - heading.length - 1)), more).text;
  const left = room - frame - counts.length - 1;
  const rows = fitted(written, Math.max(0, left), () => '');
  const shown = written.length - rows.hidden;
  const body = shown === 0 ? '' : `${open}${head}${rows.text}${close}`;
  const hidden = kinds.slice(shown).reduce((sum, kind) => sum + kindSize(kind), 0);
  return { text: `${heading}${counts}\n${body}`, hidden };
}

/** What the rows are of: a group each, until they would take the place of the differences. */
function tableKinds(
  plan: Plan,
  groups: readonly StepGroup[],
  room: number,
): readonly (readonly [StepGroup, ...StepGroup[]])[] {
  const single = groups.map((group) => [group] as const);
  if (groups.length <= longTable) return single;
  let left = room / 3;
  for (const kind of single) {
    left -= row(plan, kind, {}).length;
    if (left < 0) return stepKinds(groups);
  }
  return single;
}

function kindSize(kind: readonly StepGroup[]): number {
  return kind.reduce((sum, group) => sum + groupSize(group), 0);
}

function row(plan: Plan, kind: readonly [StepGroup, ...StepGroup[]], at: ReviewPlace): string {
  const [{ lead, alike, along }] = kind;
  const names =
    lead.action === 'delete' || lead.action === 'forget'
      ? []
      : [...lead.fields.map(({ field }) => field), ...(lead.options ?? []).map(({ option }) => option)];
  const shown = names.slice(0, shownFields).map((name) => cellCode(name, 60));
  const hidden = names.length - shown.length;
  const fields = [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
  const from = lead.from === undefined ? '' : ` (was ${cellCode(lead.from)})`;
  const also = [
    ...(kind.length > 1
      ? [` and ${kindSize(kind) - 1} more of this kind`]
      : alike.length > 0
        ? [` and ${alike.length} more alike`]
        : []),
    ...(along.length > 0 ? [`, and ${along.length} along with it`] : []),
  ].join('');
  const { sources } = plan.meta;
  const place = filePlace(Object.hasOwn(sources, lead.address) ? sources[lead.address] : undefined);
  const name = cellCode(lead.address);
  const linked = place === undefined || at.links?.files === undefined ? name : fileLink(name, place, at);
  return `| \`${stepSymbol(lead)}\` | ${linked}${from}${also} | ${cellCode(typeName(lead.type))} | ${fields} |\n`;
}

const verbs: Readonly<Record<Action, string>> = {
  create: 'to create',
  update: 'to update',
  replace: 'to replace',
  delete: 'to delete',
  forget: 'to forget',
  adopt: 'to adopt',
  move: 'to move',
  options: 'to change the options of',
};

function countLines(steps: readonly Step[]): readonly string[] {
  const counts = new Map<string, { readonly step: Step; number: number }>();
  for (const step of steps) {
    const key = `${step.action} ${step.type}`;
    const found = counts.get(key);
    if (found === undefined) counts.set(key, { step, number: 1 });
    else found.number += 1;
  }
  return [...counts.values()].map(
    ({ step, number }) => `- ${number} ${code(typeName(step.type))} ${verbs[step.action]}\n`,
  );
}

/** What could not be read; nothing is claimed about it. One failed read that many hang on is told once. */
export function markdownNotCompared(plan: Plan, room: number): string {
  if (plan.notCompared.length === 0) return '';
  const heading = '### Not compared\n\nThese could not be read, so nothing is claimed about them.\n\n';
  const items = failedReads(plan.notCompared).map(({ diagnostic, types, addresses }) => {
    const names = addresses.slice(0, shownNames).map((address) => code(address));
    const hidden = addresses.length - names.length;
    const who = names.length === 0 ? '' : `${names.join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''} `;
    return `- ${who}(${types.map((type) => code(typeName(type))).join(', ')}): ${prose(diagnostic.summary)}\n`;
  });
  return `${heading}${fitted(items, room - heading.length - 1, more).text}\n`;
}

function leftOutItem({ address, type, action, needs }: LeftOut): string {
  const waits = needs === undefined ? '' : `, which waits for ${code(needs)}`;
  return `- ${action} ${code(address)} (${code(typeName(type))})${waits}\n`;
}

function noticeItem({ lead, others }: AlikeGroup<Diagnostic>): string {
  const also = others.length === 0 ? '' : ` ${prose(alikeProblems(others), 300)}`;
  const where = lead.place === undefined ? '' : ` ${code(placeText(lead.place))}`;
  return `- ${prose(lead.summary)}${where}${hint(lead.hint)}${also}\n`;
}

/** Outputs, what is left out, warnings, what changed in fields that are not managed, and what nobody manages. */
export function markdownRest(plan: Plan, room: number): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Outputs', plan.outputs.map(({ name, old, new: now }) => `- ${code(name)}: ${sides(old, now)}\n`)],
    ['Left out, as nothing is deleted', (plan.leftOut ?? []).map(leftOutItem)],
    ['Warnings', alikeGroups(besidesNoRecord(plan.notices), problemKind).map(noticeItem)],
    [
      'Changed outside in fields the catalogue does not mention (left alone)',
      plan.undeclaredChanges.map(
        (found) => `- ${code(`${found.address}.${found.field}`)}: ${sides(found.old, found.new)}\n`,
      ),
    ],
    ['Nobody manages these', watchedItems(plan)],
    ['Not managed', unmanagedItems(plan)],
  ];
  const used = parts.filter(([, items]) => items.length > 0);
  let left = room;
  let text = '';
  for (const [at, [title, items]] of used.entries()) {
    const heading = `<details><summary>${title}: ${items.length}</summary>\n\n`;
    const close = '\n</details>\n\n';
    // An even share of what is left; what one section does not need goes to the next.
    const share = Math.floor(left / (used.length - at)) - heading.length - close.length;
    const part = `${heading}${fitted(items, share, more).text}${close}`;
    if (part.length > left) break;
    text += part;
    left -= part.length;
  }
  return text;
}

/** What sync.yaml asks to be told of by name. */
function watchedItems({ meta: { unmanaged = [] } }: Plan): readonly string[] {
  return unmanaged.map(
    (object) => `- ${code(object.name)}: ${prose(unmanagedWords(object))}. ${code(importCommand(object), 300)}\n`,
  );
}

function unmanagedItems(plan: Plan): readonly string[] {
  return plan.unmanaged
    .filter((item) => item.count > 0)
    .map((item) => {
      const under = item.under === undefined ? '' : ` under ${code(item.under)}`;
      return `- ${item.count} ${code(typeName(item.type))}${under}: neither in the catalogue nor in state\n`;
    });
}

function sides(old: PlanValue | undefined, now: PlanValue | undefined): string {
  const text = (value: PlanValue | undefined): string => (value === undefined ? '(none)' : code(inline(value)));
  return `${text(old)} → ${text(now)}`;
}

function hint(text: string | undefined): string {
  return text === undefined ? '' : ` ${prose(text)}`;
}
