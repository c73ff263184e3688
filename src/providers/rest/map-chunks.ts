import type { Json, JsonObject } from '@platform-sync/core/model/value';
import { asObject } from './http/json.js';
import { fieldName, type RestType } from './rest-type.js';

/**
 * The body in as many requests as its maps need: first the removals that don't fit, as many at a time as one request may
 * hold, last everything else. All of what is wanted goes in the last one, so that it is right on a platform that takes
 * a map as the whole, too, and on the way no map ever holds more than before or after.
 */
export function chunkedMaps(rest: RestType, body: JsonObject): readonly JsonObject[] {
  const before: JsonObject[] = [];
  const last: Record<string, Json> = { ...body };
  for (const [name, { entriesAtOnce: most }] of Object.entries(rest.fields)) {
    const wire = fieldName(rest, name);
    const entries = Object.entries(asObject(body[wire]) ?? {});
    if (most === undefined || entries.length <= most) continue;
    const removals = entries.filter(([, value]) => value === null);
    const kept = entries.filter(([, value]) => value !== null);
    const fitting = Math.max(0, most - kept.length);
    const early = removals.slice(fitting);
    for (let at = 0; at < early.length; at += most)
      before.push({ [wire]: Object.fromEntries(early.slice(at, at + most)) });
    last[wire] = Object.fromEntries([...removals.slice(0, fitting), ...kept]);
  }
  return [...before, last];
}
