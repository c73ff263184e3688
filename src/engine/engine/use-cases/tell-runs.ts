import { randomUUID } from 'node:crypto';
import { canonicalJson, sha256 } from '@platform-sync/core/model/canonical';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { RunNews } from '@platform-sync/core/model/run-news';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';
import type { Workspace } from '../workspace.js';
import { deliver, untold } from './deliver-news.js';

type SendRun = (news: RunNews) => Promise<Diagnostic | undefined>;

/**
 * Tells a receiver of how a run ended, and of all that it has not acknowledged of earlier ones: each trouble once, however often it comes
 * back, until a run ends well.
 */
export async function tellRuns(
  workspace: Workspace,
  ended: RunNews | undefined,
  address: string,
  send: SendRun,
): Promise<Diagnostic | undefined> {
  const claim = { receiver: sha256(address), by: randomUUID(), about: 'run' } as const;
  let store: StateStore;
  try {
    store = await workspace.state();
    await noteLost(workspace, store);
    if (ended !== undefined) await store.noteRun({ news: ended, key: keyOf(ended) });
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    // Nobody remembers what was told: a trouble is told each time, and its end never.
    return ended === undefined || ended.status === 'done' ? untold(error) : send(ended);
  }
  return deliver(store, claim, ({ news }) =>
    news.map(({ number, ...one }) => ({ upTo: number, give: () => send(one) })),
  );
}

/** Keeps, before a run takes the stack, that the one before it ended without a word: afterwards nothing tells. */
export async function noteLostRun(workspace: Workspace): Promise<void> {
  try {
    await noteLost(workspace, await workspace.state());
  } catch (error) {
    // What keeps the state from being read is told by the run itself.
    if (!(error instanceof StateStoreError)) throw error;
  }
}

async function noteLost({ config }: Workspace, store: StateStore): Promise<void> {
  const lost = await store.lostRun();
  if (lost === undefined) return;
  const { intents } = await store.read();
  const news: RunNews = {
    ...{ project: config.project, stack: config.stack, command: lost.purpose, at: lost.seen, owner: lost.owner },
    status: 'unknown',
    about: intents.map(({ address, action }) => ({ name: address, summary: `its ${action} may have been sent` })),
    problems: [],
  };
  await store.noteRun({ news, key: sha256(`lost ${lost.id}`) });
}

/** Times, counts and words of an answer differ from run to run; what is wrong does not. */
function keyOf({ status, about, problems }: RunNews): string {
  const why = status === 'held' ? problems.map(({ summary }) => summary) : problems.map(({ code }) => code);
  return sha256(canonicalJson([status, about.map(({ name }) => name), [...new Set(why)]]));
}
