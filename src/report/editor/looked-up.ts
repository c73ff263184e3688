import { compareText } from '../../engine/model/address.js';
import type { DesiredState } from '../../engine/model/desired.js';
import type { LookupExpression } from '../../engine/model/expression.js';
import type { ProviderPackage } from '../../engine/model/provider.js';
import { visitExpression } from '../../engine/model/visit-expression.js';
import { ruledTokens } from '../../engine/lookups/by-rule.js';

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
