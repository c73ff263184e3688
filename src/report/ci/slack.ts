import type { Json } from '@platform-sync/core/model/value';
import type { Document, Item, Section, Span } from '../document/document.js';
import { lineText, numberOf } from '../document/section.js';
import { visible } from '../words/escape.js';

const mostListed = 15;
// The service refuses longer texts.
const longestBlock = 2900;

/** A document as a message in the form that Slack, and what imitates it, takes: its verdict and its sections. */
export function documentSlack({ subject, ending, facts, sections }: Document, link?: string): Json {
  const before = facts.filter(({ weight }) => weight === 'warning').map(({ line }) => lineText(line));
  const lines = [...before, ending];
  const title = lines.map((text) => `*${escaped(text)}*`).join(' ');
  const { project, stack = '' } = subject;
  const about = project === undefined ? '' : `\nProject ${span(project)}, stack ${span(stack)}`;
  // The service's own form of a link; the address is one of the pipeline's.
  const footer = link === undefined ? [] : [`<${entities(link)}|The run with the whole report>`];
  return {
    text: lines.join(' '),
    blocks: [`${title}${about}`, ...sections.map(sectionText), ...footer].map(block),
  };
}

function sectionText({ title, items }: Section): string {
  const shown = items.slice(0, mostListed).map((item) => `• ${itemText(item)}`);
  const hidden = numberOf(items) - numberOf(items.slice(0, mostListed));
  return [`*${title}: ${numberOf(items)}*`, ...shown, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n');
}

function itemText({ line }: Item): string {
  return line.map(spanText).join('');
}

const shownNames = 10;

function spanText(part: Span): string {
  if (typeof part === 'string') return escaped(part);
  if ('names' in part)
    return part.names
      .slice(0, shownNames)
      .map(({ address }) => span(address))
      .join(', ');
  if ('old' in part)
    return [part.old, part.new].map((side) => (side === undefined ? '(none)' : span(side))).join(' → ');
  return span(lineText([part]));
}

function block(text: string): Json {
  // Cut between lines, so that no escape and no code span is cut in two.
  const lines = text.split('\n');
  while (lines.join('\n').length > longestBlock && lines.length > 1) lines.pop();
  return { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n').slice(0, longestBlock) } };
}

/** A name in code: neither a mention nor markup. */
function span(text: string): string {
  const shown = visible(text).slice(0, 200).replaceAll('`', "'");
  return `\`${entities(shown)}\``;
}

/** Words with names in them: what the service reads as markup or as a mention is taken out. */
function escaped(text: string): string {
  return entities(
    visible(text)
      .slice(0, 400)
      .replace(/[`*_~]/g, ' ')
      .replaceAll('@', '(at)'),
  );
}

function entities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
