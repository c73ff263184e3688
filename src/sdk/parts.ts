import { isSecret, isUnknown, secret, type Value } from '../engine/model/value.js';

/**
 * What an Output holds: any value of a program, with the model's markers for unknown and secret parts inside. Only lists
 * and plain objects are looked into; a Date or a class instance is one value.
 */
export type Parts = unknown;

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The references that unknown parts wait for, sorted; undefined when there is no unknown part. */
export function unknownSources(value: Parts): readonly string[] | undefined {
  const found = new Set<string>();
  let any = false;
  visit(value, (part) => {
    if (!isUnknown(part)) return;
    any = true;
    for (const source of part.from) found.add(source);
  });
  return any ? [...found].sort() : undefined;
}

export function hasSecretPart(value: Parts): boolean {
  let any = false;
  visit(value, (part) => {
    any ||= isSecret(part);
  });
  return any;
}

/** The value without markers. An unknown part is a bug here: ask `unknownSources` first. */
export function plainParts(value: Parts): unknown {
  if (isSecret(value)) return plainParts(value.value);
  if (isUnknown(value)) throw new Error(`bug: value still unknown, waits for ${value.from.join(', ')}`);
  if (Array.isArray(value)) return value.map(plainParts);
  if (isPlainObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainParts(part)]));
  return value;
}

export function secretPart(value: Parts): Parts {
  return secret(value as Value, 'secret');
}

/** A member of a value; markers met on the way spread to what is found. Nothing is inherited. */
export function memberPart(value: Parts, key: string): Parts {
  if (isUnknown(value)) return value;
  if (isSecret(value)) return secretPart(memberPart(value.value, key));
  if (value === null || value === undefined) return undefined;
  const members: object = Object(value);
  return Object.hasOwn(members, key) ? Reflect.get(members, key) : undefined;
}

function visit(value: Parts, look: (part: Parts) => void): void {
  look(value);
  if (isSecret(value)) visit(value.value, look);
  else if (isUnknown(value)) return;
  else if (Array.isArray(value)) for (const item of value) visit(item, look);
  else if (isPlainObject(value)) for (const member of Object.values(value)) visit(member, look);
}
