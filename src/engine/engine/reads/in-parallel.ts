import pLimit from 'p-limit';

/** Puts work off until fewer than `width` others are under way. */
export function atMost(width: number): <R>(work: () => Promise<R>) => Promise<R> {
  return pLimit(width);
}

/** Does the work for every item, at most `width` at a time; results in the order of the items. Rejects with the first failure. */
export async function inParallel<T, R>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const limit = pLimit(width);
  try {
    return await Promise.all(Array.from(items, (item) => limit(work, item)));
  } catch (error) {
    // What has not begun is not begun any more.
    limit.clearQueue();
    throw error;
  }
}
