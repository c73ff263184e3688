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
export function enveloped(rest: RestType, call: 'create' | 'update', body: JsonObject): JsonObject {
  const envelope = envelopeOf(rest, call);
  return envelope === undefined ? body : { [envelope]: body };
}

function envelopeOf({ definition: { envelope } }: RestType, call: 'create' | 'update'): string | undefined {
  return typeof envelope === 'object' ? envelope[call] : envelope;
}

/** The path of a refused field without the envelope's part of it. */
export function inEnvelope(rest: RestType, field: string): string {
  const [made, changed] = [envelopeOf(rest, 'create'), envelopeOf(rest, 'update')];
  const envelope = [made, changed].find((each) => each !== undefined && field.startsWith(`${each}.`));
  return envelope === undefined ? field : field.slice(envelope.length + 1);
}
