import { createHash } from 'node:crypto';
import type { Json, JsonObject } from './value.js';

/**
 * JSON text that is the same for equal values: keys sorted by code unit, no white space, numbers and strings as
 * `JSON.stringify` writes them (`-0` is `0`; what JSON has no number for is `null`). Keys without a value are left out.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return canonicalList(value);
  return canonicalObject(value as JsonObject);
}

function canonicalList(items: readonly Json[]): string {
  let text = '[';
  for (let at = 0; at < items.length; at++) {
    if (at > 0) text += ',';
    text += canonicalJson(items[at] ?? null);
  }
  return text + ']';
}

function canonicalObject(object: JsonObject): string {
  let text = '';
  // The default sort compares code units, which no locale can change.
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value === undefined) continue;
    text += (text === '' ? '' : ',') + JSON.stringify(key) + ':' + canonicalJson(value);
  }
  return '{' + text + '}';
}

/** Lower-case hex of the SHA-256 over the text's UTF-8 bytes. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
