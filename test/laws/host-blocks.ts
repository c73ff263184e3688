import type { ResourceType } from '@platform-sync/core/model/resource-type';
import type { JsonObject } from '@platform-sync/core/model/value';
import { life, used } from '../derived/all-types.js';

/** Blocks of all derived types and what they live in, for worlds on paper. */

const onPaper = ({ collection, endless, untouched, absence }: ResourceType): boolean =>
  collection.listed !== false && endless === undefined && untouched === undefined && absence !== undefined;
/** Types that a platform on paper can have: settings that are always there need more. */
export const hostTypes: ReadonlyMap<string, ResourceType> = new Map(
  [...used].filter(onPaper).map((type) => [type.token, type] as const),
);
const byShort = new Map([...hostTypes.values()].map((type) => [type.shortToken, type]));

export type Resources = Readonly<Record<string, JsonObject>>;
export const lives: Readonly<Record<'first' | 'other', Resources>> = {
  first: life('first').resources,
  other: life('other').resources,
};
export const neededBy = (block: JsonObject | undefined): readonly string[] =>
  [...JSON.stringify(block?.['properties'] ?? {}).matchAll(/\$\{([\w-]+)\.id\}/g)].flatMap(
    ([, address]) => address ?? [],
  );

/** The address, and all that it refers to; undefined where one of them is of a type that is not on paper. */
function withNeeded(address: string): ReadonlySet<string> | undefined {
  const all = new Set([address]);
  for (const each of all) {
    const block = lives.first[each];
    if (block === undefined || !byShort.has(String(block['type']))) return undefined;
    for (const needed of [...neededBy(block), ...neededBy(lives.other[each])]) all.add(needed);
  }
  return all;
}

const pool = Object.keys(lives.first).flatMap((address) => {
  const all = withNeeded(address);
  return all === undefined ? [] : [[address, all] as const];
});
/** Each address with all that it refers to. */
const closures = new Map(pool);
export const hostAddresses = [...closures.keys()].sort();

/** The blocks of these addresses, with all that they refer to. */
export function hostBlocks(
  chosen: readonly string[],
  others: readonly boolean[],
  options: readonly JsonObject[],
): Record<string, JsonObject> {
  const all = [...new Set(chosen.flatMap((address) => [...(closures.get(address) ?? [])]))].sort();
  return Object.fromEntries(
    all.map((address, at) => {
      const which = others[at % others.length] === true ? 'other' : 'first';
      return [address, { ...(lives[which][address] ?? {}), options: options[at % options.length] ?? {} }];
    }),
  );
}

/** What an address refers to, at whatever depth. */
export function hostNeeds(address: string): readonly string[] {
  return [...(closures.get(address) ?? [])].filter((each) => each !== address);
}
