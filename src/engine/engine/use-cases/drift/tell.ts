import { changesIn, combined, everythingIn } from '../../drift/changes.js';
import { sha256 } from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { type DriftNews, type DriftResult, summaryOf, type TakenNews } from '@platform-sync/core/model/drift';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import type { Workspace } from '../../workspace.js';
import { deliver, untold } from '../deliver-news.js';
import { placeOf } from './memory.js';

/** Hands news to a receiver; undefined: it has taken them. */
type SendNews = (news: DriftNews) => Promise<Diagnostic | undefined>;

/** Tells a receiver all changes that it has not acknowledged, whichever check saw them first. */
export async function tellDrift(
  workspace: Workspace,
  result: DriftResult,
  address: string,
  send: SendNews,
): Promise<Diagnostic | undefined> {
  const place = placeOf(result);
  // Nobody knows what was told: what this check found to be new is told.
  if (place === undefined) return sendSome({ check: summaryOf(result), changes: changesIn(result) }, send);
  const claim = { receiver: sha256(address), by: workspace.world.id(), about: 'drift' } as const;
  let store: StateStore;
  try {
    store = await workspace.state();
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    return untold(error);
  }
  return deliver(store, claim, (taken) => {
    const upTo = taken.isKnown ? taken.news.at(-1)?.number : place.number;
    // A check that a newer one overtook is nobody's first news.
    if (upTo === undefined) return [];
    return [{ upTo, give: () => sendSome(newsFor(taken, result, place.number), send) }];
  });
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
