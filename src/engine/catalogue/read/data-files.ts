import { isNode, parseDocument } from 'yaml';
import { mostLevels, mustNotBeDeeper, readJson, TooDeepError } from '@platform-sync/core/model/read-json';
import type { ReadText } from '@platform-sync/core/model/desired';
import { addTo } from '@platform-sync/core/model/graph';
import type { PathSegment } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';
import type { Json } from '@platform-sync/core/model/value';
import type { ProjectFiles, TextRead } from './file-texts.js';
import { isTooDeepForYaml } from './js-yaml-events.js';

/** A data file parsed as YAML or JSON, or that it could not be. */
type DataRead = TextRead | { readonly ok: false; readonly why: 'not-yaml' | 'too-deep' };
export type DataParsed = { readonly ok: true; readonly value: Json } | Exclude<DataRead, { readonly ok: true }>;

/** What is wrong with an OpenAPI Overlay, or with what it is for; `path` leads to it in its file. */
export interface OverlayFault {
  readonly file: string;
  readonly path: readonly PathSegment[];
  readonly offset?: number;
  /** The rest of a sentence about the file. */
  readonly what: string;
  readonly hint?: string;
}

/** A specification as OpenAPI Overlays leave it. */
export interface Overlaid {
  readonly text: string;
  /** The specification's own file. */
  readonly base: string;
  /** The overlay that was applied last. */
  readonly by: string;
  /** Actions that changed nothing. */
  readonly idle: readonly OverlayFault[];
}

/** What stands for a file where overlays are applied: another text, or nothing, because the file is an overlay of another one. */
export type GivenText = Overlaid | OverlayFault | 'applied';

/** True for an OpenAPI Overlay: a document that says what to change in a specification. */
export function isSpecificationOverlay(text: string): boolean {
  // Whatever comes first in it, its kind stands near the top.
  return /^(?:\{\s*)?\s*["']?overlay["']?[ \t]*:[ \t]*["']?\d+\.\d/m.test(text.slice(0, 4000));
}

/** Files that catalogue files read with `!file`: each read once and parsed at most once a run. */
export class DataFiles {
  readonly #files: ProjectFiles;
  readonly #parsed = new Map<string, DataParsed>();
  readonly #readers = new Map<string, Set<string>>();
  readonly #overlaid = new Map<string, Overlaid | OverlayFault>();
  readonly #waiting = new Set<string>();

  /** `followsOverlays`: an overlay of a specification stands for what it makes of it. */
  constructor(
    files: ProjectFiles,
    readonly followsOverlays = false,
  ) {
    this.#files = files;
  }

  /** Overlays that were asked for what they stand for, which nobody has made yet. */
  get waiting(): ReadonlySet<string> {
    return this.#waiting;
  }

  /** What an overlay stands for; undefined: it is waited for. */
  overlaid(file: string): Overlaid | OverlayFault | undefined {
    const found = this.#overlaid.get(file);
    if (found === undefined) this.#waiting.add(file);
    return found;
  }

  /** Keeps what an overlay stands for. */
  overlay(file: string, found: Overlaid | OverlayFault): void {
    this.#overlaid.set(file, found);
    this.#waiting.delete(file);
  }

  text(file: string, reader: string): TextRead {
    this.#remember(file, reader);
    return this.#files.read(file);
  }

  parsed(file: string, reader: string): DataParsed {
    this.#remember(file, reader);
    let parsed = this.#parsed.get(file);
    if (parsed === undefined) this.#parsed.set(file, (parsed = this.#parse(file)));
    return parsed;
  }

  /** Says that `reader` takes the file for data, before it is read. */
  claim(file: string, reader: string): void {
    this.#remember(file, reader);
  }

  /** As if `reader` had read nothing: it is read anew. */
  forget(reader: string): void {
    for (const readers of this.#readers.values()) readers.delete(reader);
  }

  /** True when a catalogue file other than itself reads it. */
  isRead(file: string): boolean {
    const readers = this.#readers.get(file);
    return readers !== undefined && (readers.size > 1 || !readers.has(file));
  }

  /** The files that each catalogue file reads. */
  byReader(): ReadonlyMap<string, readonly ReadText[]> {
    const found = new Map<string, ReadText[]>();
    for (const [file, readers] of this.#readers) {
      const read = this.#files.read(file);
      for (const reader of readers) addTo(found, reader, { file, text: read.ok ? read.text : '' });
    }
    return found;
  }

  #remember(file: string, reader: string): void {
    const readers = this.#readers.get(file);
    if (readers === undefined) this.#readers.set(file, new Set([reader]));
    else readers.add(reader);
  }

  #parse(file: string): DataParsed {
    const read = this.#files.read(file);
    if (!read.ok) return read;
    try {
      return { ok: true, value: file.endsWith('.json') ? readJson(read.text) : parseYaml(read.text) };
    } catch (error) {
      return { ok: false, why: error instanceof TooDeepError ? 'too-deep' : 'not-yaml' };
    }
  }
}

/** Throws when the text is no YAML, or holds more aliases than an honest file does. */
export function parseYaml(text: string): Json {
  if (isTooDeepForYaml(text)) throw new TooDeepError(mostLevels.foreign);
  // The package's own duplicate search compares every key with every other; large maps would take minutes.
  const document = parseDocument(text, { merge: true, prettyErrors: false, uniqueKeys: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  const value = document.toJS({ maxAliasCount: 100 }) as Json;
  mustNotBeDeeper(value);
  return value;
}

/** Where a part of YAML or JSON stands, or what of its surroundings is spelt out. */
export function rangeIn(file: string, text: string, path: readonly PathSegment[]): SourceRange {
  const document = parseDocument(text, { merge: true, prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return { file, start: node.range[0], end: node.range[1] };
  }
  return { file, start: 0, end: 0 };
}
