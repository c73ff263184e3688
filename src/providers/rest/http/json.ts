import { readJson, TooDeepError } from '@platform-sync/core/model/read-json';
import { isList, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** The JSON of an answer's body; undefined when there is none or it isn't JSON (HTML of a proxy, half a body) that can be used. */
export function parseJson(text: string): Json | undefined {
  const read = readBody(text);
  return typeof read === 'object' && 'json' in read ? read.json : undefined;
}

/** The JSON of a body, or what it holds instead: words for "the answer holds …". */
export function readBody(text: string): { readonly json: Json } | string {
  if (text.trim() === '') return 'no JSON';
  try {
    return { json: readJson(text) };
  } catch (error) {
    return error instanceof TooDeepError ? error.message.replace(/^values are/, 'values') : 'no JSON';
  }
}

/** The value as a JSON object, or undefined. */
export function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isList(value) ? value : undefined;
}

/** The value as a list, or undefined. */
export function asList(value: Json | undefined): readonly Json[] | undefined {
  return isList(value) ? value : undefined;
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

/** What is wrong with an answer, as the end of the sentence "the answer holds …". */
export class BadAnswer {
  readonly holds: string;
  constructor(holds: string) {
    this.holds = holds;
  }
}
