import { changesIn, combined, everythingIn } from '../../drift/changes.js';
import { sha256 } from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { DriftResult } from '@platform-sync/core/model/drift';
import { summaryOf, type DriftNews, type TakenNews } from '@platform-sync/core/model/drift-news';
import { StateStoreError } from '@platform-sync/core/model/state-store';
import type { Workspace } from '../../workspace.js';
import { placeOf } from './memory.js';

/** Longer than any receiver is waited for: after this, another check may tell what this one took to tell. */
const rightMs = 120_000;

/** Hands news to a receiver; undefined: it has taken them. */
type SendNews = (news: DriftNews) => Promise<Diagnostic | undefined>;

/**
 * Tells a receiver all that it has not acknowledged, whichever check saw it first: each change until it is taken, and then
 * never again. Where another check tells it at this moment, that one tells this one's news, too.
 */
export async function tellDrift(
  workspace: Workspace,
  result: DriftResult,
  address: string,
  send: SendNews,
): Promise<Diagnostic | undefined> {
  const place = placeOf(result);
  // Nobody knows what was told: what this check found to be new is told.
  if (place === undefined) return sendSome({ check: summaryOf(result), changes: changesIn(result) }, send);
  const claim = { receiver: sha256(address), by: workspace.world.id() };
  try {
    const store = await workspace.state();
    for (;;) {
      const taken = await store.takeNews(claim, rightMs);
      if (taken === undefined) return undefined;
      const upTo = taken.isKnown ? taken.news.at(-1)?.number : place.number;
      // A check that a newer one overtook is nobody's first news.
      const problem = upTo === undefined ? undefined : await sendSome(newsFor(taken, result, place.number), send);
      const isTaken = upTo !== undefined && problem === undefined;
      await store.closeNews(claim, isTaken ? upTo : undefined);
      if (!isTaken) return problem;
    }
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    return untold(error);
  }
}

async function sendSome(news: DriftNews, send: SendNews): Promise<Diagnostic | undefined> {
  return news.changes.length === 0 ? undefined : send(news);
}

/** Who was never told anything hears what is so now; everybody else, of every check since. */
function newsFor({ isKnown, news }: TakenNews, result: DriftResult, number = 0): DriftNews {
  const newest = news.at(-1);
  if (!isKnown) return { check: summaryOf(result), changes: everythingIn(result) };
  return {
    check: newest !== undefined && newest.number > number ? newest.check : summaryOf(result),
    changes: combined(news.flatMap(({ changes }) => changes)),
  };
}

function untold(error: StateStoreError): Diagnostic {
  return {
    severity: 'warning',
    code: 'news-kept',
    summary: `The webhook may not have heard of everything: ${error.message}.`,
    hint: 'The next check sends the rest.',
  };
}
