import type { Json } from '../../engine/model/value.js';
import { asList, asObject, asText } from '../http/json.js';
import type { RestField } from './rest-type.js';

/** Ids are texts here; on the wire they may be records or whole numbers. What has no such form stays, and is found to be wrong. */
export function idsFromWire({ as }: Pick<RestField, 'as'>, value: Json): Json {
  const items = as === undefined ? undefined : asList(value);
  if (items !== undefined) return items.map((item) => idsFromWire(as === undefined ? {} : { as }, item));
  if (as === 'id-object') return asText(asObject(value)?.id) ?? value;
  return as === 'integer' ? (integerText(value) ?? value) : value;
}

export function idsToWire({ as }: Pick<RestField, 'as'>, value: Json): Json {
  const items = as === undefined ? undefined : asList(value);
  if (items !== undefined) return items.map((item) => idsToWire(as === undefined ? {} : { as }, item));
  if (as === 'text') return typeof value === 'number' ? String(value) : value;
  if (as === 'integer')
    return typeof value === 'string' && integerText(Number(value)) === value ? Number(value) : value;
  if (as !== 'id-object' && as !== 'id-objects') return value;
  return value === null || asObject(value) !== undefined ? value : { id: value };
}

/** A whole number that is told apart from all others, as a text. */
export function integerText(value: Json | undefined): string | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}
