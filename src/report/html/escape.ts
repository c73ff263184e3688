import { visible, visibleLine } from '../words/escape.js';

/** Text as HTML, for elements and quoted attributes alike. Nothing in it is invisible. */
export function text(value: string): string {
  return entities(visible(value));
}

/** One line of a longer text: a tab stays a tab. */
export function line(value: string): string {
  return entities(visibleLine(value));
}

/** Escapes what is visible already. */
export function entities(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
