import { isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';

/** A question that a file asks in the place of a value. */
export interface Lookup {
  readonly function: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly return: string;
}

/** What has to be done before anybody knows a value. */
export const late: JsonObject = { $late: true };

/** What expressions refer to. Undefined: it is in motion. */
export interface Scope {
  property(address: string, field: string): Json | undefined;
  /** `asked`: the arguments, worked out. */
  found(lookup: Lookup, asked: Lookup['arguments']): Json | undefined;
}

const reference = /\$\{([^}.]+)\.(\w+)\}/g;

export function lookup(asked: Lookup): JsonObject {
  return { 'fn::invoke': asked as unknown as JsonObject };
}

export function lookupIn(value: unknown): Lookup | undefined {
  return isObject((value ?? null) as Json)
    ? ((value as JsonObject)['fn::invoke'] as unknown as Lookup | undefined)
    : undefined;
}

/** Text with references in it, or a lookup. */
export function isExpression(value: unknown): boolean {
  return (typeof value === 'string' && value.includes('${')) || lookupIn(value) !== undefined;
}

/** An address, and a field of what is there. */
export type Referred = readonly [address: string, field: string];

export function referredIn(value: unknown): readonly Referred[] {
  if (!isExpression(value)) return [];
  return [...JSON.stringify(value).matchAll(reference)].map(([, address = '', field = '']) => [address, field]);
}

/** Where what it refers to stands. */
export function addressesIn(value: unknown): readonly string[] {
  return referredIn(value).map(([address]) => address);
}

/** The same, where what it refers to has another address now. */
export function readdressed<Value>(value: Value, now: (address: string) => string): Value {
  if (!isExpression(value)) return value;
  const text = JSON.stringify(value).replaceAll(
    reference,
    (_, address: string, field: string) => `\${${now(address)}.${field}}`,
  );
  return JSON.parse(text) as Value;
}

/** Undefined: something that it rests on is in motion. */
export function workedOut(value: Json, scope: Scope): Json | undefined {
  if (!isExpression(value)) return value;
  const asked = lookupIn(value);
  if (asked !== undefined) {
    const told = Object.entries(asked.arguments).map(([name, each]) => [name, workedOut(each, scope)] as const);
    if (told.some(([, each]) => each === undefined)) return undefined;
    if (told.some(([, each]) => each === late)) return late;
    return scope.found(asked, Object.fromEntries(told) as Lookup['arguments']);
  }
  const parts = [...String(value).matchAll(reference)].map(([words, address = '', field = '']) => {
    const is = scope.property(address, field);
    return [words, is !== undefined && isExpression(is) ? workedOut(is, scope) : is] as const;
  });
  const [[words, is] = []] = parts;
  if (parts.some(([, each]) => each === undefined)) return undefined;
  if (parts.some(([, each]) => each === late)) return late;
  if (words === value) return is;
  return parts.reduce((text, [each, said]) => text.replace(each, String(said ?? '')), String(value));
}
