import { StateStoreError } from '@platform-sync/core/model/state-store';

/** What a store rejects with; anything else fails the test. */
export async function storeFailure(work: Promise<unknown>): Promise<StateStoreError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof StateStoreError) return error;
  throw new Error(`expected a StateStoreError, not ${String(error)}`);
}
