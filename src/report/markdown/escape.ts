import { entities, visible } from '../words/escape.js';
import { count } from '../words/value.js';

// Longer names and values are cut: they are whole in the HTML report and in the plan itself.
const maxCode = 200;

/** A name or value as a code span: nothing inside it is a link, a mention, a tag or markup. One line. */
export function code(text: string, max = maxCode): string {
  const shown = cut(visible(text), max);
  if (shown === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // A blank at both ends is taken off again by readers of Markdown.
  const pad = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** Like `code`, for the cell of a table: there a bar would end the cell even inside a code span. */
export function cellCode(text: string, max = maxCode): string {
  return code(text.replaceAll('|', '\\u007c'), max);
}

// Nothing begins with one or two of these, nor with a time: they stand for themselves.
const punctuation = /^[():;,.→]{1,2}$|^\d\d:\d\d[.,;]?$/;
/** Words that mean nothing to any reader of Markdown: no reference, mention, link, emoji, commit id or markup. */
const harmless = /^["'(]*[A-Za-z0-9][A-Za-z0-9.'’–-]*(?:%[.,;:!?)]*|[.,;:!?)"']*)$|^[–→…,;]+$|^%[.,;:!?)]*$/;
const reference = /^["'(]*(?:www\.|[A-Za-z]+-\d+|[0-9a-f]{7,}|\d+[.)])/i;

/** A sentence that may hold names: its harmless words as they are, everything else as code spans. One line. */
export function prose(text: string, max = 500): string {
  const words = cut(visible(text), max).split(' ');
  const parts: string[] = [];
  let strange: string[] = [];
  const flush = (): void => {
    if (strange.length > 0) parts.push(codeWithTail(strange.join(' '), max));
    strange = [];
  };
  for (const word of words) {
    if (word === '') continue;
    if (!punctuation.test(word) && (!harmless.test(word) || reference.test(word))) {
      strange.push(word);
      continue;
    }
    flush();
    parts.push(word);
  }
  flush();
  return parts.join(' ');
}

/** The sentence's own punctuation stays outside of the span. */
function codeWithTail(text: string, max: number): string {
  const tail = /[.,;:!?]*$/.exec(text)?.[0] ?? '';
  const core = text.slice(0, text.length - tail.length);
  return core === '' ? code(text, max) : `${code(core, max)}${tail}`;
}

/** A name inside raw HTML (a summary line). */
export function htmlCode(text: string): string {
  return `<code>${entities(cut(visible(text), maxCode))}</code>`;
}

/** A fenced block that no line inside it can close. Lines must be visible already. */
export function fenced(lines: readonly string[], language: string): string {
  let longest = 2;
  for (const line of lines) longest = Math.max(longest, longestRun(line));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${lines.join('\n')}\n${fence}\n`;
}

/** The beginning of a text; says how much is missing. Never cuts a character in half. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = /[\uD800-\uDBFF]/.test(text[max - 1] ?? '') ? max - 1 : max;
  return `${text.slice(0, end)}… (${count(text.length - end, 'more character')})`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}

/** Begins a line inside of a paragraph or an item, on every platform. */
export const lineBreak = '  \n';
