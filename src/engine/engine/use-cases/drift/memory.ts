import type { DriftOptions } from '../../api.js';
import { changesIn } from '../../drift/changes.js';
import { type DriftHistory, type DriftNote, type DriftResult, summaryOf } from '@platform-sync/core/model/drift';
import { StateStoreError, type StateStore } from '@platform-sync/core/model/state-store';

/** A check that has begun. */
export interface CheckStart {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** See `DriftHistory.number`. */
  readonly after: number;
}

/** A check laid over what earlier ones saw, and what to remember of it. */
export interface LaidCheck {
  readonly result: DriftResult;
  readonly note: DriftNote;
}

/** Where a check stands among all of its stack; without a number: a newer one came before it. */
interface CheckPlace {
  readonly number?: number;
}

const places = new WeakMap<DriftResult, CheckPlace>();

/** Undefined for a check that nobody remembers. */
export function placeOf(result: DriftResult): CheckPlace | undefined {
  return places.get(result);
}

/**
 * Lays a check over the history and adds it, with its news, in one transaction. Where another check came in between, it is
 * laid over that one; a check that is older than what is known says nothing new, and is not added.
 */
export async function remember(
  store: StateStore,
  start: CheckStart,
  options: DriftOptions,
  lay: (history: DriftHistory) => LaidCheck,
): Promise<DriftResult> {
  const first = await store.driftHistory();
  let laid = lay(first);
  if (options.remember === false) return laid.result;
  try {
    for (let history = first; !isOvertaken(history, start); history = await store.driftHistory()) {
      if (history !== first) laid = lay(history);
      const number = await store.noteDrift({
        ...laid.note,
        ...newsOf(laid.result),
        after: history.number,
      });
      if (number === undefined) continue;
      places.set(laid.result, { number });
      return laid.result;
    }
    places.set(laid.result, {});
    return laid.result;
  } catch (error) {
    if (!(error instanceof StateStoreError)) throw error;
    return { ...laid.result, diagnostics: [...laid.result.diagnostics, notKept(error)] };
  }
}

/** Only a check that ran at the same time can overtake: a clock that went wrong must not silence all after it. */
function isOvertaken({ lastCheck, number }: DriftHistory, { at, after }: CheckStart): boolean {
  return lastCheck !== undefined && number !== after && lastCheck.at > at;
}

function newsOf(result: DriftResult): Pick<DriftNote, 'news'> {
  const changes = changesIn(result);
  return changes.length === 0 ? {} : { news: { check: summaryOf(result), changes } };
}

/** Who may only read the state still gets a check. */
function notKept(error: StateStoreError): DriftResult['diagnostics'][number] {
  return {
    severity: 'warning',
    code: 'drift-history',
    summary: `What this check saw was not kept: ${error.message}.`,
    hint: error.hint,
  };
}
