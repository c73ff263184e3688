import type { Address } from './address.js';

export type Scalar = string | number | boolean | null;
export type Json = Scalar | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** `T` itself where the whole of it is JSON: interfaces have no index signature, so that `Json` alone would refuse them. */
export type JsonLike<T> = T extends Json | undefined
  ? T
  : T extends symbol | bigint | ((...args: never[]) => unknown)
    ? never
    : { readonly [K in keyof T]: JsonLike<T[K]> };

// Symbols can't come out of a YAML or JSON file, so no user value can be mistaken for a marker.
const unknownKind: unique symbol = Symbol.for('platform-sync.unknown');
const secretKind: unique symbol = Symbol.for('platform-sync.secret');

/** A value that exists only after another resource was created or changed. */
interface Unknown {
  readonly kind: typeof unknownKind;
  /** The references it waits for, as written: `petstore.id`. Sorted, no duplicates. */
  readonly from: readonly string[];
  /** What it will be made of, the other unknown ones in it among that; not listed, so that nobody who writes values out meets it. */
  readonly parts?: readonly Value[];
}

/** A value that must never be shown or stored. `expression` is how the catalogue says it (`!env NAME`). */
interface Secret {
  readonly kind: typeof secretKind;
  readonly value: Value;
  readonly expression: string;
}

/** A catalogue value on its way to the platform: JSON with unknown and secret parts. */
export type Value = Scalar | Unknown | Secret | readonly Value[] | { readonly [key: string]: Value };
export type ValueObject = { readonly [key: string]: Value };

export function unknown(from: readonly string[], parts?: readonly Value[]): Unknown {
  const made: Unknown = { kind: unknownKind, from: [...new Set(from)].sort() };
  return parts === undefined ? made : Object.defineProperty(made, 'parts', { value: parts });
}

/** What tells an unknown value from others that wait for the same: what it will be made of; of a bare reference, its words. */
export function unknownParts({ parts, from }: Unknown): readonly Value[] {
  return parts ?? from;
}

export function secret(value: Value, expression: string): Secret {
  return isSecret(value) ? value : { kind: secretKind, value, expression };
}

export function isUnknown(value: unknown): value is Unknown {
  return typeof value === 'object' && value !== null && (value as Unknown).kind === unknownKind;
}

export function isSecret(value: unknown): value is Secret {
  return typeof value === 'object' && value !== null && (value as Secret).kind === secretKind;
}

/** A JSON or value object: neither null, a list, nor a marker. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: Value | undefined): value is ValueObject;
export function isObject(value: unknown): value is { readonly [key: string]: never };
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isUnknown(value) && !isSecret(value);
}

/** A list, with the type of what is in it: the language's own test forgets that. */
export function isList(value: Json | undefined): value is readonly Json[];
export function isList(value: Value | undefined): value is readonly Value[];
export function isList(value: unknown): boolean {
  return Array.isArray(value);
}

/** An object with members of its own and no class: a Date or an instance that a program puts in is one value. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const noParts: readonly Value[] = [];

/** What a value holds, a secret seen through; an unknown one holds nothing. */
function partsOf(value: Value): readonly Value[] {
  if (typeof value !== 'object' || value === null || isUnknown(value)) return noParts;
  if (isSecret(value)) return [value.value];
  if (isList(value)) return value;
  return isPlainObject(value) ? Object.values(value) : noParts;
}

/** True when any part of the value is unknown; `seen through` secrets too. */
export function hasUnknown(value: Value): boolean {
  return typeof value === 'object' && (isUnknown(value) || partsOf(value).some(hasUnknown));
}

/** True when any part of the value is secret. */
export function hasSecret(value: Value): boolean {
  return typeof value === 'object' && (isSecret(value) || partsOf(value).some(hasSecret));
}

/** The references all unknown parts wait for, sorted. */
export function unknownSources(value: Value): readonly string[] {
  const found = new Set<string>();
  const visit = (part: Value): void => {
    if (isUnknown(part)) for (const source of part.from) found.add(source);
    partsOf(part).forEach(visit);
  };
  visit(value);
  return [...found].sort();
}

/** The plain JSON to send. Throws on an unknown: the executor must have evaluated it before. */
export function reveal(value: Value): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (isSecret(value)) return reveal(value.value);
  if (isUnknown(value)) throw new Error(`bug: value still unknown, waits for ${value.from.join(', ')}`);
  if (isList(value)) return value.map(reveal);
  return isPlainObject(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, reveal(v)])) : value;
}

/** The resources whose outputs a reference text (`petstore/guide.id`, `petstore.portals[0].id`) belongs to. */
export function referencedAddress(source: string): Address {
  const dot = source.indexOf('.');
  const bracket = source.indexOf('[');
  const ends = [dot, bracket].filter((at) => at >= 0);
  return ends.length === 0 ? source : source.slice(0, Math.min(...ends));
}

/** Null, or a record of nothing else. */
export function holdsNothing(value: Json): boolean {
  return value === null || (isObject(value) && Object.values(value).every(holdsNothing));
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The members that have a value, in their order: what is left out is left out, and not there as undefined. */
export function defined<T extends object>(members: T): Defined<T> {
  // eslint-disable-next-line sync/keyed-literals -- the one name that would go astray is defined below; this runs for every literal
  const found: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    if (value === undefined) continue;
    // Set like any other, this one would be no member.
    if (name === '__proto__') Object.defineProperty(found, name, { ...Object.getOwnPropertyDescriptor(members, name) });
    else found[name] = value;
  }
  return found as Defined<T>;
}

/** A member of a record whose keys are names that people gave: `constructor` is none that each object has anyway. */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  // eslint-disable-next-line sync/keyed-literals -- the one place where such a name is looked up
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A record of entries whose names others chose: read by any name, it has what is in it and nothing else. */
export function recordByNames<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  return Object.assign(emptyRecord<Value>(), Object.fromEntries(entries));
}

/** A record for names that others chose: it inherits nothing, so that `constructor` is not there, and `__proto__` can be. */
export function emptyRecord<Value>(): Record<string, Value> {
  return Object.create(null);
}

/**
 * Gives a value that is being read one more member, whatever its name. Set like others, a name that is a number would make room for
 * all smaller ones, `404` for kilobytes of nothing; and `__proto__` would be no member.
 */
export function setMember(members: Record<string, Json>, name: string, value: Json): void {
  const first = name.charCodeAt(0);
  if ((first > zero && first < zero + 10) || name === '__proto__')
    Object.defineProperty(members, name, { value, enumerable: true, configurable: true });
  else members[name] = value;
}

const zero = 48;
