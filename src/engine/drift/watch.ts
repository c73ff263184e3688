import type { UnmanagedSetting } from '../model/drift.js';
import type { ResourceType } from '../model/resource-type.js';
import type { JsonObject } from '../model/value.js';

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
export function isVisible({ visibility, losses }: ResourceType, values: JsonObject): boolean {
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
