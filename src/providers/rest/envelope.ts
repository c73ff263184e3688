import type { Json, JsonObject } from '../../engine/model/value.js';
import { asObject } from '../http/json.js';
import type { RestType } from './rest-type.js';

/** The object of an answer, out of its envelope. */
export function objectIn({ style }: RestType, body: Json | undefined): JsonObject | undefined {
  const answer = asObject(body);
  return style.envelope === undefined ? answer : asObject(answer?.[style.envelope]);
}
