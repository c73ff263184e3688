import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { NotCompared } from '@platform-sync/core/model/plan';

/** One answer that kept objects from being compared. */
interface FailedRead {
  readonly diagnostic: Diagnostic;
  /** Full tokens of what was to be read. */
  readonly types: readonly string[];
  /** What could not be compared because of it; empty where a whole place could not be read. */
  readonly addresses: readonly Address[];
}

/** What could not be compared, by the answer that is to blame: one list that fails is one error, however long it is. */
export function failedReads(found: readonly NotCompared[]): readonly FailedRead[] {
  const reads = new Map<string, { diagnostic: Diagnostic; types: Set<string>; addresses: Address[] }>();
  for (const { diagnostic, type, address } of found) {
    const key = JSON.stringify([diagnostic.code, diagnostic.summary, diagnostic.detail ?? '', diagnostic.hint ?? '']);
    const read = reads.get(key) ?? { diagnostic, types: new Set(), addresses: [] };
    read.types.add(type);
    if (address !== undefined) read.addresses.push(address);
    reads.set(key, read);
  }
  return [...reads.values()].map(({ types, ...read }) => ({ ...read, types: [...types] }));
}
