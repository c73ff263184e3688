import type { PlanValue } from '@platform-sync/core/model/plan';
import { type Json, ownMember } from '@platform-sync/core/model/value';
import { count } from '../words/plural.js';
import type { StructuredReader } from '../diff/structured-text.js';
import { inline, isPlain, isRecord } from '../words/value.js';

/** A value up to this long stays on its line. */
export const widestValue = 100;
// A text up to this long is never a diff.
const shortText = 80;

/** The list or object a value is, or holds as a text. */
export function parsed(value: PlanValue, read: StructuredReader): Json | undefined {
  if (!isPlain(value)) return undefined;
  const found = typeof value === 'string' ? read(value) : value;
  return Array.isArray(found) || isRecord(found) ? found : undefined;
}

/** A text too long for one line. */
export function isLong(text: string): boolean {
  return text.length > shortText || text.includes('\n');
}

/** A value on one line, however long it is. */
export function brief(value: PlanValue, read: StructuredReader): string {
  if (typeof value === 'string' && isLong(value)) return textSummary(value, read);
  return shortened(value);
}

/** The value on one line, its end cut off when it is long. */
export function shortened(value: PlanValue): string {
  const text = inline(value);
  if (text.length <= widestValue) return text;
  return `${[...text].slice(0, widestValue - 20).join('')}… (${text.length} characters)`;
}

// So much of what both sides begin and end with is shown around what differs.
const around = 20;

/** Two values on one line each. Where they are long, both are cut around the first difference: never before it. */
export function shortenedPair(old: PlanValue, now: PlanValue): readonly [string, string] {
  return cutAround(inline(old), inline(now), widestValue);
}

/** Two texts of at most about `width` characters each; what both begin with, and end with, goes first. */
export function cutAround(old: string, now: string, width: number): readonly [string, string] {
  if (old.length <= width && now.length <= width) return [old, now];
  let start = 0;
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
  const from = start <= 2 * around ? 0 : wholeCharacter(old, start - around);
  const cut = (text: string): string => {
    const most = width - around;
    if (text.length <= width || (from > 0 && text.length - from <= most))
      return from === 0 ? text : `…${text.slice(from)}`;
    const shown = text.slice(from, wholeCharacter(text, from + most));
    return `${from === 0 ? '' : '…'}${shown}… (${text.length} characters)`;
  };
  return [cut(old), cut(now)];
}

/** The place, or the one before it where it would cut a character in half. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at;
}

/** `(OpenAPI 3.0.3, 41 lines)`, `(text, 12 lines)`, or the text's beginning when it is one long line. */
function textSummary(text: string, read: StructuredReader): string {
  const lines = count(lineCount(text), 'line');
  const description = descriptionStart.exec(text);
  if (description !== null)
    return `(${ownMember(descriptionKinds, description[1] ?? '') ?? ''} ${description[2] ?? ''}, ${lines})`;
  if (read(text) !== undefined) return `(JSON, ${lines})`;
  return text.includes('\n') ? `(text, ${lines})` : shortened(text);
}

/** Lines of a text; a newline at the end does not start another one. */
function lineCount(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** What is read as a whole, and not line by line: an API description, or a text that holds JSON. */
export function isStructured(text: string, read: StructuredReader): boolean {
  return descriptionStart.test(text) || read(text) !== undefined;
}

// Naming a description must not cost a parse.
const descriptionStart = /^[{\s]*["']?(openapi|swagger|asyncapi)["']?\s*:\s*["']?([\d.]+)/m;

const descriptionKinds: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  asyncapi: 'AsyncAPI',
};
