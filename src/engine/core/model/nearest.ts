/** The candidate a misspelt name most likely meant, if any is close enough to be worth showing. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  // A third of the letters may differ: enough for typos, too little for unrelated short names.
  let limit = Math.max(1, Math.ceil((wanted.length - 1) / 3));
  let best: string | undefined;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    if (lastName(known) === lastName(wanted)) return candidate;
    const distance = editDistance(wanted, known, limit);
    if (distance === undefined || (distance === limit && best !== undefined)) continue;
    limit = distance;
    best = candidate;
  }
  return best;
}

/** Names shown of those that begin as the one that was said. */
const mostShown = 5;

/** `Did you mean name?`, or nothing when no known name is near. Where it is how several begin, some of them are named. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const [first, ...others] = meantNames(name, candidates);
  if (first === undefined || others.length === 0) return first === undefined ? undefined : `Did you mean ${first}?`;
  const more = others.length + 1 - mostShown;
  const some = [first, ...others].slice(0, mostShown).join(', ');
  return `Did you mean one of ${some}${more > 0 ? ` and ${more} more` : ''}?`;
}

/** The known name that was most likely meant; all that begin so, where it is how several begin. */
export function meantNames(name: string, candidates: Iterable<string>): readonly string[] {
  const known = [...new Set(candidates)];
  const begun = name.length < 4 ? [] : known.filter((each) => each.toLowerCase().startsWith(name.toLowerCase()));
  // One letter more is a typing error.
  if (begun.length > 2 && begun.every((each) => each.length > name.length + 1)) return begun;
  const found = nearest(name, known);
  return found === undefined ? [] : [found];
}

/** `Api` of `platform:Api`: a wrong or missing provider name is no typing error. */
function lastName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts; undefined above `limit`. */
function editDistance(a: string, b: string, limit: number): number | undefined {
  if (Math.abs(a.length - b.length) > limit) return undefined;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let smallest = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
      smallest = Math.min(smallest, cost);
    }
    if (smallest > limit) return undefined;
    beforeLast = last;
    last = current;
  }
  const distance = last[b.length] ?? 0;
  return distance <= limit ? distance : undefined;
}
