import type { Address } from '../model/address.js';
import type { DesiredState } from '../model/desired.js';
import type { Expression } from '../model/expression.js';
import { visitExpression, type ExpressionVisitor } from '../model/visit-expression.js';

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

/**
 * An order in which everything comes after what it depends on; among those that are free, the smallest address first.
 * Dependencies that are no keys of the graph count as done. What is part of a ring, or comes after one, is left out:
 * the order is shorter than the graph then.
 */
export function topologicalOrder(graph: DependencyGraph): readonly Address[] {
  if (isInOrder(graph)) return [...graph.keys()];
  const open = new Map<Address, number>();
  const dependants = new Map<Address, Address[]>();
  for (const [address, needed] of graph) {
    const inside = needed.filter((other) => graph.has(other));
    open.set(address, inside.length);
    for (const other of inside) {
      const list = dependants.get(other);
      if (list === undefined) dependants.set(other, [address]);
      else list.push(address);
    }
  }
  const free = new AddressHeap();
  for (const [address, count] of open) if (count === 0) free.push(address);
  const order: Address[] = [];
  for (let address = free.pop(); address !== undefined; address = free.pop()) {
    order.push(address);
    for (const dependant of dependants.get(address) ?? []) {
      const left = (open.get(dependant) ?? 0) - 1;
      open.set(dependant, left);
      if (left === 0) free.push(dependant);
    }
  }
  return order;
}

/** Where the sorted addresses have each after what it needs, as parents and children do, no order is smaller. */
function isInOrder(graph: DependencyGraph): boolean {
  const before = new Set<Address>();
  let last = '';
  for (const [address, needed] of graph) {
    if (address < last) return false;
    for (const other of needed) if (!before.has(other) && graph.has(other)) return false;
    before.add(address);
    last = address;
  }
  return true;
}

/** A binary heap: smallest address first. */
class AddressHeap {
  readonly #items: Address[] = [];

  push(address: Address): void {
    const items = this.#items;
    let at = items.push(address) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = items[above];
      if (other === undefined || other <= address) break;
      items[at] = other;
      at = above;
    }
    items[at] = address;
  }

  pop(): Address | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      const below = this.#smallerChild(at);
      const child = items[below];
      if (child === undefined || child >= last) break;
      items[at] = child;
      at = below;
    }
    items[at] = last;
    return first;
  }

  #smallerChild(at: number): number {
    const left = this.#items[2 * at + 1];
    const right = this.#items[2 * at + 2];
    return right !== undefined && left !== undefined && right < left ? 2 * at + 2 : 2 * at + 1;
  }
}
