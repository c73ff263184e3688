import type { Json } from './value.js';

/**
 * Levels of lists and records within each other that are read: far more than anybody writes, far fewer than a stack holds.
 * `foreign`: in what others wrote (files, answers). `own`: in documents of this program, which have such values inside.
 */
export const mostLevels = { foreign: 200, own: 300 } as const;

/** JSON, or data, that is nested deeper than is read. */
export class TooDeepError extends SyntaxError {
  constructor(most: number) {
    super(`values are nested more than ${String(most)} levels deep`);
    this.name = 'TooDeepError';
  }
}

/** Throws SyntaxError for what is no JSON, TooDeepError for what is nested too deep: whatever follows the values may recurse. */
export function readJson(text: string, most: number = mostLevels.foreign): Json {
  // The parser itself keeps no stack.
  const value = parsedJson(text);
  // Each level takes two signs.
  if (text.length > 2 * most && isDeeper(text, most)) throw new TooDeepError(most);
  return value;
}

/** The language's own reader, for texts that this program wrote or has read before: their depth is known. */
export function parsedJson(text: string): Json {
  return JSON.parse(text) as Json;
}

/** Data that another parser has read. */
export function mustNotBeDeeper(value: unknown, most: number = mostLevels.foreign): void {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > most) throw new TooDeepError(most);
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const [quote, backslash, openList, closeList, openMap, closeMap] = [34, 92, 91, 93, 123, 125] as const;

/** Counts brackets outside of texts. */
function isDeeper(text: string, most: number): boolean {
  if (!hasMore(text, most)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) at = endOfText(text, at);
    else if (sign === openList || sign === openMap) depth += 1;
    else if (sign === closeList || sign === closeMap) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** Are there more brackets that open something than levels are read? Those in texts count, too: found by the engine, it costs little. */
function hasMore(text: string, most: number): boolean {
  let left = most;
  for (const bracket of '{[')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return true;
  return false;
}

function endOfText(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, end: number): boolean {
  let at = end - 1;
  while (text.charCodeAt(at) === backslash) at -= 1;
  return (end - at) % 2 === 0;
}

/** Where the value of a member of the outermost object stands, if it is an object; what is beside it is not read. */
export function memberRange(text: string, name: string): { readonly start: number; readonly end: number } | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/g;
  let depth = 0;
  let start: number | undefined;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === '{' || word === '[') depth += 1;
    else if (word === '}' || word === ']') {
      depth -= 1;
      if (depth === 1 && start !== undefined) return { start, end: token.lastIndex };
      if (depth < 1) return undefined;
    } else if (depth === 1 && start === undefined && word === JSON.stringify(name)) {
      const value = /^\s*:\s*(?=\{)/.exec(text.slice(token.lastIndex, token.lastIndex + 100));
      if (value !== null) start = token.lastIndex + value[0].length;
    }
  }
  return undefined;
}

/** A parser that recurses is given nothing deeper: near the end of its stack even a pattern can't be compiled any more. */
export const mostYamlLevels = 1000;

/** False when values can't be nested deeper in the text, whatever it holds; one pass, no parser. */
export function mayBeDeeper(text: string, most: number = mostYamlLevels): boolean {
  // Each level takes a sign.
  if (text.length <= most) return false;
  let open = 0;
  let lead = 0;
  let isLeading = true;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\n') [lead, isLeading] = [0, true];
    else if (isLeading && ' -?:\t'.includes(sign)) lead += 1;
    else isLeading = false;
    if (sign === '[' || sign === '{') open += 1;
    else if (sign === ']' || sign === '}') open = Math.max(0, open - 1);
    // A level of a block is a column to the right, or a list in the column of its key.
    if (open + 2 * (lead + 1) > most) return true;
  }
  return false;
}
