// Valid in JSON as they are, but on a terminal they move the cursor or make two texts look alike.
const hidden =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Indented JSON of one document, a line feed at its end; invisible and controlling characters as escapes. Same value. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(hidden, escaped)}\n`;
}

/** JSON's escapes are of UTF-16 units. */
function escaped(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
