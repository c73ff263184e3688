import type { PlanValue } from '@platform-sync/core/model/plan';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';
import { visible } from './escape.js';

export function isRecord(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** What stands for a value that is not known yet, with the references it waits for; undefined for all other values. */
export function unknownFrom(value: PlanValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string' || !isRecord(value) || !isList(value['$unknown'])) return undefined;
  return value['$unknown'].map(String);
}

/** The expression a sealed secret was written as; undefined for all other values. */
export function secretExpression(value: PlanValue | undefined): string | undefined {
  if (!isRecord(value)) return undefined;
  const sealed = value['$secret'];
  return isRecord(sealed) ? String(sealed['expression']) : undefined;
}

/** Neither unknown nor secret at its top. */
export function isPlain(value: PlanValue | undefined): value is PlanValue {
  return value !== undefined && unknownFrom(value) === undefined && secretExpression(value) === undefined;
}

/** What is secret by its field alone has no words of the catalogue. */
function secretWords(expression: string): string {
  return expression === '(secret)' ? expression : `(secret ${visible(expression)})`;
}

/** The value on one line: JSON, with unknown and secret parts as words. */
export function inline(value: PlanValue): string {
  if (typeof value === 'string') return visible(JSON.stringify(value));
  if (unknownFrom(value) !== undefined) return '(known after apply)';
  const secret = secretExpression(value);
  if (secret !== undefined) return secretWords(secret);
  if (isList(value)) return `[${value.map(inline).join(', ')}]`;
  if (isRecord(value)) {
    return `{${Object.entries(value)
      .map(([key, part]) => `${visible(JSON.stringify(key))}: ${inline(part)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}

/** Like `inline`, one member a line; for values too wide for one. */
export function expanded(value: PlanValue): readonly string[] {
  if (isPlain(value) && isList(value) && value.length > 0) {
    return ['[', ...members(value.map((item) => expanded(item))), ']'];
  }
  if (isPlain(value) && isRecord(value) && Object.keys(value).length > 0) {
    const lines = Object.entries(value).map(([key, part]) => {
      const [first = '', ...rest] = expanded(part);
      return [`${visible(JSON.stringify(key))}: ${first}`, ...rest];
    });
    return ['{', ...members(lines), '}'];
  }
  return [inline(value)];
}

function members(items: readonly (readonly string[])[]): readonly string[] {
  return items.flatMap((lines, at) =>
    lines.map((line, row) => `  ${line}${row === lines.length - 1 && at < items.length - 1 ? ',' : ''}`),
  );
}

/** `platform:index/apiDocument:ApiDocument` → `platform:ApiDocument`, as catalogues spell it. */
export function typeName(token: string): string {
  return visible(token.replace(/^([^:]+):[^:]*:([^:]+)$/, '$1:$2'));
}

/** `1 error`, `3 errors`; `plural` where an s is not enough. */
export function count(number: number, singular: string, plural = `${singular}s`): string {
  return `${number} ${number === 1 ? singular : plural}`;
}
