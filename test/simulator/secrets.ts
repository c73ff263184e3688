import { isList, isObject, type Json, type JsonObject } from '@platform-sync/core/model/value';
import type { Block } from './catalogue.js';
import type { Chance } from './chance.js';

/** What no output may repeat. */
export const secretOf = (nth: number): string => `Pa55word-${String(nth)}-never-told`;

/** Secrets inside a map, and inside a record: of that one answers show, and one they do not. */
export const optionalSecrets: Readonly<Partial<Record<Block['type'], readonly string[]>>> = {
  'yard:Site': ['env'],
  'yard:Route': ['door'],
};

/** Another secret than before is said, or one no more. */
export function rotated(chance: Chance, { type, properties }: Block, secret: string): Block['properties'] {
  const [field = ''] = optionalSecrets[type] ?? [];
  const { [field]: said = null, ...others } = properties;
  const now: JsonObject = isObject(said as Json) ? (said as JsonObject) : {};
  const without = (name: string): JsonObject =>
    Object.fromEntries(Object.entries(now).filter(([member]) => member !== name));
  const name = chance.pick(field === 'env' ? ['a', 'b'] : ['key', 'key', 'pin', 'lock']);
  const value = name === 'lock' ? `text ${String(chance.between(0, 4))}` : secret;
  const next = chance.happens(200) ? without(name) : { ...now, [name]: value };
  return Object.keys(next).length === 0 ? others : { ...others, [field]: next };
}

/** The same by somebody who goes round the tool; undefined: they do something else. */
export function rotatedByHand(chance: Chance, { env, door }: JsonObject): JsonObject | undefined {
  if ((env === undefined && door === undefined) || !chance.happens(400)) return undefined;
  const secret = secretOf(chance.between(900, 904));
  // Some is theirs, and no file says it.
  if (isObject(env)) return { env: { [chance.pick([...Object.keys(env), 'hand'])]: secret } };
  const other = chance.happens(700) ? { key: secret } : { lock: `hand ${String(chance.between(0, 4))}` };
  return { door: { ...(isObject(door) ? door : {}), ...other } };
}

/** Hidden in records, so that it can't be compared. */
export const hiddenMember = 'pin';

/** A value as answers show it. */
export function withoutPin(value: Json | undefined): Json {
  if (!isObject(value ?? null)) return value ?? null;
  const { [hiddenMember]: _, ...shown } = value as JsonObject;
  return shown;
}

/** A value as far as records of the state and answers show it: without secrets. */
export function withoutSecrets(value: Json): Json {
  if (isList(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  if ('$secret' in value) return {};
  const shown = Object.entries(value).filter(
    ([name, member]) => name !== 'key' && name !== hiddenMember && !(isObject(member) && '$secret' in member),
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, withoutSecrets(member)]));
}
