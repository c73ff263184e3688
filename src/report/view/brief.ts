import type { PlanValue } from '../../engine/model/plan.js';
import type { Json } from '../../engine/model/value.js';
import { count } from '../words/plural.js';
import type { StructuredReader } from '../diff/structured-text.js';
import { lineCount } from '../diff/text-diff.js';
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

/** `(OpenAPI 3.0.3, 41 lines)`, `(text, 12 lines)`, or the text's beginning when it is one long line. */
export function textSummary(text: string, read: StructuredReader): string {
  const lines = count(lineCount(text), 'line');
  const description = descriptionStart.exec(text);
  if (description !== null)
    return `(${descriptionKinds[description[1] ?? ''] ?? ''} ${description[2] ?? ''}, ${lines})`;
  if (read(text) !== undefined) return `(JSON, ${lines})`;
  return text.includes('\n') ? `(text, ${lines})` : shortened(text);
}

/** Whether a text says that it is an API description. */
export function isDescription(text: string): boolean {
  return descriptionStart.test(text);
}

// Naming a description must not cost a parse.
const descriptionStart = /^[{\s]*["']?(openapi|swagger|asyncapi)["']?\s*:\s*["']?([\d.]+)/m;

const descriptionKinds: Readonly<Record<string, string>> = {
  openapi: 'OpenAPI',
  swagger: 'Swagger',
  asyncapi: 'AsyncAPI',
};
