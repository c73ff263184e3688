import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../src/engine/model/value.js';

/** What the examples' lookups answer, by short token, as recorded by scripts/record-lookups.ts. */
export function lookupResults(): ReadonlyMap<string, JsonObject> {
  const file = new URL('./lookup-results.json', import.meta.url);
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, JsonObject>));
}
