import type { Expression, MapEntry } from '../model/expression.js';
import type { Scalar } from '../model/value.js';
import type { BuildContext } from './build-context.js';
import { leave } from './plain-lines.js';
import { readTemplate } from './read-template.js';

/** A value that was read, and the offset behind it. */
export interface PlainValue {
  readonly value: Expression;
  readonly end: number;
}

/** How a word may start: what has a meaning of its own in YAML is left out, and what is rare. */
const firstOfWord = /[A-Za-z0-9_/$(\u00a1-\ud7ff]|[-+.][A-Za-z0-9_/]/y;
/** Between brackets there are fewer characters that mean only themselves. */
const flowWord = /[A-Za-z0-9_/][A-Za-z0-9_/.+@-]*(?: +[A-Za-z0-9_/.+@-]+)*/y;
/** Keeps the pattern above from running over megabytes. */
const longestFlow = 10_000;
const deepest = 20;

const words: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...['null', 'Null', 'NULL'].map((text) => [text, null] as const),
  ...['true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);
const wholeNumber = /^(?:0|-?[1-9]\d{0,14})$/;
/** All other numbers of YAML's core schema. */
const otherNumber = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$|^0o[0-7]+$|^0x[\da-fA-F]+$|^[-+]?\.(?:inf|nan)$/i;
const longestNumber = 400;

/** Values that stand in one line. Leaves at everything that isn't certain to mean what it seems to. */
export class PlainValues {
  readonly #file: string;
  readonly #text: string;
  readonly #context: BuildContext;

  constructor(file: string, text: string, context: BuildContext) {
    this.#file = file;
    this.#text = text;
    this.#context = context;
  }

  /** The value at an offset of a line that ends at `lineEnd`. */
  read(offset: number, lineEnd: number): PlainValue {
    switch (this.#text[offset]) {
      case '"':
      case "'":
        return this.#quoted(offset);
      case '[':
      case '{':
        if (lineEnd - offset > longestFlow) leave();
        return this.#inFlow(offset, 0);
      default:
        return this.#word(offset);
    }
  }

  /** The expression of a text. */
  string(text: string, start: number, end: number): Expression {
    return readTemplate(text, { file: this.#file, start, end }, this.#context);
  }

  #quoted(offset: number): PlainValue {
    const end = this.#text.indexOf(this.#text[offset] ?? '', offset + 1) + 1;
    const inner = this.#text.slice(offset + 1, end - 1);
    // Escapes and folded lines are for the full parser; `''` shows as what stands behind the first quote.
    if (end === 0 || inner.includes('\n') || (this.#text[offset] === '"' && inner.includes('\\'))) leave();
    return { value: this.string(inner, offset, end), end };
  }

  /** Up to the end of the line, or to a comment. */
  #word(offset: number): PlainValue {
    const text = this.#text;
    if (matchAt(firstOfWord, text, offset) === null) leave();
    let end = offset;
    for (let at = offset; text[at] !== '\n'; at++) {
      const letter = text[at];
      if (letter === ' ') continue;
      if (letter === '#' && text[at - 1] === ' ') break;
      if (letter === ':' && (text[at + 1] === ' ' || text[at + 1] === '\n')) leave();
      end = at + 1;
    }
    return { value: this.#scalar(offset, end), end };
  }

  #scalar(start: number, end: number): Expression {
    const text = this.#text.slice(start, end);
    const known = words.get(text);
    if (known !== undefined) return { kind: 'literal', value: known, at: { file: this.#file, start, end } };
    if (text.length <= longestNumber && /[\d.]/.test(text)) {
      if (wholeNumber.test(text)) {
        return { kind: 'literal', value: Number(text), at: { file: this.#file, start, end } };
      }
      if (otherNumber.test(text)) leave();
    } else if (text.length > longestNumber && /^[-+.\d]/.test(text)) leave();
    return this.string(text, start, end);
  }

  #inFlow(offset: number, depth: number): PlainValue {
    if (depth > deepest) leave();
    switch (this.#text[offset]) {
      case '"':
      case "'":
        return this.#quoted(offset);
      case '[':
        return this.#list(offset, depth);
      case '{':
        return this.#map(offset, depth);
      default: {
        const end = offset + this.#flowWord(offset).length;
        return { value: this.#scalar(offset, end), end };
      }
    }
  }

  #flowWord(offset: number): string {
    return (matchAt(flowWord, this.#text, offset) ?? leave())[0];
  }

  #list(start: number, depth: number): PlainValue {
    const items: Expression[] = [];
    const end = this.#members(start, ']', (offset) => {
      const item = this.#inFlow(offset, depth + 1);
      items.push(item.value);
      return item.end;
    });
    return { value: { kind: 'list', items, at: { file: this.#file, start, end } }, end };
  }

  #map(start: number, depth: number): PlainValue {
    const entries = new Map<string, MapEntry>();
    const end = this.#members(start, '}', (offset) => {
      const name = this.#flowWord(offset);
      const colon = offset + name.length;
      if (this.#text[colon] !== ':' || this.#text[colon + 1] !== ' ' || entries.has(name)) leave();
      const { value, end: after } = this.#inFlow(skipSpaces(this.#text, colon + 1), depth + 1);
      entries.set(name, { key: { file: this.#file, start: offset, end: colon }, value });
      return after;
    });
    return { value: { kind: 'map', entries, at: { file: this.#file, start, end } }, end };
  }

  /** Reads members with commas between them; gives the offset behind the closing bracket. */
  #members(start: number, close: string, member: (offset: number) => number): number {
    let at = skipSpaces(this.#text, start + 1);
    if (this.#text[at] === close) return at + 1;
    for (;;) {
      at = skipSpaces(this.#text, member(at));
      if (this.#text[at] === close) return at + 1;
      if (this.#text[at] !== ',') leave();
      at = skipSpaces(this.#text, at + 1);
    }
  }
}

/** A sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

export function skipSpaces(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ') at++;
  return at;
}
