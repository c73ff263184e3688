import type { RemoteObject } from '../model/provider.js';

type Ask = () => Promise<RemoteObject | undefined>;

/** An object is gone when two answers deny it: one may be wrong, and a write left out for it is never sent. Rejects as the calls do. */
export async function isDeniedTwice(ask: Ask, askAgain: Ask = ask): Promise<boolean> {
  return (await ask()) === undefined && (await askAgain()) === undefined;
}
