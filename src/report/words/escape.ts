import { ownMember } from '@platform-sync/core/model/value';

// Names and values come from files and from the platform: a control character could move the cursor or colour a
// verdict, an invisible or direction-changing one could make two texts look alike.
// By what Unicode says of them, so that none is missing: the blank Braille pattern alone is no such character by name. What makes a sign
// a picture may stay behind it.
export const hidden =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufff9-\ufffb\u2800]|(?!\ufe0f)\p{Default_Ignorable_Code_Point}|(?<!\p{Extended_Pictographic})\ufe0f|\p{Surrogate}/gu;

// What most texts are made of: nothing in it is hidden.
const printable = /^[ -~]*$/;

const familiar: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// What CI systems that read a job's log would take as an order: `::error …` after blanks, `##[…]` anywhere in a line.
const orders = /^(\s*):(?=:)|#(?=#[a-z]*\[)/gi;

/** The second of them, which may stand inside of a text in quotes, too. */
export const bracketOrder = /#(?=#[a-z]*\[)/gi;

/** The text with every invisible or controlling character spelled out, on one line. */
export function visible(text: string): string {
  const told = text.includes('::') || text.includes('##') ? withoutOrders(text) : text;
  if (printable.test(told)) return told;
  return told.replace(hidden, (char) => {
    const known = ownMember(familiar, char);
    if (known !== undefined) return known;
    const code = char.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** One line of a longer text: like `visible`, but a tab stays a tab. */
export function visibleLine(line: string): string {
  return line.includes('\t') ? line.split('\t').map(visible).join('\t') : visible(line);
}

/** Text for HTML, elements and quoted attributes alike. */
export function entities(text: string): string {
  return marks.test(text) ? text.replace(allMarks, (mark) => ownMember(named, mark) ?? mark) : text;
}

const marks = /[&<>"']/;
const allMarks = new RegExp(marks, 'g');
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function withoutOrders(text: string): string {
  return text.replace(orders, (order, blanks: string | undefined) =>
    order.endsWith(':') ? `${blanks ?? ''}\\u003a` : '\\u0023',
  );
}

/** The word as a POSIX shell must be given it. */
export function shellWord(word: string): string {
  const shown = visible(word);
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
