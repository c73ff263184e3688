import { readJson } from '@platform-sync/core/model/read-json';
import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { UsageError } from '../process/usage-error.js';

type Draft = { [key: string]: Json | Draft };

/** Arguments of a lookup as typed: one JSON object, or `filter.name.eq=dev` words (values JSON where they parse). */
export function lookupArguments(words: readonly string[]): JsonObject {
  const [first] = words;
  if (words.length === 1 && first?.trimStart().startsWith('{') === true) return jsonArguments(first);
  const result: Draft = Object.create(null) as Draft;
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw new UsageError(`"${word}" is not an argument: write key=value, or one JSON object`);
    place(result, word.slice(0, at).split('.'), value(word.slice(at + 1)), word);
  }
  return JSON.parse(JSON.stringify(result)) as JsonObject;
}

function jsonArguments(text: string): JsonObject {
  try {
    return readJson(text) as JsonObject;
  } catch (error) {
    throw new UsageError(`the arguments are not JSON: ${(error as Error).message}`);
  }
}

function place(into: Draft, path: readonly string[], found: Json, word: string): void {
  let here = into;
  for (const key of path.slice(0, -1)) {
    const next = here[key] ?? (Object.create(null) as Draft);
    if (typeof next !== 'object' || next === null || Array.isArray(next))
      throw new UsageError(`"${word}" sets a part of a value that is set already`);
    here[key] = next;
    here = next as Draft;
  }
  const last = path.at(-1) ?? '';
  if (here[last] !== undefined) throw new UsageError(`"${word}" is set twice`);
  here[last] = found;
}

/** `true`, `12`, `["a"]` are JSON; everything else is text. `"12"` in quotes stays text. */
function value(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}
