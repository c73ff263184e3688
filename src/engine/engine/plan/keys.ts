import { canonicalJson } from '@platform-sync/core/model/canonical';
import { markField, markIn } from '@platform-sync/core/model/ownership-mark';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { Identity } from '@platform-sync/core/model/state';
import { hasUnknown, reveal, type Json, type JsonObject, type Value } from '@platform-sync/core/model/value';
import { normalForm } from '@platform-sync/core/value/equality';
import { isSealed } from '@platform-sync/core/value/seal';
import { addTo } from '@platform-sync/core/model/graph';
import type { Address } from '@platform-sync/core/model/address';
import { collectionKey } from '@platform-sync/core/model/identity';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import { resourceType, type ProposalInput } from './step.js';

/**
 * The fields by which people know an object, where the platform refuses a second one of the same; undefined for a type
 * whose natural key is not unique. Only such a key says which object a new resource is.
 */
export function uniqueKeyOf(type: Pick<ResourceType, 'naturalKey' | 'unique'>): readonly string[] | undefined {
  const { naturalKey, unique } = type;
  if (naturalKey.length === 0) return undefined;
  return unique.find(
    (group) => group.length === naturalKey.length && group.every((field) => naturalKey.includes(field)),
  );
}

/** One text for equal values of some fields of a type; undefined while one is not known, or where none has a value. */
export function keyText(
  type: ResourceType,
  group: readonly string[],
  valueOf: (field: string) => Json | undefined,
): string | undefined {
  const parts: Json[] = [];
  // A type may name the fields of one key in two orders.
  const fields = [...group].sort();
  for (const field of fields) {
    const rule = type.fields[field];
    const value = valueOf(field);
    // A sealed value equals no other here: its fingerprint is the stack's own.
    if (value === undefined || rule === undefined || isSealed(value)) return undefined;
    parts.push(normalForm(rule, value) ?? null);
  }
  // A key whose every part is absent (an implementation without a service) holds nothing.
  return parts.every((part) => part === null) ? undefined : `${type.token} ${fields.join()} ${canonicalJson(parts)}`;
}

/** The natural key of an object that lives in `scope`, as the platform shows it. */
export function heldKey(
  type: ResourceType,
  scope: Identity['scope'],
  values: JsonObject,
  group = type.naturalKey,
): string | undefined {
  return keyText(type, group, (field) => (Object.hasOwn(values, field) ? values[field] : scope[field]) ?? null);
}

/** The natural keys that an object made from these inputs may have, the likeliest first; none while a part is unknown. */
export function wantedKeys(
  type: ResourceType,
  declared: ReadonlyMap<string, Value>,
  group = type.naturalKey,
): readonly string[] {
  // What lives in a new object, and most of a first plan does, needs no more than this look.
  if (group.some((field) => hasUnknown(declared.get(field) ?? null))) return [];
  const known = knownInputs(declared);
  const chosen = type.derive(known);
  const also = type.alsoNamed(known);
  const valueOf =
    (others: JsonObject) =>
    (field: string): Json | undefined => {
      const value = declared.get(field) ?? undefined;
      if (value !== undefined) return reveal(value);
      // What the platform makes up and nobody can foretell is no key to look for.
      return others[field] ?? chosen[field] ?? (type.fields[field]?.clearing.by === 'derived' ? undefined : null);
    };
  const keys = [keyText(type, group, valueOf({})), keyText(type, group, valueOf(also))];
  return [...new Set(keys)].filter((key) => key !== undefined);
}

/** The key that a mark is. */
function markKey(type: ResourceType, mark: string): string {
  return `${type.token} ${markField} ${mark}`;
}

/** What tells which object a new resource is, the surest first: the mark it bears, then its key where that is unique. */
export function tellingKeys(type: ResourceType, declared: ReadonlyMap<string, Value>): readonly string[] {
  const mark = markIn(declared.get(markField));
  const keys = uniqueKeyOf(type) === undefined ? [] : wantedKeys(type, declared);
  return mark === undefined ? keys : [markKey(type, mark), ...keys];
}

/**
 * True where no name tells which object a resource is: its type has none but its place, or the file leaves it out. Only what it
 * says can tell then.
 */
export function isNameless(type: ResourceType, inputs: JsonObject): boolean {
  const derived = type.derive(inputs);
  return type.naturalKey
    .filter((field) => !isPlaceOf(type, field))
    .every((field) => (inputs[field] ?? derived[field] ?? null) === null);
}

/** True for an object that has no name either, or one that the platform gives to whatever comes without. */
export function isWithoutName(type: ResourceType, values: JsonObject): boolean {
  return type.naturalKey.every((field) => {
    const rule = type.fields[field];
    const isGiven = rule?.required === false && rule.alwaysReturned;
    return isGiven || isPlaceOf(type, field) || (values[field] ?? null) === null;
  });
}

export function isPlaceOf({ collection, parent }: ResourceType, field: string): boolean {
  return field === parent?.field || collection.scope.includes(field);
}

/** The declared properties whose values are known, plain. */
export function knownInputs(declared: ReadonlyMap<string, Value>): JsonObject {
  const known: [string, Json][] = [];
  for (const [name, value] of declared) if (value !== null && !hasUnknown(value)) known.push([name, reveal(value)]);
  return Object.fromEntries(known);
}

type KeyInput = Pick<ProposalInput, 'types' | 'state' | 'snapshot'>;

/** Who has which natural key on the platform, as far as it was looked at. */
export class KeyIndex {
  readonly #input: KeyInput;
  #records: ReadonlyMap<string, Address> | undefined;
  readonly #strangers = new Map<string, RemoteObject[]>();
  readonly #whole = new Set<string>();
  readonly #begun = new Set<string>();

  constructor(input: KeyInput) {
    this.#input = input;
    for (const { type: token, scope, morePages, objects } of input.snapshot.listed) {
      const type = resourceType(input, token);
      (morePages === 0 ? this.#whole : this.#begun).add(collectionKey(type, scope));
      for (const object of objects) {
        const mark = markIn(object.values[markField]);
        const keys = [
          heldKey(type, object.identity.scope, object.values),
          mark === undefined ? undefined : markKey(type, mark),
        ];
        for (const key of keys) if (key !== undefined) addTo(this.#strangers, key, object);
      }
    }
  }

  /** The address in state whose object has one of the keys now. */
  recorded(keys: readonly string[]): Address | undefined {
    // Made for the first who asks: where everything has its record, nobody does.
    const records = (this.#records ??= recordedKeys(this.#input));
    return keys.map((key) => records.get(key)).find((address) => address !== undefined);
  }

  /** Listed objects that have the first of the keys that any has, and that state knows nothing of. */
  strangers(keys: readonly string[]): readonly RemoteObject[] {
    return keys.map((key) => this.#strangers.get(key)).find((objects) => objects !== undefined) ?? [];
  }

  /** True where there is more in a collection than was listed. What stands at the top was listed, or why not was told. */
  isLeft(type: ResourceType, scope: Identity['scope']): boolean {
    const key = collectionKey(type, scope);
    return !this.#whole.has(key) && (this.#begun.has(key) || type.collection.scope.length > 0);
  }

  /** True when all objects of the collection in which a key is unique were listed. */
  isWhole(type: ResourceType, scope: Identity['scope']): boolean {
    return this.#whole.has(collectionKey(type, scope));
  }
}

function recordedKeys(input: KeyInput): ReadonlyMap<string, Address> {
  const found = new Map<string, Address>();
  for (const record of input.state.resources.values()) {
    const type = resourceType(input, record.type);
    const reading = input.snapshot.readings.get(record.address);
    if (reading?.kind === 'gone' || uniqueKeyOf(type) === undefined) continue;
    // What could not be read is taken to be as recorded.
    const values = reading?.kind === 'found' ? reading.values : record.outputs;
    const key = heldKey(type, record.identity.scope, values);
    if (key !== undefined && !found.has(key)) found.set(key, record.address);
  }
  return found;
}
