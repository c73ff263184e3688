import { addressKeyPattern } from '../model/address.js';
import type { JsonObject } from '../model/value.js';
import { refusal } from './refuse.js';

// Checks of parsed JSON by hand: state commands need no schema validator, and a message here never quotes a value.

/** The error for a place that does not hold what it should. */
export function invalid(at: string, problem: string): Error {
  return refusal('state-document-invalid', `the state document is not valid: ${at} ${problem}`, {
    hint: 'Push a document that `sync state pull` wrote.',
  });
}

export function record(value: unknown, at: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(at, 'must be an object');
  return value as JsonObject;
}

/** An object with all required fields and no unknown ones. */
export function fields(
  value: unknown,
  at: string,
  names: { readonly required: readonly string[]; readonly optional?: readonly string[] },
): JsonObject {
  const object = record(value, at);
  const prefix = at === '' ? '' : `${at}.`;
  for (const name of names.required) if (!Object.hasOwn(object, name)) throw invalid(`${prefix}${name}`, 'is missing');
  for (const name of Object.keys(object)) {
    if (!names.required.includes(name) && !names.optional?.includes(name)) {
      throw invalid(at === '' ? 'the document' : at, 'has a field that does not belong there');
    }
  }
  return object;
}

/** A text that is not empty. */
export function text(value: unknown, at: string, pattern?: RegExp): string {
  if (typeof value !== 'string' || value === '') throw invalid(at, 'must be a text');
  if (pattern !== undefined && !pattern.test(value)) throw invalid(at, 'does not have its form');
  return value;
}

export function address(value: unknown, at: string): string {
  const found = text(value, at);
  if (!found.split('/').every((key) => addressKeyPattern.test(key))) throw invalid(at, 'must be an address');
  return found;
}

export function truth(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw invalid(at, 'must be true or false');
  return value;
}

/** A number that counts something. */
export function whole(value: unknown, at: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw invalid(at, 'must be a whole number');
  return value as number;
}

export function oneOf<T extends string>(value: unknown, at: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw invalid(at, `must be one of ${allowed.join(', ')}`);
  return found;
}

/** An object whose values are texts. */
export function texts(value: unknown, at: string): Readonly<Record<string, string>> {
  const object = record(value, at);
  for (const one of Object.values(object)) if (typeof one !== 'string') throw invalid(at, 'must hold texts only');
  return object as Readonly<Record<string, string>>;
}

export function list<T>(value: unknown, at: string, item: (value: unknown, at: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw invalid(at, 'must be a list');
  return value.map((one, index) => item(one, `${at}[${String(index)}]`));
}
