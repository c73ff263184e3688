import { tellLength } from '@platform-sync/core/model/long-run';
import type { Place, SourceRange, Sources } from '@platform-sync/core/model/diagnostic';

interface SourceFile {
  readonly text: string;
  /** Offsets at which lines start; made when the first place of the file is asked for. */
  lineStarts?: readonly number[];
  /** Stretches that hold secrets: a line that touches one is never shown. */
  readonly hidden: SourceRange[];
  hideAll: boolean;
}

/** The texts of all files of a run, and the places in them. */
export class SourceFiles implements Sources {
  readonly #files = new Map<string, SourceFile>();
  #length = 0;

  add(file: string, text: string): void {
    const before = this.#length;
    this.#length += text.length;
    tellLength(before, this.#length);
    this.#files.set(file, { text, hidden: [], hideAll: false });
  }

  /** Keeps the lines of a range out of every message. */
  hide(range: SourceRange): void {
    this.#files.get(range.file)?.hidden.push(range);
  }

  /** Keeps all lines of a file out of every message: for files too broken to know where their secrets are. */
  hideFile(file: string): void {
    const known = this.#files.get(file);
    if (known !== undefined) known.hideAll = true;
  }

  /** As if nothing had been hidden in a file: it is read anew. */
  unhide(file: string): void {
    this.#files.get(file)?.hidden.splice(0);
  }

  /** The text of a range; empty for files that were never added. */
  slice(range: SourceRange): string {
    return this.#files.get(range.file)?.text.slice(range.start, range.end) ?? '';
  }

  place(range: SourceRange): Place {
    const source = this.#files.get(range.file);
    if (source === undefined) return { file: range.file, line: 1, column: 1 };
    const starts = (source.lineStarts ??= lineStarts(source.text));
    const line = lineAt(starts, range.start);
    // A range that ends with a line break ends on the line before it.
    const last = Math.max(range.start, trimmedEnd(source.text, range));
    const endLine = lineAt(starts, last);
    const place: Place = {
      file: range.file,
      line: line + 1,
      column: range.start - (starts[line] ?? 0) + 1,
      endLine: endLine + 1,
      endColumn: last - (starts[endLine] ?? 0) + 1,
    };
    const text = lineText(source, starts, line);
    return text === undefined ? place : { ...place, text };
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function trimmedEnd(text: string, range: SourceRange): number {
  let end = range.end;
  while (end > range.start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}

function lineText(source: SourceFile, starts: readonly number[], line: number): string | undefined {
  const from = starts[line] ?? 0;
  const to = starts[line + 1] ?? source.text.length + 1;
  if (source.hideAll || source.hidden.some((range) => range.start < to && range.end >= from)) return undefined;
  return source.text.slice(from, to - 1).replace(/\r$/, '');
}
