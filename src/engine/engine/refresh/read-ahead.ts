import { collectionKey } from '@platform-sync/core/model/identity';
import type { AheadOptions } from '@platform-sync/core/model/provider';
import { selecting, type Place } from '../reads/collection.js';
import { inParallel } from '../reads/in-parallel.js';
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
  await inParallel(placesIn(context, isNeeded), context.concurrency * 2, async ({ type, scope }) => {
    const provider = await context.providerOf(type);
    if (isNeeded()) await provider.ahead?.(type, scope, options);
  });
}

/** Where recorded objects are, one place after the other: most are not come to before the catalogue is read. */
function* placesIn(
  { recorded, typeOf }: Pick<RefreshContext, 'recorded' | 'typeOf'>,
  isNeeded: () => boolean,
): Iterable<Place> {
  const known = new Set<string>();
  for (const record of recorded.values()) {
    const type = typeOf(record.type);
    const { scope } = record.identity;
    const key = collectionKey(type, scope);
    if (type.collection.shownIn !== undefined || known.has(key)) continue;
    if (!isNeeded()) return;
    known.add(key);
    yield { type, scope: selecting(type, scope) };
  }
}
