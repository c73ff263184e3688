import type { Json, JsonObject } from '../../engine/model/value.js';

/** The JSON of an answer's body; undefined when there is none or it isn't JSON (HTML of a proxy, half a body). */
export function parseJson(text: string): Json | undefined {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The value as a JSON object, or undefined. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value as a list, or undefined. */
export function asList(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? (value as readonly Json[]) : undefined;
}

/** The value as text, or undefined; an empty text counts as none. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** True when an answer says that it is JSON (`application/json`, `application/problem+json`). */
export function isJson(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean {
  const type = headers['content-type'];
  return typeof type === 'string' && /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}
