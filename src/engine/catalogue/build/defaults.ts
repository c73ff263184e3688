import type { Address } from '../../model/address.js';
import type { DesiredResource } from '../../model/desired.js';
import { CompactMap, type Keys } from '../../model/compact-map.js';
import type { Expression, MapEntry } from '../../model/expression.js';
import type { SourceRange } from '../../model/place-in-file.js';
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
): { readonly properties: CompactMap<Expression>; readonly propertyKeys: DesiredResource['propertyKeys'] } {
  const merged = defaults === undefined ? own : mergeEntries(own, defaults, address, context, []);
  const entries = CompactMap.of(withoutUnset(merged));
  return { properties: entries.with(({ value }) => value), propertyKeys: KeyPlaces.of(entries) };
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
    detail: 'From the next release on, null takes the key off the object, whoever has set it.',
    hint: 'Write !unset where the default is not to hold: the key is not declared then.',
    address,
  });
}

/** Where the keys of a map stand: of the map itself, which is as large as what it says, nothing is kept. */
export class KeyPlaces implements Pick<ReadonlyMap<string, SourceRange>, 'get' | 'has'> {
  readonly #order: Keys;
  /** Where each starts; a key that is as long as its name ends where that ends. */
  readonly #places: readonly (number | SourceRange)[];
  readonly #file: string;

  private constructor(order: Keys, places: readonly (number | SourceRange)[], file: string) {
    this.#order = order;
    this.#places = places;
    this.#file = file;
  }

  static of(given: Entries): KeyPlaces {
    const entries = CompactMap.of(given);
    const [first] = entries.values();
    const file = first?.key.file ?? '';
    const places = entries.list(({ key }, name) =>
      key.file === file && key.end - key.start === name.length ? key.start : key,
    );
    return new KeyPlaces(entries.order, places, file);
  }

  get(name: string): SourceRange | undefined {
    const at = this.#order.place(name);
    const place = at === undefined ? undefined : this.#places[at];
    return typeof place === 'number' ? { file: this.#file, start: place, end: place + name.length } : place;
  }

  has(name: string): boolean {
    return this.#order.place(name) !== undefined;
  }
}
