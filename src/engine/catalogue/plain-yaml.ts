import type { Expression, MapEntry } from '../model/expression.js';
import type { BuildContext } from './build-context.js';
import { leave, NotPlain, PlainLines } from './plain-lines.js';
import { matchAt, PlainValues, skipSpaces, type PlainValue } from './plain-values.js';
import { Problems } from './problems.js';

/** `name:`, `platform:Api:`; what follows the colon is looked at by the reader. */
const keyPattern = /([A-Za-z_][\w./-]{0,200}(?::[\w./-]{1,200}){0,3}):(?= |\n)/y;
const literalHeader = /\|(-?)\n/y;
/** Not worth a thought in a plain file: other line breaks, tabs, byte order marks, documents, directives. */
const neverPlain = /[\t\r\u0000-\u0008\u000b-\u001f\ufeff]|^(?:---|\.\.\.|%)/m;
const documentStart = '---\n';
const deepest = 50;

/**
 * Reads the YAML that catalogues are mostly written in: block maps and lists, values in one line, `|` texts. Undefined
 * for anything else, mistakes included. The full parser has the last word on those, and gives the very same expressions
 * for what is read here. Several times as fast, because it makes no syntax tree.
 */
export function readPlainYaml(file: string, text: string, context: BuildContext): Expression | undefined {
  const start = text.startsWith(documentStart) ? documentStart.length : 0;
  if (!text.endsWith('\n') || neverPlain.test(start === 0 ? text : text.slice(start))) return undefined;
  // Problems are for the full reader to report, so that none is told twice.
  const problems = new Problems();
  try {
    const read = new PlainReader(file, new PlainLines(text, start), { ...context, problems }).read();
    return problems.isEmpty ? read : undefined;
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

class PlainReader {
  readonly #file: string;
  readonly #lines: PlainLines;
  readonly #values: PlainValues;
  #depth = 0;

  constructor(file: string, lines: PlainLines, context: BuildContext) {
    this.#file = file;
    this.#lines = lines;
    this.#values = new PlainValues(file, lines.text, context);
  }

  read(): Expression {
    if (this.#lines.indent !== 0) leave();
    const { value } = this.#map();
    if (this.#lines.indent >= 0) leave();
    return value;
  }

  /** The block map that starts at the current line. */
  #map(): PlainValue {
    const lines = this.#lines;
    const { indent, start } = lines;
    if (++this.#depth > deepest) leave();
    const entries = new Map<string, MapEntry>();
    let end = start;
    while (lines.indent === indent) {
      const [, name = ''] = matchAt(keyPattern, lines.text, lines.start) ?? leave();
      if (name.startsWith('fn::') || entries.has(name)) leave();
      const key = { file: this.#file, start: lines.start, end: lines.start + name.length };
      const read = this.#valueBehind(key.end + 1, indent);
      entries.set(name, { key, value: read.value });
      end = read.end;
    }
    if (lines.indent > indent) leave();
    this.#depth--;
    return { value: { kind: 'map', entries, at: { file: this.#file, start, end } }, end };
  }

  /** What stands behind `key:`, in the same line or below. */
  #valueBehind(colon: number, indent: number): PlainValue {
    const lines = this.#lines;
    const offset = skipSpaces(lines.text, colon);
    if (offset !== lines.end && lines.text[offset] !== '#') return this.#inLine(offset, indent);
    lines.next();
    const isList = this.#atItem();
    // Nothing below is null, whose place depends on what comes next. Lists need not be indented.
    if (lines.indent < indent || (lines.indent === indent && !isList)) leave();
    return isList ? this.#list(indent) : this.#map();
  }

  #inLine(offset: number, indent: number): PlainValue {
    const lines = this.#lines;
    if (lines.text[offset] === '|') {
      const [, strip] = matchAt(literalHeader, lines.text, offset) ?? leave();
      const { value, end } = lines.literal(indent, strip === '');
      return { value: this.#values.string(value, offset, end), end };
    }
    const read = this.#values.read(offset, lines.end);
    lines.finish(read.end);
    // A deeper line would go on with the value.
    if (lines.indent > indent) leave();
    return read;
  }

  /** The block list that starts at the current line; `parent` is the indent of the map it stands in. */
  #list(parent: number): PlainValue {
    const lines = this.#lines;
    const { indent, start } = lines;
    if (++this.#depth > deepest) leave();
    const items: Expression[] = [];
    let end = start;
    while (lines.indent === indent && this.#atItem()) {
      const read = this.#item(indent);
      items.push(read.value);
      end = read.end;
    }
    if (lines.indent > indent || (lines.indent === indent && indent !== parent)) leave();
    this.#depth--;
    return { value: { kind: 'list', items, at: { file: this.#file, start, end } }, end };
  }

  #item(indent: number): PlainValue {
    const lines = this.#lines;
    const offset = skipSpaces(lines.text, lines.start + 1);
    if (matchAt(keyPattern, lines.text, offset) === null) return this.#inLine(offset, indent);
    // A map that starts behind the dash: its other keys stand below the first.
    lines.indent += offset - lines.start;
    lines.start = offset;
    return this.#map();
  }

  #atItem(): boolean {
    return this.#lines.text.startsWith('- ', this.#lines.start);
  }
}
