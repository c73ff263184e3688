import type { RemoteObject } from '../model/provider.js';

/** An object is gone when two answers deny it: one may be wrong, and a write left out for it is never sent. Rejects as `ask` does. */
export async function isDeniedTwice(ask: () => Promise<RemoteObject | undefined>): Promise<boolean> {
  return (await ask()) === undefined && (await ask()) === undefined;
}
