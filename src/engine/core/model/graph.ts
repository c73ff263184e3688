/** The items by a key, groups and items in the order in which they were met. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Puts an item into its group. */
export function addTo<T, K>(groups: Map<K, T[]>, key: K, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

const none: readonly never[] = [];

/** The group of a key; an empty one where nothing has it. */
export function groupOf<T, K>(groups: ReadonlyMap<K, readonly T[]>, key: K): readonly T[] {
  return groups.get(key) ?? none;
}

/** A graph the other way round: for each node that is pointed at, who points at it. */
export function reversed<N>(nodes: Iterable<N>, targets: (node: N) => Iterable<N>): Map<N, N[]> {
  const sources = new Map<N, N[]>();
  for (const node of nodes) for (const target of targets(node)) addTo(sources, target, node);
  return sources;
}

/** All nodes on ways from some of them, these first, the nearest before those further on. */
export function reach<N>(from: Iterable<N>, targets: (node: N) => Iterable<N>): Set<N> {
  const reached = new Set(from);
  // A set that grows while it is walked is walked to its end.
  for (const node of reached) for (const target of targets(node)) reached.add(target);
  return reached;
}

/** What reaches itself through others, ring by ring. What merely leads to a ring, or is led to by one, is in none. */
export function rings(graph: ReadonlyMap<string, ReadonlySet<string>>): readonly ReadonlySet<string>[] {
  return strongComponents(graph.keys(), (node) => graph.get(node) ?? [])
    .filter(({ length }) => length > 1)
    .map((ring) => new Set(ring));
}

interface Visit {
  readonly name: string;
  readonly next: Iterator<string>;
}

/** Groups of nodes that reach each other (Tarjan). Own stack instead of recursion: chains may be 100,000 long. */
export function strongComponents(names: Iterable<string>, targets: (name: string) => Iterable<string>): string[][] {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open = new Set<string>();
  const stack: string[] = [];
  const components: string[][] = [];

  const enter = (name: string): Visit => {
    index.set(name, index.size);
    lowest.set(name, index.size - 1);
    stack.push(name);
    open.add(name);
    return { name, next: targets(name)[Symbol.iterator]() };
  };
  const lower = (name: string, value: number): void => {
    if (value < (lowest.get(name) ?? value)) lowest.set(name, value);
  };
  const leave = (name: string): void => {
    if (lowest.get(name) !== index.get(name)) return;
    const component: string[] = [];
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      open.delete(member);
      component.push(member);
      if (member === name) break;
    }
    components.push(component);
  };

  const isSettled = (root: string): boolean => {
    for (const target of targets(root)) if (!index.has(target)) return false;
    return true;
  };

  for (const root of names) {
    if (index.has(root)) continue;
    // Nothing is open here: what reaches only what was left reaches nothing that reaches it.
    if (isSettled(root)) {
      index.set(root, index.size);
      components.push([root]);
      continue;
    }
    const way = [enter(root)];
    for (let visit = way.at(-1); visit !== undefined; visit = way.at(-1)) {
      const step = visit.next.next();
      if (step.done === true) {
        leave(visit.name);
        way.pop();
        const above = way.at(-1);
        if (above !== undefined) lower(above.name, lowest.get(visit.name) ?? 0);
      } else if (!index.has(step.value)) {
        way.push(enter(step.value));
      } else if (open.has(step.value)) {
        lower(visit.name, index.get(step.value) ?? 0);
      }
    }
  }
  return components;
}

type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * An order in which everything comes after what it depends on; among those that are free, the smallest address first.
 * Dependencies that are no keys of the graph count as done. What is part of a ring, or comes after one, is left out:
 * the order is shorter than the graph then.
 */
export function topologicalOrder(graph: Graph): readonly string[] {
  if (isInOrder(graph)) return [...graph.keys()];
  const open = new Map<string, number>();
  const dependants = new Map<string, string[]>();
  for (const [address, needed] of graph) {
    const inside = needed.filter((other) => graph.has(other));
    open.set(address, inside.length);
    for (const other of inside) addTo(dependants, other, address);
  }
  const free = new Heap();
  for (const [address, count] of open) if (count === 0) free.push(address);
  const order: string[] = [];
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
function isInOrder(graph: Graph): boolean {
  const before = new Set<string>();
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
class Heap {
  readonly #items: string[] = [];

  push(address: string): void {
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

  pop(): string | undefined {
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
