import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Description } from './description.js';
import type { CompiledField } from './body-fields.js';
import { merged } from './merge.js';
import type { Place } from './place.js';
import { callOf, type TypeSite } from './type-site.js';

/**
 * True for one of a fixed set: nothing makes it, PATCH changes it, DELETE puts it back, and it is known by a name. What has
 * an id was made in a way that the description does not tell.
 */
export function isOfFixedSet(description: Description, path: string, item: JsonObject): boolean {
  const [read, ...others] = ['get', 'patch', 'delete'].map((method) => callOf(item, method));
  if (read === undefined || others.includes(undefined) || !path.endsWith('}')) return false;
  if (callOf(item, 'put') !== undefined || callOf(item, 'post') !== undefined) return false;
  const shown = description.at(merged(description, description.answerOf(read))['properties']);
  return !/(?:^|[^a-z])id\}$|Id\}$/.test(path) && !isObject(shown['id']);
}

/** True where it is a change that makes one of a fixed set ours. */
export function isFixed({ shape, create: [method] }: TypeSite): boolean {
  return shape === 'upsert' && method === 'PATCH';
}

/**
 * What one of a fixed set has before anybody changes it: the defaults that its body names, and nothing where answers may
 * have nothing. Undefined where the description does not tell.
 */
export function untouchedOf(site: TypeSite, place: Place, fields: readonly CompiledField[]): JsonObject | undefined {
  if (!isFixed(site)) return undefined;
  const inPlace = new Set([...place.above.map(({ field }) => field), place.own]);
  const own = fields.filter(({ name, isOutput }) => !isOutput && !inPlace.has(name));
  const known = own.flatMap(({ name, field: { clearing, nullable } }): [string, Json][] => {
    if (clearing?.by === 'value') return [[name, clearing.value]];
    return nullable === true ? [[name, null]] : [];
  });
  return own.length === 0 || known.length < own.length ? undefined : Object.fromEntries(known);
}
