import type { Json } from '@platform-sync/core/model/value';
import { visible } from '@platform-sync/report/words/escape';

const mostListed = 15;
// The service refuses longer texts.
const longestBlock = 2900;

/** A list under its title, with how many there are; empty for none. */
export function part(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const shown = lines.slice(0, mostListed).map((line) => `• ${line}`);
  const hidden = lines.length - shown.length;
  return [`*${title}: ${lines.length}*`, ...shown, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].join('\n');
}

/** The service's own form of a link; the address is one of the pipeline's. */
export function linked(link: string | undefined, words: string): readonly string[] {
  return link === undefined ? [] : [`<${entities(link)}|${words}>`];
}

export function section(text: string): Json {
  // Cut between lines, so that no escape and no code span is cut in two.
  const lines = text.split('\n');
  while (lines.join('\n').length > longestBlock && lines.length > 1) lines.pop();
  return { type: 'section', text: { type: 'mrkdwn', text: lines.join('\n').slice(0, longestBlock) } };
}

/** A name in code: neither a mention nor markup. */
export function span(text: string): string {
  const shown = visible(text).slice(0, 200).replaceAll('`', "'");
  return `\`${entities(shown)}\``;
}

/** Words with names in them: what the service reads as markup or as a mention is taken out. */
export function escaped(text: string): string {
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
