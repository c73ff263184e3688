import type { AheadOptions } from '../model/provider.js';
import { inParallel } from '../reads/in-parallel.js';
import { collectionsOf } from './collections.js';
import type { RecordedCollection } from './collections.js';
import type { ReadsContext } from '../reads/reads.js';
import type { RefreshContext } from './context.js';

/**
 * Asks for the first page of every list that a refresh of these records reads whatever is desired. Stops when the signal fires,
 * and sends nothing more once `isNeeded` says no. What comes is the refresh's to judge: nothing is told here.
 */
export async function readAhead(
  context: Pick<RefreshContext, 'recorded' | 'typeOf' | 'concurrency'> & Pick<ReadsContext, 'providerOf'>,
  options: AheadOptions,
  isNeeded: () => boolean,
): Promise<void> {
  const isCertain = ({ type }: RecordedCollection): boolean => type.collection.shownIn === undefined;
  const collections = collectionsOf(context.recorded, new Map(), context.typeOf).filter(isCertain);
  await inParallel(collections, context.concurrency * 2, async ({ type, scope }) => {
    const provider = isNeeded() ? await context.providerOf(type) : undefined;
    if (isNeeded()) await provider?.ahead?.(type, scope, options);
  });
}
