import type { PackageSource } from '@platform-sync/core/model/package-source';
import { outputLookup } from '@platform-sync/core/lookups/stack-output';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { nearest } from '@platform-sync/core/model/nearest';
import { ProviderError, type Provider, type ProviderPackage } from '@platform-sync/core/model/provider';
import type { StateStore } from '@platform-sync/core/model/state-store';
import { type Json, type JsonObject } from '@platform-sync/core/model/value';
import { hasSealed } from '@platform-sync/core/value/secret-parts';

const name = outputLookup.provider;

/** The packages, and one of the engine itself that reads what other stacks have recorded. */
export function withStackOutputs(
  source: PackageSource,
  stack: string,
  state: () => Promise<StateStore>,
): PackageSource {
  const load = (wanted: string): Promise<ProviderPackage> =>
    wanted === name ? Promise.resolve(stackPackage(stack, state)) : source.load(wanted);
  return { ...source, names: [...source.names, name], load };
}

function stackPackage(stack: string, state: () => Promise<StateStore>): ProviderPackage {
  return {
    name,
    types: new Map(),
    lookups: new Map([[outputLookup.token, outputLookup]]),
    settings: {},
    validate: () => [],
    validateLookup: async (_token, args) =>
      (await import('@platform-sync/core/lookups/check-arguments')).violations(outputLookup.inputs, args),
    start: () => Promise.resolve(stackProvider(stack, state)),
  };
}

/** It has nothing but the lookup, and sends nothing. */
function stackProvider(stack: string, state: () => Promise<StateStore>): Provider {
  const none = (): Promise<never> => Promise.reject(new Error('bug: stacks are no objects of a platform'));
  return {
    ...{ name, target: name, targetSource: name, types: new Map() },
    ...{ list: none, read: none, readWriteOnly: none, find: none, create: none, update: none, delete: none },
    lookup: async (_token, args) => ({ value: await outputOf(stack, await state(), args) }),
    requests: () => 0,
    close: () => Promise.resolve(),
  };
}

async function outputOf(own: string, store: StateStore, args: JsonObject): Promise<Json> {
  const [stack, output] = [String(args['stack']), String(args['name'])];
  if (stack === own) throw failure(`${stack} is this stack itself.`, 'Refer to the value of the output directly.');
  const outputs = await store.outputsOf(stack);
  if (outputs === undefined) {
    const meant = nearest(stack, await store.stacks());
    const hint = 'It is another stack of this project in the same state store, and was applied before.';
    throw failure(`Nothing is recorded for a stack ${stack}.`, meant === undefined ? hint : `Did you mean ${meant}?`);
  }
  const value = Object.hasOwn(outputs, output) ? outputs[output] : undefined;
  if (value === undefined) {
    const meant = nearest(output, Object.keys(outputs));
    const hint = `Outputs are recorded by an apply. Those of that stack: sync output --stack ${stack}`;
    throw failure(`The stack ${stack} has no output ${output}.`, meant === undefined ? hint : `Did you mean ${meant}?`);
  }
  if (!hasSealed(value)) return value;
  throw failure(
    `The output ${output} of the stack ${stack} is secret, and state keeps no secrets.`,
    'Give the secret to both stacks, with !env.',
  );
}

function failure(summary: string, hint: string): ProviderError {
  const diagnostic: Diagnostic = { severity: 'error', code: 'stack-output', summary, hint };
  return new ProviderError('configuration', [diagnostic]);
}
