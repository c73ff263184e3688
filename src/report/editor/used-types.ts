import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { type ResourceType, shortToken } from '@platform-sync/core/model/resource-type';
import { catalogueSchema } from './catalogue-schema.js';
import { compareText } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type LookupExpression, visitExpression } from '@platform-sync/core/model/expression';
import { ruledTokens } from '@platform-sync/core/lookups/by-rule';

/** What an editor loads may have so many characters. */
export const mostCharacters = 300_000;

interface UsedSchema {
  readonly text: string;
  /** Types that editors know in full, and those used that there was no room for: editors know their names. */
  readonly inFull: readonly string[];
  readonly byName: readonly string[];
}

/**
 * The schema of catalogue files for a project that uses these types, in the order in which they matter, and lookups of these;
 * whose arguments editors know where there is room left.
 */
export function schemaOfUsed(
  packages: readonly ProviderPackage[],
  used: readonly string[],
  asked: readonly string[] = [],
): UsedSchema {
  const isThere = (token: string): boolean => packages.some(({ types }) => types.has(token));
  const [there, lookedUp] = [used.filter(isThere), asked.filter(isThere)];
  const all = there.length + lookedUp.length;
  let [least, most] = [0, all];
  let best = written(packages, [], []);
  // Types differ in size by a factor of a hundred; how many there is room for is found by halving.
  while (least < most) {
    const count = Math.ceil((least + most) / 2);
    const text = written(packages, there.slice(0, count), lookedUp.slice(0, Math.max(0, count - there.length)));
    if (text.length <= mostCharacters) [least, best] = [count, text];
    else most = count - 1;
  }
  return { text: best, inFull: there.slice(0, least), byName: there.slice(least) };
}

function written(packages: readonly ProviderPackage[], tokens: readonly string[], lookedUp: readonly string[]): string {
  const known = packages.map(({ types, lookups }) => {
    const typesOf = (some: readonly string[]): readonly ResourceType[] =>
      some.map((token) => types.get(token)).filter((type) => type !== undefined);
    const chosen = typesOf(tokens).map((type) => [type.token, type] as const);
    return { types: new Map(chosen), lookups, lookedUp: typesOf(lookedUp) };
  });
  const others = packages
    .flatMap(({ types }) => [...types.keys()])
    .filter((token) => !tokens.includes(token))
    .map((token) => ({ token, shortToken: shortToken(token) }));
  return `${JSON.stringify(catalogueSchema(known, others, 'Written by sync schema --editor for the types of this project.'))}\n`;
}

/** Tokens of the types whose lookups a catalogue has some of, in order. */
export function lookedUpTypes(
  { resources, variables, outputs }: DesiredState,
  packages: readonly ProviderPackage[],
): readonly string[] {
  const typeOf = new Map(
    packages.flatMap((loaded) => [...ruledTokens(loaded)].map(([token, [type]]) => [token, type])),
  );
  const found = new Set<string>();
  const lookup = ({ function: token }: LookupExpression): void => {
    const type = typeOf.get(token);
    if (type !== undefined) found.add(type);
  };
  const values = [...resources.values()].flatMap(({ properties }) => [...properties.values()]);
  for (const value of [...values, ...variables.values(), ...outputs.values()]) visitExpression(value, { lookup });
  return [...found].sort(compareText);
}
