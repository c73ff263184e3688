/**
 * What waits for itself through others, ring by ring (the strongly connected parts of more than one). What merely waits
 * for a ring, or is waited for by one, is in none.
 */
export function ringsOf(waits: ReadonlyMap<string, ReadonlySet<string>>): readonly ReadonlySet<string>[] {
  const waiting = new Map<string, string[]>([...waits.keys()].map((id) => [id, []]));
  for (const [later, needed] of waits) for (const earlier of needed) waiting.get(earlier)?.push(later);
  const seen = new Set<string>();
  const left = [...waits.keys()].flatMap((id) => walk(id, (one) => waits.get(one) ?? [], seen));
  const again = new Set<string>();
  return left
    .reverse()
    .map((id) => new Set(walk(id, (one) => waiting.get(one) ?? [], again)))
    .filter(({ size }) => size > 1);
}

/** What can be reached from here and was not seen before, in the order in which a walk in depth leaves it. */
function walk(start: string, next: (id: string) => Iterable<string>, seen: Set<string>): readonly string[] {
  const left: string[] = [];
  const path: { readonly id: string; readonly others: Iterator<string> }[] = [];
  const enter = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    path.push({ id, others: next(id)[Symbol.iterator]() });
  };
  enter(start);
  for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
    const other = here.others.next();
    if (other.done !== true) enter(other.value);
    else left.push(path.pop()?.id ?? here.id);
  }
  return left;
}
