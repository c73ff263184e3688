import type { RecordedResource, SealedSecret } from '../model/state.js';
import { isList, isObject, isSecret, secret, type Json, type JsonObject, type Value } from '../model/value.js';

export function isSealed(value: Value | undefined): value is SealedSecret & JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '$secret' in value;
}

/** True where a value, or any part of it, is kept or shown as a sealed secret. */
export function hasSealed(value: Value | undefined): boolean {
  if (isList(value)) return value.some(hasSealed);
  return isSealed(value) || (isObject(value) && Object.values(value).some(hasSealed));
}

/** A property that was sent, or answered, as a secret is one, whether or not this run knows what it holds. */
export function wasSealed(recorded: Pick<RecordedResource, 'inputs' | 'outputs'> | undefined, name: string): boolean {
  return hasSealed(recorded?.inputs[name]) || hasSealed(recorded?.outputs[name]);
}

/** A secret, or a part that is one, sealed or not yet. */
export function hasSecretPart(value: Value | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isSecret(value) || isSealed(value)) return true;
  if (isList(value)) return value.some(hasSecretPart);
  return isObject(value) && Object.values(value).some(hasSecretPart);
}

/** The catalogue's words for a value that is sealed or has a secret part; undefined for one without. */
export function secretExpression(value: Value): string | undefined {
  return hasSecretPart(value) ? expressionOf(value) : undefined;
}

/** The catalogue's words for a value with secret parts. */
export function expressionOf(value: Value, otherwise = '(secret)'): string {
  const found = new Set<string>();
  const visit = (part: Value): void => {
    if (isSecret(part)) found.add(part.expression);
    else if (isSealed(part)) found.add(part.$secret.expression);
    else if (isList(part)) part.forEach(visit);
    else if (isObject(part)) Object.values(part).forEach(visit);
  };
  visit(value);
  return found.size === 0 ? otherwise : [...found].sort().join(', ');
}

/** A value with something else in the place of each sealed part. */
export function withSealedParts(value: Value, put: (sealed: SealedSecret) => Value): Value {
  if (isSealed(value)) return put(value);
  if (isList(value)) return value.map((item) => withSealedParts(item, put));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withSealedParts(member, put)]));
}

/** An answer in which each text that repeats a secret is one itself, under these words. */
export function withRepeats(value: Json, isRepeat: (text: string) => boolean, expression: string): Value {
  if (typeof value === 'string') return isRepeat(value) ? secret(value, expression) : value;
  if (isList(value)) return value.map((item) => withRepeats(item, isRepeat, expression));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withRepeats(member, isRepeat, expression)]),
  );
}
