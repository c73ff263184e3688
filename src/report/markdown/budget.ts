/** Characters of a comment, marker apart: a review comment may have 65,536. */
export const commentLimit = 60_000;

/** As many of the items as fit, in their order, and a line that counts the others. Never longer than `room`. */
export interface Fitted {
  readonly text: string;
  readonly hidden: number;
}

/**
 * Fills `room` characters. `rest` makes the line for what is left out; it is asked for the largest number first, so
 * that its place is kept.
 */
export function fitted(items: readonly string[], room: number, rest: (hidden: number) => string): Fitted {
  let total = 0;
  for (const item of items) total += item.length;
  if (total <= room) return { text: items.join(''), hidden: 0 };
  const left = room - rest(items.length).length;
  let used = 0;
  let shown = 0;
  for (const item of items) {
    if (used + item.length > left) break;
    used += item.length;
    shown += 1;
  }
  const line = rest(items.length - shown);
  if (line.length > room) return { text: '', hidden: items.length };
  return { text: `${items.slice(0, shown).join('')}${line}`, hidden: items.length - shown };
}
