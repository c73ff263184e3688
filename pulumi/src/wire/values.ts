import {
  isSecret,
  isUnknown,
  secret,
  unknown,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
  ownMember,
} from '@platform-sync/core/model/value';

/** Member that says what kind of special value an object is. */
const signature = '4dabf18193072939515e22adb298388d';
const kinds = {
  secret: '1b47061264138c4ac30d75fd1eb44270',
  resource: '5cf8f73096256a8f31e491e813e4eb8e',
  output: 'd0e6a833031e9bbcd3f4e8bde6ca49a4',
} as const;
/** A value that is not known before the update. */
export const unknownMarker = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** What a secret is called where there is no expression to name it by. */
export const secretWord = '(secret)';

/** A value of a kind that no field of ours takes. */
export class StrangeValue extends Error {
  override name = 'StrangeValue';
}

/** A value as the engine sends it. Null members of maps are left out: the platform tells them from absent ones nowhere. */
export function fromWire(given: unknown): Value {
  if (given === unknownMarker) return unknown(['another resource']);
  if (given === null || given === undefined) return null;
  if (Array.isArray(given)) return given.map(fromWire);
  if (typeof given !== 'object') return given as Value;
  const object = given as Readonly<Record<string, unknown>>;
  if (signature in object) return special(object);
  return objectFromWire(object);
}

export function objectFromWire(object: Readonly<Record<string, unknown>>): ValueObject {
  const members = Object.entries(object).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, fromWire(value)]));
}

/** Properties of a resource: null, which programs in TypeScript can say, is not the same as left out. A null hides nothing. */
export function propertiesFromWire(object: Readonly<Record<string, unknown>>): ValueObject {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    members.map(([name, given]): [string, Value] => {
      const value = fromWire(given);
      return [name, isSecret(value) && value.value === null ? null : value];
    }),
  );
}

function special(object: Readonly<Record<string, unknown>>): Value {
  switch (ownMember(object, signature)) {
    case kinds.secret:
      return secret(fromWire(object['value']), secretWord);
    case kinds.output: {
      const value = object['value'] === undefined ? unknown(['another resource']) : fromWire(object['value']);
      return object['secret'] === true ? secret(value, secretWord) : value;
    }
    case kinds.resource:
      return fromWire(object['id']);
    default:
      throw new StrangeValue('files, archives and other resources are no values here');
  }
}

/** A value as the engine wants it, secret and unknown parts marked. */
export function toWire(value: Value): unknown {
  if (isUnknown(value)) return unknownMarker;
  if (isSecret(value)) return { [signature]: kinds.secret, value: toWire(value.value) };
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return value;
  return objectToWire(value as ValueObject);
}

export function objectToWire(object: ValueObject): Readonly<Record<string, unknown>> {
  const members = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(members.map(([name, value]) => [name, toWire(value)]));
}

/** Properties of a resource as the engine wants them, null ones among them. */
export function propertiesToWire(object: ValueObject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, toWire(value)]));
}

/** What is known of a value, without marks; undefined where it is not known. Unknown members of objects are left out. */
export function knownPart(value: Value): Json | undefined {
  if (isUnknown(value)) return undefined;
  if (isSecret(value)) return knownPart(value.value);
  if (Array.isArray(value)) {
    const items = value.map(knownPart);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (typeof value !== 'object' || value === null) return value as Json;
  return knownMembers(value as ValueObject);
}

export function knownMembers(object: ValueObject): JsonObject {
  const members = Object.entries(object).flatMap(([name, value]): [string, Json][] => {
    const known = knownPart(value);
    return known === undefined ? [] : [[name, known]];
  });
  return Object.fromEntries(members);
}

/** The same members, some of them marked as secret as a whole. */
export function marked(object: ValueObject, names: ReadonlySet<string>): ValueObject {
  const members = Object.entries(object).map(([name, value]): [string, Value] => [
    name,
    names.has(name) && value !== null ? secret(value, secretWord) : value,
  ]);
  return Object.fromEntries(members);
}
