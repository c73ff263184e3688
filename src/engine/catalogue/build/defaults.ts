import type { Address } from '@platform-sync/core/model/address';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import type { Expression, MapEntry } from '@platform-sync/core/model/expression';
import type { SourceRange } from '@platform-sync/core/model/place-in-file';
import type { BuildContext } from '../read/build-context.js';
import { keepInputs } from './property-names.js';
import { overlayEntries, isUnset, withoutUnset } from '../read/overlay.js';
import type { DraftDefaults } from '../read/draft.js';
import { isNull, type Entries } from '../read/shape.js';
import { resolveType, type Vocabulary } from './vocabulary.js';

/** Type token → properties that all resources of the type have: those of a file, or, by an overlay, of all files. */
export type TypeDefaults = ReadonlyMap<string, Entries>;

export function defaultsOf(
  defaults: readonly DraftDefaults[],
  vocabulary: Vocabulary,
  context: BuildContext,
): TypeDefaults {
  const found = new Map<string, Entries>();
  const places = new Map<string, SourceRange>();
  for (const { type: text, at, properties } of defaults) {
    const type = resolveType(text, at, vocabulary, context);
    if (type === undefined) continue;
    const earlier = places.get(type.token);
    if (earlier !== undefined) {
      context.problems.add('duplicate-key', at, `${type.shortToken} has defaults twice.`, {
        related: [{ at: earlier, message: 'first here' }],
      });
      continue;
    }
    places.set(type.token, at);
    found.set(type.token, keepInputs(properties, type, `defaults of ${type.shortToken}`, undefined, context));
  }
  return found;
}

/** What an overlay gives everywhere stands over what a file gives. */
export function overlayDefaults(file: TypeDefaults, everywhere: TypeDefaults): TypeDefaults {
  if (everywhere.size === 0) return file;
  const merged = new Map(file);
  for (const [type, entries] of everywhere) merged.set(type, overlayEntries(file.get(type) ?? new Map(), entries));
  return merged;
}

/** A resource's own properties over the defaults: maps merge, of the rest the resource's own stand. */
export function mergeDefaults(
  own: Entries,
  defaults: Entries | undefined,
  address: Address,
  context: BuildContext,
): { readonly properties: Map<string, Expression>; readonly propertyKeys: DesiredResource['propertyKeys'] } {
  const merged = defaults === undefined ? own : mergeEntries(own, defaults, address, context, []);
  const properties = new Map<string, Expression>();
  const propertyKeys = new Map<string, SourceRange>();
  for (const [name, { key, value }] of withoutUnset(merged)) {
    properties.set(name, value);
    propertyKeys.set(name, key);
  }
  return { properties, propertyKeys };
}

function mergeEntries(
  own: Entries,
  under: Entries,
  address: Address,
  context: BuildContext,
  path: readonly string[],
): Entries {
  const merged = new Map<string, MapEntry>(own);
  for (const [name, entry] of under) {
    const mine = own.get(name);
    if (mine === undefined) merged.set(name, entry);
    else if (path.length > 0 && isNull(mine.value) && !isUnset(mine.value)) {
      nullOverDefault([...path, name].join('.'), mine, address, context);
      merged.delete(name);
    } else if (mine.value.kind === 'map' && entry.value.kind === 'map') {
      const entries = mergeEntries(mine.value.entries, entry.value.entries, address, context, [...path, name]);
      merged.set(name, { key: mine.key, value: { kind: 'map', entries, at: mine.value.at } });
    }
  }
  return merged;
}

/** Null will mean what it means everywhere; until the next release it takes the default's key away, as it used to. */
function nullOverDefault(path: string, entry: MapEntry, address: Address, { problems }: BuildContext): void {
  problems.add('null-over-default', entry.value.at, `"${path}" of ${address} is null to leave out a default.`, {
    severity: 'warning',
    detail: 'From the next release on, null removes the key from the object, whoever set it.',
    hint: 'To drop the default, write !unset: then the key is not declared.',
    address,
  });
}
