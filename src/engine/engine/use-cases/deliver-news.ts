import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { NewsClaim, NewsOf, TakenNews } from '@platform-sync/core/model/drift';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';

/** Longer than any receiver is waited for: after this, another run may tell what this one took to tell. */
const rightMs = 120_000;

/** One message, and up to which of the news it tells. */
interface Message {
  readonly upTo: number;
  /** Undefined when the receiver has taken it. */
  readonly give: () => Promise<Diagnostic | undefined>;
}

/**
 * Tells a receiver all that it has not acknowledged, whoever saw it first: each message until it is taken, and then never again. Where
 * another run tells it at this moment, that one tells this one's news, too.
 */
export async function deliver<About extends keyof NewsOf>(
  store: StateStore,
  claim: NewsClaim<About>,
  messagesOf: (taken: TakenNews<About>) => readonly Message[],
): Promise<Diagnostic | undefined> {
  try {
    for (;;) {
      const taken = await store.takeNews(claim, rightMs);
      if (taken === undefined) return undefined;
      const messages = messagesOf(taken);
      if (messages.length === 0) return await store.closeNews(claim, undefined).then(() => undefined);
      for (const { upTo, give } of messages) {
        const problem = await give();
        await store.closeNews(claim, problem === undefined ? upTo : undefined);
        if (problem !== undefined) return problem;
      }
    }
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    return untold(error);
  }
}

export function untold(error: StateStoreError): Diagnostic {
  return {
    severity: 'warning',
    code: 'news-kept',
    summary: `The webhook may not have heard of everything: ${error.message}.`,
    hint: 'The next check or run sends the rest.',
  };
}
