import type { Expression } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
import { isList, isObject, type Json } from '../../model/value.js';

/** Where a part of a value stands in the files. */
export interface Located {
  /** The nearest expression on the way: references and functions end it. */
  readonly expression: Expression;
  readonly at: SourceRange;
  /** True inside a secret: nothing of the value may be shown. */
  readonly secret: boolean;
  /** The keys that were left when the way ended. */
  readonly left: readonly string[];
}

/** Follows pointer keys into an expression as far as it is spelt out. */
export function locate(expression: Expression, keys: readonly string[]): Located {
  let current = expression;
  let secret = false;
  for (const [index, key] of keys.entries()) {
    while (current.kind === 'secret') {
      secret = true;
      current = current.value;
    }
    const next =
      current.kind === 'map'
        ? current.entries.get(key)?.value
        : current.kind === 'list'
          ? current.items[Number(key)]
          : undefined;
    if (next === undefined) return { expression: current, at: current.at, secret, left: keys.slice(index) };
    current = next;
  }
  return { expression: current, at: current.at, secret: secret || current.kind === 'secret', left: [] };
}

/** The key of an entry, or the map itself when the entry is not spelt out there. */
export function keyPlace(expression: Expression, name: string): SourceRange {
  let current = expression;
  while (current.kind === 'secret') current = current.value;
  return (current.kind === 'map' ? current.entries.get(name)?.key : undefined) ?? current.at;
}

/** The part of a value a JSON pointer (RFC 6901) names; undefined when there is none. */
export function atPointer(value: Json, pointer: string): Json | undefined {
  let part: Json = value;
  for (const key of pointerKeys(pointer)) {
    const next = isList(part) ? listItem(part, key) : member(part, key);
    if (next === undefined) return undefined;
    part = next;
  }
  return part;
}

/** The keys a pointer goes through, unescaped. */
export function pointerKeys(pointer: string): readonly string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer that goes through these keys. */
export function toPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function listItem(list: readonly Json[], key: string): Json | undefined {
  return /^(?:0|[1-9]\d*)$/.test(key) ? list[Number(key)] : undefined;
}

function member(value: Json, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
