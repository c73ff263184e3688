import { groupBy } from '@platform-sync/core/model/graph';
import { allChanges, type ChangeGroup, type Changes } from '../document/document.js';
import { count } from '../words/value.js';
import type { ReviewPlace } from '../view/review-place.js';
import { fitted, type Fitted } from './budget.js';
import { code } from './escape.js';
import { markdownCell } from './line.js';

const longTable = 50;
const more = (hidden: number): string => `- … and ${hidden} more\n`;

/**
 * One row for each change, or for those that are told once, as many as fit; when not all do, how many there are of each
 * kind comes first. Of many, those that differ in values alone share a row. `hidden` counts changes.
 */
export function markdownTable(changes: Changes, room: number, at: ReviewPlace = {}): Fitted {
  const { groups, number, title, columns } = changes;
  const heading = `### ${title}\n\n`;
  const head = `| | ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length + 1)}\n`;
  const kinds = tableKinds(groups, room);
  const isLong = kinds.length > longTable;
  const open = isLong ? `<details><summary>${count(number, changes.noun)}</summary>\n\n` : '';
  const close = isLong ? '\n</details>\n\n' : '\n';
  // A long table has no room for links.
  const linked = isLong ? {} : at;
  // A row costs at least this much: no need to write rows that can't fit.
  const written = kinds.slice(0, Math.floor(room / 20) + 1).map((kind) => row(kind, linked));
  const frame = heading.length + open.length + head.length + close.length;
  const size = written.reduce((sum, line) => sum + line.length, frame);
  if (written.length === kinds.length && size <= room)
    return { text: `${heading}${open}${head}${written.join('')}${close}`, hidden: 0 };
  const counts = fitted(countLines(changes), Math.min(3000, Math.max(0, room - heading.length - 1)), more).text;
  const left = room - frame - counts.length - 1;
  const rows = fitted(written, Math.max(0, left), () => '');
  const shown = written.length - rows.hidden;
  const body = shown === 0 ? '' : `${open}${head}${rows.text}${close}`;
  const hidden = kinds.slice(shown).reduce((sum, kind) => sum + kindSize(kind), 0);
  return { text: `${heading}${counts}\n${body}`, hidden };
}

type Kind = readonly [ChangeGroup, ...ChangeGroup[]];

/** What the rows are of: a group each, until they would take the place of the differences. */
function tableKinds(groups: readonly ChangeGroup[], room: number): readonly Kind[] {
  const single = groups.map((group) => [group] as const);
  if (groups.length <= longTable) return single;
  let left = room / 3;
  for (const kind of single) {
    left -= row(kind, {}).length;
    if (left < 0) return changeKinds(groups);
  }
  return single;
}

/** Groups that do the same to the same fields of one type, in the order of their first; only the values differ. */
export function changeKinds(groups: readonly ChangeGroup[]): readonly Kind[] {
  const kinds = groupBy<ChangeGroup, string | ChangeGroup>(groups, (group) => group.lead.sameKind ?? group);
  return [...kinds.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

function kindSize(kind: Kind): number {
  return kind.reduce((sum, { alike, along }) => sum + 1 + alike.length + along.length, 0);
}

function row(kind: Kind, at: ReviewPlace): string {
  const [{ lead, alike, along }] = kind;
  const also = [
    ...(kind.length > 1
      ? [` and ${kindSize(kind) - 1} more of this kind`]
      : alike.length > 0
        ? [` and ${alike.length} more alike`]
        : []),
    ...(along.length > 0 ? [`, and ${along.length} along with it`] : []),
  ].join('');
  const cells = lead.cells.map((cell, index) => `${markdownCell(cell, at)}${index === 0 ? also : ''}`);
  return `| ${[`\`${lead.mark}\``, ...cells].join(' | ')} |\n`;
}

function countLines(changes: Changes): readonly string[] {
  const counts = groupBy(allChanges(changes), ({ kind, verb, type }) =>
    verb === '' ? `${code(type)}: ${kind}` : `${code(type)} to ${verb}`,
  );
  return [...counts].map(([what, found]) => `- ${found.length} ${what}\n`);
}
