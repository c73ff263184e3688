import { bracketOrder, hidden } from './escape.js';

/**
 * Indented JSON of one document, a line feed at its end; invisible and controlling characters, and what a CI system would obey, as
 * escapes. Same value.
 */
export function jsonText(value: unknown): string {
  return `${shownJson(JSON.stringify(value, null, 2))}\n`;
}

/** The same for a text that is JSON already. */
export function shownJson(text: string): string {
  // The one control character that is left is the end of a line.
  return text.replace(hidden, (char) => (char === '\n' ? char : escaped(char))).replace(bracketOrder, escaped);
}

/** JSON's escapes are of UTF-16 units. */
function escaped(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
