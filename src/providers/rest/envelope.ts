import type { Json, JsonObject } from '../../engine/model/value.js';
import { asObject } from '../http/json.js';
import type { RestType } from './rest-type.js';

/** The object of an answer, out of its envelope, and out of its wrapper where this answer has one. */
export function objectIn({ style, definition }: RestType, body: Json | undefined): JsonObject | undefined {
  const answer = asObject(body);
  const object = style.envelope === undefined ? answer : asObject(answer?.[style.envelope]);
  if (definition.wrapper === undefined || object === undefined) return object;
  return Object.hasOwn(object, definition.wrapper) ? asObject(object[definition.wrapper]) : object;
}

/** A body as it is sent. */
export function enveloped({ definition: { envelope } }: RestType, body: JsonObject): JsonObject {
  return envelope === undefined ? body : { [envelope]: body };
}

/** The path of a refused field without the envelope's part of it. */
export function inEnvelope({ definition: { envelope } }: RestType, field: string): string {
  return envelope !== undefined && field.startsWith(`${envelope}.`) ? field.slice(envelope.length + 1) : field;
}
