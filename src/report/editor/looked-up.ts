import { compareText } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import { type LookupExpression, visitExpression } from '@platform-sync/core/model/expression';
import type { ProviderPackage } from '@platform-sync/core/model/provider';
import { ruledTokens } from '@platform-sync/core/lookups/by-rule';

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
