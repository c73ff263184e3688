import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import { type Expression, type ExpressionVisitor, visitExpression } from '../model/expression.js';

/** Address → the addresses that must be done before it, sorted. */
type DependencyGraph = ReadonlyMap<Address, readonly Address[]>;

/**
 * Direct dependencies of every resource: by references (through variables too, and in the arguments of lookups), by
 * what it is nested under, and by `dependsOn`. Addresses come in sorted order.
 */
export function dependencyGraph(desired: DesiredState): DependencyGraph {
  const throughVariables = variableDependencies(desired.variables);
  const graph = new Map<Address, readonly Address[]>();
  const needed = new Set<Address>();
  const collector = collectorOf(needed, throughVariables);
  // The default sort compares code units, and much faster than a function given to it.
  for (const address of [...desired.resources.keys()].sort()) {
    const resource = desired.resources.get(address);
    if (resource === undefined) continue;
    needed.clear();
    for (const other of resource.options.dependsOn) needed.add(other);
    for (const value of resource.properties.values()) visitExpression(value, collector);
    graph.set(address, needed.size < 2 ? [...needed] : [...needed].sort());
  }
  return graph;
}

type Lookup = (variable: string) => ReadonlySet<Address>;

/** Resources a variable leads to; each variable is worked out once. */
function variableDependencies(variables: ReadonlyMap<string, Expression>): Lookup {
  const known = new Map<string, Set<Address>>();
  const lookup: Lookup = (name) => {
    let found = known.get(name);
    if (found === undefined) {
      found = new Set();
      // Set before its value is read: a ring, which the loader refuses, must not recurse for ever.
      known.set(name, found);
      const value = variables.get(name);
      if (value !== undefined) visitExpression(value, collectorOf(found, lookup));
    }
    return found;
  };
  return lookup;
}

function collectorOf(into: Set<Address>, throughVariables: Lookup): ExpressionVisitor {
  return {
    reference: ({ to, target }) => {
      if (to === 'resource') into.add(target);
      else for (const address of throughVariables(target)) into.add(address);
    },
  };
}
