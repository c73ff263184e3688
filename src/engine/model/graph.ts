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
