import type { Cure, Section } from '../document/document.js';
import { itemGroups, numberOf } from '../document/section.js';
import { visibleLine } from '../words/escape.js';
import { commandOf } from '../words/diagnostics.js';
import type { ReviewPlace } from '../view/review-place.js';
import { fitted } from './budget.js';
import { code, fenced, lineBreak, prose } from './escape.js';
import { markdownItem } from './line.js';

const mostLinked = 50;

/**
 * A section under a heading of its own, as far as there is room. Few items lead to their lines; a link never costs an
 * item its place.
 */
export function markdownSection(section: Section, room: number, at: ReviewPlace): string {
  const title = section.id === 'origins' ? `${section.title}: ${numberOf(section.items)}` : section.title;
  return linkedIfFits(section, `### ${title}\n\n`, '\n', room, at);
}

/** The same, folded: for whoever asks. */
export function markdownAside(section: Section, room: number, at: ReviewPlace, isOpen: boolean): string {
  const head = `<details${isOpen ? ' open' : ''}><summary>${section.title}: ${numberOf(section.items)}</summary>\n\n`;
  return linkedIfFits(section, head, '\n</details>\n\n', room, at);
}

function linkedIfFits(section: Section, head: string, end: string, room: number, at: ReviewPlace): string {
  if (at.links?.files === undefined || section.items.length > mostLinked) return listed(section, head, end, room, {});
  const linked = listed(section, head, end, Number.POSITIVE_INFINITY, at);
  return linked.length <= room ? linked : listed(section, head, end, room, {});
}

function listed(section: Section, head: string, end: string, room: number, at: ReviewPlace): string {
  const { lead, cure = [] } = section;
  const groups = itemGroups(section);
  const before = `${head}${lead === undefined ? '' : `${prose(lead)}\n\n`}`;
  const after = end + cures(cure, Math.max(0, Math.floor((room - before.length) / 2)), at);
  const titles = groups.map(([title, items]) => (title === undefined ? '' : `**${title}: ${numberOf(items)}**\n\n`));
  const rest = (hidden: number): string => `- … and ${hidden} more, in the HTML report\n`;
  // Every title and every count has its place before the first item takes one.
  const kept = groups.map(([, items], index) => (titles[index]?.length ?? 0) + rest(numberOf(items)).length + 1);
  let left = room - before.length - after.length - kept.reduce((sum, size) => sum + size, 0);
  const parts = groups.map(([, items], index) => {
    const line = rest(numberOf(items)).length;
    const texts = items.map((item) => markdownItem(item, at));
    // The line counts what the items stand for.
    const part = fitted(texts, Math.max(0, left) + line, (hidden) =>
      rest(hidden === 0 ? 0 : numberOf(items.slice(-hidden))),
    );
    left += line - part.text.length;
    return `${titles[index] ?? ''}${part.text}`;
  });
  return `${before}${parts.join('\n')}${after}`;
}

/** What can be done about it, whole or not at all. */
function cures(found: readonly Cure[], room: number, at: ReviewPlace): string {
  const shown = found.filter(({ where }) => where !== 'terminal');
  const text = shown.map((one) => cureText(one, at)).join('');
  if (text.length <= room) return text;
  return 'What lifts them is too long for this text: list each name under `guards.allow` in `sync.yaml`, or take the whole command from the text report of the plan.\n\n';
}

export function cureText({ words, lines: bare, language }: Cure, { stack }: ReviewPlace): string {
  if (bare.length === 0) return `${prose(words)}\n\n`;
  const lines = bare.map((line) => commandOf(line, stack));
  const [first = ''] = lines;
  if (language === 'sh' && lines.length === 1 && first.length < 80 && !first.includes('--allow'))
    return `${prose(words)}${lineBreak}${code(first)}\n\n`;
  return `${prose(words)}\n\n${fenced(lines.map(visibleLine), language)}\n`;
}
