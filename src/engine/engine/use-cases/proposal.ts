import type { ProjectConfig } from '@platform-sync/core/model/project';
import type { Grant, SharedRate } from '@platform-sync/core/model/shared-rate';
import { openForReading, answerOf, type StateQuestion, storeThatAsks } from '@platform-sync/state/read-only';
import { SharedRates } from '@platform-sync/state/sql-rates';
import type { OpenOptions } from '../api.js';

/**
 * What the plan of a proposal asks of the process that started it. It reads files of somebody who may do nothing yet, so it gets no
 * way to the database: neither to the state nor to the rate.
 */
type Question =
  | ({ readonly about: 'state' } & StateQuestion)
  | { readonly about: 'rate'; readonly caller: string; readonly wanted: number }
  | { readonly about: 'refusal'; readonly caller: string; readonly ms: number };

interface Answers {
  readonly isRateShared: boolean;
  readonly answer: (question: unknown) => Promise<unknown>;
  close(): Promise<void>;
}

/** Answers for a stack by its settings as they were reviewed. `requestsPerMinute`: where the database keeps it for all runs. */
export async function answersFor(
  { state, project, stack }: Pick<ProjectConfig, 'state' | 'project' | 'stack'>,
  requestsPerMinute: number | undefined,
): Promise<Answers> {
  const store = await openForReading(state, project, stack);
  const perMinute = requestsPerMinute ?? ('url' in state ? state.requestsPerMinute : undefined);
  const rates = 'url' in state && perMinute !== undefined ? new SharedRates(state.url) : undefined;
  const rateOf = (caller: string): SharedRate | undefined =>
    rates?.of(caller, { asker: `${project}/${stack}`, perMinute: perMinute ?? 0, urgency: 'asked' });
  return {
    isRateShared: rates !== undefined,
    answer: async (question) => {
      if (!isQuestion(question)) throw new Error('This is no question of this version.');
      if (question.about === 'state') return answerOf(store, question);
      if (question.about === 'rate') return rateOf(question.caller)?.take(question.wanted);
      return rateOf(question.caller)?.refused(question.ms);
    },
    close: async () => void (await Promise.all([store.close(), rates?.close()])),
  };
}

/** It comes from a process of this very program. */
function isQuestion(value: unknown): value is Question {
  return typeof value === 'object' && value !== null && 'about' in value;
}

function isGrant(value: unknown): value is Grant {
  return typeof value === 'object' && value !== null && 'count' in value;
}

/** How a project is opened that asks. */
export function askedOf(
  ask: (question: Question) => Promise<unknown>,
  isRateShared: boolean,
): Pick<OpenOptions, 'openState' | 'sharedRate'> {
  const rateOf = (caller: string): SharedRate => ({
    take: async (wanted) => {
      const grant = await ask({ about: 'rate', caller, wanted });
      if (isGrant(grant)) return grant;
      throw new Error('The worker keeps no rate.');
    },
    refused: async (ms) => void (await ask({ about: 'refusal', caller, ms })),
  });
  return {
    openState: async () => storeThatAsks((question) => ask({ about: 'state', ...question })),
    ...(isRateShared ? { sharedRate: { of: rateOf } } : {}),
  };
}
