import { knownValue } from '@platform-sync/catalogue/build/known-value';
import { compareText, type Address } from '@platform-sync/core/model/address';
import type { DesiredState } from '@platform-sync/core/model/desired';
import type { RecordedResource } from '@platform-sync/core/model/state';
import { dependencyGraph } from '@platform-sync/core/resolve/graph';
import { writtenSecrets } from '@platform-sync/core/resolve/written-values';
import type { Choosable } from './terms.js';

type Recorded = ReadonlyMap<Address, RecordedResource>;

/** The catalogue, and what is recorded of the rest. */
export function catalogueChoice(desired: DesiredState, recorded: Recorded): Choosable {
  let addresses: readonly Address[] | undefined;
  let graph: ReadonlyMap<Address, readonly Address[]> | undefined;
  let open: DesiredState['variables'] | undefined;
  return {
    // Most commands choose nothing.
    get addresses() {
      return (addresses ??= [...new Set([...desired.resources.keys(), ...recorded.keys()])].sort());
    },
    typeOf: (address) => desired.resources.get(address)?.type ?? recorded.get(address)?.type ?? '',
    valueOf: (address, field) => {
      const resource = desired.resources.get(address);
      if (resource === undefined) return recorded.get(address)?.inputs[field];
      const expression = resource.properties.get(field);
      if (expression === undefined || writtenSecrets(expression).length > 0) return undefined;
      open ??= new Map([...desired.variables].filter(([, each]) => writtenSecrets(each).length === 0));
      return knownValue(expression, { variables: open, unusable: new Set(), broken: new WeakSet() }, []);
    },
    needsOf: (address) => {
      graph ??= dependencyGraph(desired);
      return graph.get(address) ?? recorded.get(address)?.dependencies ?? [];
    },
  };
}

/** What is recorded alone, for work that never looks at the files. */
export function recordedChoice(recorded: Recorded): Choosable {
  return {
    addresses: [...recorded.keys()].sort(compareText),
    typeOf: (address) => recorded.get(address)?.type ?? '',
    valueOf: (address, field) => recorded.get(address)?.inputs[field],
    needsOf: (address) => recorded.get(address)?.dependencies ?? [],
  };
}
