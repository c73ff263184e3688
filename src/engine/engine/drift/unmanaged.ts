import { type Address, childAddress, compareText } from '@platform-sync/core/model/address';
import { defined, type JsonObject } from '@platform-sync/core/model/value';
import { importIdText } from '@platform-sync/core/model/import-id';
import type { UnmanagedObject } from '@platform-sync/core/model/plan';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { ListedStrangers } from '@platform-sync/core/model/snapshot';
import type { UnmanagedSetting } from '@platform-sync/core/model/drift';

/** Objects that lists showed and state knows nothing of, of those that are asked for. */
export interface Stranger {
  readonly type: ResourceType;
  readonly under?: Address;
  readonly object: RemoteObject;
}

/** What nobody manages, of what is asked for. */
export interface UnmanagedFound {
  /** Names of the types that were looked at. */
  readonly types: ReadonlySet<string>;
  readonly objects: readonly UnmanagedObject[];
  /** Names of types of which another run is making objects just now: nothing is said about any of them. */
  readonly busy: ReadonlySet<string>;
}

/** Pure: what of the lists is asked for, in no order. */
export function watchedStrangers(
  listed: readonly ListedStrangers[],
  watch: Watch,
  typeOf: (token: string) => ResourceType,
): readonly Stranger[] {
  return listed.flatMap(({ type: token, under, objects }) => {
    const type = typeOf(token);
    if (!watch.types.has(type)) return [];
    return objects
      .filter(({ values }) => !watch.onlyVisible || isVisible(type, values))
      .map((object) => ({ type, ...defined({ under }), object }));
  });
}

/** As the documents name it. */
export function unmanagedObject({ type, under, object }: Stranger): UnmanagedObject {
  const { identity, values } = object;
  const updatedAt = values[type.revision ?? ''];
  return {
    type: type.token,
    ...defined({ under }),
    id: identity.id,
    name: nameOf(type, object),
    visible: isVisible(type, values),
    importId: importIdText(type.importId, identity),
    ...(typeof updatedAt === 'string' ? { updatedAt } : {}),
  };
}

/** The text that people know it by, else what tells it from others in its place, else its id. */
function nameOf(type: ResourceType, { identity, values }: RemoteObject): string {
  const label = values[type.label ?? ''];
  if (typeof label === 'string' && label !== '') return label;
  const parts = type.naturalKey
    .filter((field) => type.fields[field]?.references === undefined && !type.collection.scope.includes(field))
    .map((field) => values[field])
    .filter((value) => typeof value === 'string' && value !== '');
  return parts.length === 0 ? identity.id : parts.join(' ');
}

export function byPlace(a: UnmanagedObject, b: UnmanagedObject): number {
  return compareText(placeOf(a), placeOf(b));
}

function placeOf({ under = '', type, name, id }: UnmanagedObject): string {
  return JSON.stringify([under, type, name, id]);
}

/** Where an object that nobody manages is found. No address of a catalogue: no key of one holds a colon. */
export function unmanagedAddress({ name }: ResourceType, under: Address | undefined, id: string): Address {
  const key = `${name}:${id}`;
  return under === undefined ? key : childAddress(under, key);
}

/** The type that such an address names; undefined for the address of a resource. */
export function typeNameIn(address: Address): string | undefined {
  return /(?:^|\/)([A-Za-z]\w*):[^/]*$/.exec(address)?.[1];
}

/** Which objects that nobody manages are findings. */
export interface Watch {
  readonly types: ReadonlySet<ResourceType>;
  readonly onlyVisible: boolean;
  /** Names in sync.yaml that no type has. */
  readonly unknown: readonly string[];
}

/** What `drift.unmanaged` comes to; undefined: nothing was asked for. */
export function watchOf(
  setting: UnmanagedSetting | undefined,
  types: ReadonlyMap<string, ResourceType>,
): Watch | undefined {
  if (setting === undefined) return undefined;
  const known = [...types.values()];
  // Derived types are many: they are watched when they are named.
  const proven = known.filter(({ derived }) => derived !== true);
  if (setting === 'all') return { types: new Set(proven), onlyVisible: false, unknown: [] };
  if (setting === 'visible') return { types: new Set(proven.filter(mayBeVisible)), onlyVisible: true, unknown: [] };
  const named = (type: ResourceType): boolean =>
    [type.name, type.shortToken, type.token].some((name) => setting.includes(name));
  const found = known.filter(named);
  const isKnown = (name: string): boolean =>
    found.some((type) => [type.name, type.shortToken, type.token].includes(name));
  return { types: new Set(found), onlyVisible: false, unknown: setting.filter((name) => !isKnown(name)) };
}

function mayBeVisible({ visibility, losses }: ResourceType): boolean {
  return visibility.length + losses.length > 0;
}

/** Whether the public sees an object: it is in the state that shows it, or published somewhere. */
function isVisible({ visibility, losses }: ResourceType, values: JsonObject): boolean {
  const holdsAny = (field: string): boolean => {
    const value = values[field];
    return Array.isArray(value) && value.length > 0;
  };
  return (
    visibility.some(
      ({ field, values: states, where, contents }) =>
        contents !== true &&
        (where === undefined || values[where.field] === where.is) &&
        (states === undefined ? holdsAny(field) : values[field] === states.shown),
    ) || losses.some(({ field }) => holdsAny(field))
  );
}
