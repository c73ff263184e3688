import { isList, isObject, type Json } from './value.js';

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
  return keys.map((key) => `/${escaped(String(key))}`).join('');
}

/** Few keys hold one of the two, and this runs for every value of a file. */
function escaped(key: string): string {
  return /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

function listItem(list: readonly Json[], key: string): Json | undefined {
  return /^(?:0|[1-9]\d*)$/.test(key) ? list[Number(key)] : undefined;
}

function member(value: Json, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
