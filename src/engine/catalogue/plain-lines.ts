/** Thrown where a file leaves the plain subset; the full parser reads it then. Nobody outside sees it. */
export class NotPlain extends Error {}

/** One for all: making a stack trace would cost more than the reading. */
const notPlain = new NotPlain();

export function leave(): never {
  throw notPlain;
}

const newline = 10;
const space = 32;
const hash = 35;

/** The lines of a YAML file that say something: blank ones and those with only a comment are passed over. */
export class PlainLines {
  readonly text: string;
  /** Spaces before the content; -1 behind the last line. */
  indent = -1;
  /** Offset of the content. */
  start = 0;
  /** Offset of the line break. */
  end: number;

  /** `from`: where the first line starts. */
  constructor(text: string, from: number) {
    this.text = text;
    this.end = from - 1;
    this.next();
  }

  /** On to the next line with content. */
  next(): void {
    const { text } = this;
    for (let from = this.end + 1; from < text.length; from = this.end + 1) {
      let at = from;
      while (text.charCodeAt(at) === space) at++;
      const end = text.indexOf('\n', at);
      this.end = end;
      if (at === end || text.charCodeAt(at) === hash) continue;
      this.indent = at - from;
      this.start = at;
      return;
    }
    this.indent = -1;
    this.start = text.length;
  }

  /** The rest of a line from an offset on must be spaces or a comment. */
  finish(offset: number): void {
    const { text } = this;
    let at = offset;
    while (text.charCodeAt(at) === space) at++;
    if (at !== this.end && !(text.charCodeAt(at) === hash && at > offset)) leave();
    this.next();
  }

  /**
   * The text of a `|` block whose header ends the current line, and where it ends. Goes on to the first line behind it.
   * `parent`: indent of what the block belongs to.
   */
  literal(parent: number, keepsLastBreak: boolean): { readonly value: string; readonly end: number } {
    const { text } = this;
    const first = this.end + 1;
    const indent = spacesAt(text, first);
    // A block that starts with a blank line finds its indent by other rules.
    if (indent <= parent || text.charCodeAt(first + indent) === newline || first >= text.length) leave();
    const lines: string[] = [];
    let blank = 0;
    let end = first;
    for (let from = first; from < text.length;) {
      const to = text.indexOf('\n', from);
      const spaces = spacesAt(text, from);
      if (to === from) blank++;
      // A line of spaces may be content or not.
      else if (from + spaces === to) leave();
      else if (spaces < indent) {
        if (spaces > parent) leave();
        break;
      } else {
        for (; blank > 0; blank--) lines.push('');
        lines.push(text.slice(from + indent, to));
        end = to + 1;
      }
      from = to + 1;
    }
    this.end = end - 1;
    this.next();
    return { value: lines.join('\n') + (keepsLastBreak ? '\n' : ''), end };
  }
}

function spacesAt(text: string, offset: number): number {
  let at = offset;
  while (text.charCodeAt(at) === space) at++;
  return at - offset;
}
