import { visible } from '../words/escape.js';

/** One line for each kind of thing, longest first: `312  create and update body`. */
export function countsText(counts: ReadonlyMap<string, number>): string {
  const rows = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const width = Math.max(0, ...rows.map(([, count]) => String(count).length));
  return rows.map(([what, count]) => `${String(count).padStart(width)}  ${visible(what)}\n`).join('');
}

/** `! Api.name becomes required`; what breaks nothing has no sign. */
export function typeChangesText(
  changes: readonly {
    readonly type: string;
    readonly field?: string;
    readonly what: string;
    readonly breaks: boolean;
    readonly of?: readonly string[];
  }[],
): string {
  if (changes.length === 0) return 'Nothing changes for catalogues.\n';
  return changes
    .map(({ type, field, what, breaks, of = [] }) => {
      const name = field === undefined ? type : `${type}.${field}`;
      return `${breaks ? '!' : ' '} ${visible(name)} ${what}${of.length === 0 ? '' : visible(`: ${of.join(', ')}`)}\n`;
    })
    .join('');
}
