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
