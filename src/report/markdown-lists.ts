import type { Action, Plan, PlanValue, Step } from '../engine/model/plan.js';
import { fitted } from './markdown-budget.js';
import type { Fitted } from './markdown-budget.js';
import { cellCode, code, prose } from './markdown-escape.js';
import { count } from './plural.js';
import { stepSymbol } from './reasons.js';
import { typeName } from './type-name.js';
import { inline } from './value.js';

const shownFields = 6;
const longTable = 50;
const more = (hidden: number): string => `- … and ${hidden} more\n`;

/** One row a step, as many as fit; when not all do, how many there are of each kind comes first. */
export function markdownTable(plan: Plan, room: number): Fitted {
  if (plan.steps.length === 0) return { text: '', hidden: 0 };
  const heading = '### Changes\n\n';
  const head = '| | resource | type | fields |\n|---|---|---|---|\n';
  const isLong = plan.steps.length > longTable;
  const open = isLong ? `<details><summary>${count(plan.steps.length, 'change')}</summary>\n\n` : '';
  const close = isLong ? '\n</details>\n\n' : '\n';
  // A row costs at least this much: no need to write rows that can't fit.
  const written = plan.steps.slice(0, Math.floor(room / 20) + 1).map(row);
  const frame = heading.length + open.length + head.length + close.length;
  const size = written.reduce((sum, line) => sum + line.length, frame);
  if (written.length === plan.steps.length && size <= room)
    return { text: `${heading}${open}${head}${written.join('')}${close}`, hidden: 0 };
  const counts = fitted(countLines(plan.steps), Math.min(3000, Math.max(0, room - heading.length - 1)), more).text;
  const left = room - frame - counts.length - 1;
  const rows = fitted(written, Math.max(0, left), () => '');
  const shown = written.length - rows.hidden;
  const body = shown === 0 ? '' : `${open}${head}${rows.text}${close}`;
  return { text: `${heading}${counts}\n${body}`, hidden: plan.steps.length - shown };
}

function row(step: Step): string {
  const names =
    step.action === 'delete' || step.action === 'forget'
      ? []
      : [...step.fields.map(({ field }) => field), ...(step.options ?? []).map(({ option }) => option)];
  const shown = names.slice(0, shownFields).map((name) => cellCode(name, 60));
  const hidden = names.length - shown.length;
  const fields = [...shown, ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
  const from = step.from === undefined ? '' : ` (was ${cellCode(step.from)})`;
  return `| \`${stepSymbol(step)}\` | ${cellCode(step.address)}${from} | ${cellCode(typeName(step.type))} | ${fields} |\n`;
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

/** What could not be read; nothing is claimed about it. */
export function markdownNotCompared(plan: Plan, room: number): string {
  if (plan.notCompared.length === 0) return '';
  const heading = '### Not compared\n\nThese could not be read, so nothing is claimed about them.\n\n';
  const items = plan.notCompared.map(
    ({ address, type, diagnostic }) =>
      `- ${address === undefined ? '' : `${code(address)} `}(${code(typeName(type))}): ${prose(diagnostic.summary)}\n`,
  );
  return `${heading}${fitted(items, room - heading.length - 1, more).text}\n`;
}

/** Outputs, warnings, what changed in fields that are not managed, and what nobody manages. */
export function markdownRest(plan: Plan, room: number): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['Outputs', plan.outputs.map(({ name, old, new: now }) => `- ${code(name)}: ${sides(old, now)}\n`)],
    ['Warnings', plan.notices.map((notice) => `- ${prose(notice.summary)}${hint(notice.hint)}\n`)],
    [
      'Changed outside in fields the catalogue does not mention (left alone)',
      plan.undeclaredChanges.map(
        (found) => `- ${code(`${found.address}.${found.field}`)}: ${sides(found.old, found.new)}\n`,
      ),
    ],
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
