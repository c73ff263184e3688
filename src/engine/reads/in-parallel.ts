/** Puts work off until fewer than `width` others are under way; what came first begins first. */
export function atMost(width: number): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    // Whoever ends hands its place over.
    if (running === width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Does the work for every item, at most `width` at a time; results in the order of the items. Rejects with the first failure. */
export async function inParallel<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = numbered(items);
  const one = async (): Promise<void> => {
    // One that fails ends what they all take from: what has not begun is not begun any more.
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, one));
  return results;
}

function* numbered<T>(items: Iterable<T>): Generator<readonly [at: number, item: T]> {
  let at = 0;
  for (const item of items) yield [at++, item];
}
