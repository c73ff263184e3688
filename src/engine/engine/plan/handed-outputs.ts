import type { Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { Destinations } from '@platform-sync/core/model/destination';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { didYouMean } from '@platform-sync/core/model/nearest';
import type { ResourceType } from '@platform-sync/core/model/resource-type';

/** An output that is handed over when an object is made, and recorded nowhere. */
export interface HandedOutput {
  readonly name: string;
  readonly address: Address;
  readonly field: string;
}

/** Outputs that name a secret which the platform chooses and shows once: `${bot/token.token}`. */
export function handedOutputs(
  { outputs, resources }: Pick<DesiredState, 'outputs' | 'resources'>,
  types: ReadonlyMap<string, Pick<ResourceType, 'shownOnce'>>,
): readonly HandedOutput[] {
  return [...outputs].flatMap(([name, expression]): readonly HandedOutput[] => {
    if (expression.kind !== 'reference' || expression.to !== 'resource' || expression.path.length !== 1) return [];
    const resource = resources.get(expression.target);
    const field = String(expression.path[0]);
    const isShownOnce = types.get(resource?.type ?? '')?.shownOnce?.includes(field) === true;
    // What the file chooses is known to it, and to nobody else.
    return isShownOnce && resource?.properties.has(field) === false
      ? [{ name, address: expression.target, field }]
      : [];
  });
}

/** Destinations for which there is nothing to hand over. */
export function uselessDestinations(
  destinations: Destinations,
  handed: readonly HandedOutput[],
): readonly Diagnostic[] {
  const names = handed.map(({ name }) => name);
  return [...destinations]
    .filter(([name, { isForAny }]) => isForAny !== true && !names.includes(name))
    .map(([name]) => ({
      severity: 'error',
      code: 'no-such-secret-output',
      summary: `There is no output ${name} of a secret that is shown once, so nothing can be sent to its destination.`,
      hint:
        didYouMean(name, names) ??
        (names.length === 0
          ? `Name the secret in the catalogue: outputs: {${name}: \${ADDRESS.FIELD}}`
          : `Such outputs are ${names.join(', ')}.`),
    }));
}
