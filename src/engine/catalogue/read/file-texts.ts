import { tellLength } from '@platform-sync/core/model/long-run';
import type { Place, SourceRange, Sources } from '@platform-sync/core/model/diagnostic';
import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ownMember } from '@platform-sync/core/model/value';
import { isWithin } from '@platform-sync/core/model/within';

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

  /** The same files, to which others can be added. */
  copy(): SourceFiles {
    const copy = new SourceFiles();
    for (const [file, source] of this.#files) copy.#files.set(file, source);
    return copy;
  }

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

/** Catalogue files, and files they read, may be this large; in bytes. */
export const maxFileBytes = 32 * 1024 * 1024;

/** A file's text without byte order mark, or why there is none. */
export type TextRead =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly why: 'missing' | 'unreadable' | 'outside' | 'outside-link' | 'no-data' | 'too-large';
    }
  /** `text` has U+FFFD where bytes made no sense, `offset` is the first of them. */
  | { readonly ok: false; readonly why: 'not-utf8'; readonly text: string; readonly offset: number };

/** True for a text with a section of a catalogue at the beginning of a line. */
export function hasSections(text: string): boolean {
  return /^(?:\{\s*)?["']?(?:defaults|variables|sources|resources|outputs|removed|patches)["']?\s*:/m.test(text);
}

/** Texts that somebody has open and has not saved, by absolute path. */
export type Texts = ReadonlyMap<string, string>;

/** Reads text files of one project; refuses every way out of its folder. Each file is read once. */
export class ProjectFiles {
  readonly root: string;
  readonly #realRoot: string;
  readonly #kept: string | undefined;
  readonly #texts: Texts | undefined;
  readonly #read = new Map<string, TextRead>();

  /** `kept`: absolute path of a file that is no data, the state. `texts`: what stands for what files hold. */
  constructor(root: string, kept?: string, texts?: Texts) {
    this.root = path.resolve(root);
    this.#kept = kept;
    this.#texts = texts;
    this.#realRoot = realPath(this.root) ?? this.root;
  }

  /** `file` is relative to the root, with forward slashes. */
  read(file: string): TextRead {
    let read = this.#read.get(file);
    if (read === undefined) this.#read.set(file, (read = this.#readNow(file)));
    return read;
  }

  /**
   * True when a file has a section of a catalogue at its top level. A file that another one reads as data is left out
   * of the catalogue only without: a mistyped `!file` must not make resources disappear.
   */
  looksLikeCatalogue(file: string): boolean {
    const read = this.read(file);
    return read.ok && hasSections(read.text);
  }

  #readNow(file: string): TextRead {
    const absolute = path.resolve(this.root, file);
    if (!isInside(this.root, absolute)) return { ok: false, why: 'outside' };
    // Before it is known whether there is one: the answer says nothing about the machine.
    if (!isData(file)) return { ok: false, why: 'no-data' };
    const real = realPath(absolute);
    if (real === undefined) return { ok: false, why: 'missing' };
    if (!isInside(this.#realRoot, real)) return { ok: false, why: 'outside-link' };
    if (!isData(path.relative(this.#realRoot, real))) return { ok: false, why: 'no-data' };
    if (this.#kept !== undefined && (absolute === this.#kept || real === realPath(this.#kept)))
      return { ok: false, why: 'no-data' };
    const open = this.#texts?.get(absolute);
    if (open !== undefined) return { ok: true, text: open };
    try {
      const stat = statSync(real);
      // Devices and pipes could block for ever.
      if (!stat.isFile()) return { ok: false, why: 'unreadable' };
      if (stat.size > maxFileBytes) return { ok: false, why: 'too-large' };
      const kind = pictureKind(file);
      const bytes = readFileSync(real);
      return kind === undefined
        ? decode(bytes)
        : { ok: true, text: `data:image/${kind};base64,${bytes.toString('base64')}` };
    } catch {
      return { ok: false, why: 'unreadable' };
    }
  }
}

/** Names that hold secrets or the insides of tools, at any depth and in any case. */
const noData =
  /^(?:\.git|\.sync|\.hg|\.svn|\.ssh|\.aws|\.docker|\.kube|\.env(?:[.-].*|rc)?|[^.].*\.env|\.npmrc|\.netrc|_netrc|\.pgpass|\.git-credentials)$/i;

/**
 * False where any part of a path has a name that is never read. To some systems trailing dots and spaces are nothing, and what
 * follows a colon is a stream of the same file.
 */
export function isData(file: string): boolean {
  return !file
    .split(/[\\/]/)
    .some((part) => noData.test(part.replace(/[. ]*(?::.*)?$/, '')) || /^git~\d+$/i.test(part));
}

/** The path of `target` as seen from the folder of `file`; both relative to the root, forward slashes. */
export function siblingPath(file: string, target: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync.native(file);
  } catch {
    return undefined;
  }
}

function isInside(folder: string, file: string): boolean {
  return file !== folder && isWithin(folder, file);
}

const pictures: Readonly<Record<string, string>> = {
  '.gif': 'gif',
  '.ico': 'x-icon',
  '.jpeg': 'jpeg',
  '.jpg': 'jpeg',
  '.png': 'png',
  '.svg': 'svg+xml',
};

/** The kind of picture that a file holds, by its name: what stands for one in texts is its data URL. */
export function pictureKind(file: string): string | undefined {
  return ownMember(pictures, path.extname(file).toLowerCase());
}

function decode(bytes: Buffer): TextRead {
  if (isUtf8(bytes)) {
    const text = bytes.toString('utf8');
    return { ok: true, text: text.startsWith('\uFEFF') ? text.slice(1) : text };
  }
  const text = bytes.toString('utf8');
  return { ok: false, why: 'not-utf8', text, offset: Math.max(0, text.indexOf('\uFFFD')) };
}

/** True for a text that says what kind of API specification it is. */
export function isSpecification(text: string): boolean {
  return /^(?:\{\s*)?["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:/m.test(text);
}
