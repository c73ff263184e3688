import { isList, isObject, type Json } from '@platform-sync/core/model/value';
import type { Place } from '@platform-sync/core/model/diagnostic';
import { readJson, TooDeepError } from '@platform-sync/core/model/read-json';
import { SourceFiles } from '@platform-sync/catalogue/read/file-texts';
import { isTooDeepForYaml, quickNodes, quickValue } from '@platform-sync/catalogue/read/js-yaml-events';
import { documentsOfRecord } from '@platform-sync/catalogue/read/yaml-documents';
import { NodeValues } from '@platform-sync/catalogue/read/node-values';
import { nodeOf, type YamlNode } from '@platform-sync/catalogue/read/yaml-events';
import { Problems } from '@platform-sync/catalogue/problem/problems';

/** What keeps a text from being read. */
interface Unreadable {
  readonly what: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly place: Place;
}

/** A specification, or a file that one refers to: its value, and where the parts of it stand. */
export class SpecificationText {
  readonly value: Json | undefined;
  readonly unreadable: Unreadable | undefined;
  readonly #sources = new SourceFiles();
  #root: YamlNode | undefined;
  #isLocated = false;
  #values: NodeValues | undefined;

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.#sources.add(file, text);
    const read = this.#read();
    this.value = read.value;
    this.unreadable = read.unreadable;
  }

  /** Where a part of the value stands: a text or number itself, a map or list at its key. With `member`, that key of it. */
  placeOf(path: readonly string[], member?: string): Place {
    const root = this.#located();
    const found = root === undefined ? undefined : this.#values?.rangeOf(root, path, member);
    return this.#place(found?.start ?? 0, found?.end ?? 0);
  }

  #place(start: number, end: number): Place {
    return this.#sources.place({ file: this.file, start, end });
  }

  #read(): { readonly value?: Json; readonly unreadable?: Unreadable } {
    const { text, file } = this;
    if (text.trim() === '') return this.#broken('is empty', 0);
    const startsAsJson = /^\s*[[{]/.test(text);
    if (startsAsJson || file.endsWith('.json')) {
      try {
        return { value: readJson(text) };
      } catch (error) {
        if (error instanceof TooDeepError) return this.#broken(`can't be read: ${error.message}`, 0);
        const yaml = this.#readYaml();
        // A bracket that is never closed has a better place there; what only YAML allows is no JSON.
        if (yaml.unreadable !== undefined || !file.endsWith('.json')) return yaml;
        return this.#broken("can't be read: it is no JSON", jsonMistake(error, text));
      }
    }
    return this.#readYaml();
  }

  #readYaml(): { readonly value?: Json; readonly unreadable?: Unreadable } {
    const plain = quickValue(this.text);
    if (plain !== undefined) return { value: plain };
    const roots = this.#roots();
    if (!Array.isArray(roots)) return { unreadable: roots };
    const [root, second] = roots;
    if (second !== undefined) return this.#broken("can't be read: a second document starts in it", second.start);
    this.#isLocated = true;
    if (root === undefined) return this.#broken('is empty', 0);
    this.#root = root;
    this.#values = new NodeValues();
    const value = this.#values.valueOf(root);
    const { mistake } = this.#values;
    return mistake === undefined ? { value } : this.#broken(`can't be read: ${mistake.what}`, mistake.at.start);
  }

  #roots(): YamlNode[] | Unreadable {
    const { text, file } = this;
    const read = quickNodes(text);
    if (read !== undefined) return [...read];
    if (isTooDeepForYaml(text))
      return { what: "can't be read: values are nested too deeply", place: this.#place(0, 0) };
    const problems = new Problems();
    const roots: YamlNode[] = [];
    for (const events of documentsOfRecord(file, text, problems)) {
      if (events === 'broken') break;
      const root = events === 'empty' ? undefined : nodeOf(events);
      if (root !== undefined) roots.push(root);
    }
    const [first] = problems.diagnostics(this.#sources);
    if (first === undefined) return roots;
    const { summary, detail, hint, place = this.#place(0, 0) } = first;
    const what = `can't be read: ${summary.charAt(0).toLowerCase()}${summary.slice(1).replace(/\.$/, '')}`;
    return { what, place, ...(detail !== undefined && { detail }), ...(hint !== undefined && { hint }) };
  }

  #broken(what: string, start: number): { readonly unreadable: Unreadable } {
    return { unreadable: { what, place: this.#place(start, start + 1) } };
  }

  /** Most texts are read without places: only what is wrong asks for one. */
  #located(): YamlNode | undefined {
    if (this.#isLocated) return this.#root;
    this.#isLocated = true;
    const roots = this.#roots();
    if (!Array.isArray(roots) || roots[0] === undefined) return undefined;
    this.#root = roots[0];
    this.#values = new NodeValues();
    this.#values.valueOf(this.#root);
    return this.#root;
  }
}

/** The parser of the language says where, in one of several ways. */
function jsonMistake(error: unknown, text: string): number {
  const said = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return said === undefined ? Math.max(0, text.trimEnd().length - 1) : Number(said);
}

/** A member of a map or an item of a list. */
export function memberAt(value: Json | undefined, key: string): Json | undefined {
  if (isList(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
