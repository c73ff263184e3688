import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ownMember } from '@platform-sync/core/model/value';
import { isWithin } from '@platform-sync/core/model/within';

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
