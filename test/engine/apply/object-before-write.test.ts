import { describe, expect, it } from 'vitest';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import { StepFailure } from '@platform-sync/engine/apply/failure';
import { objectBeforeWrite } from '@platform-sync/engine/apply/staleness';
import type { JsonObject } from '@platform-sync/core/model/value';
import { realWorld } from '@platform-sync/core/model/world';
import { planned, readingOf, recordOf, seals } from '../plan/made-up-plan.js';
import { typeOf } from '../plan/made-up-types.js';
import { stubProvider } from './stubs.js';

/** The look at an object before a write that takes the place of the whole: what the plan rests on may have been a list that was wrong. */

const type = { ...typeOf('Shelf'), isWrittenWhole: true as const };
const record = recordOf('a', 'Shelf', { name: 'A' }, { outputs: { name: 'A', updatedAt: '1' } });

/** What comes of a write that was planned with one reading, and finds another one. */
async function looked(before: JsonObject, now: JsonObject): Promise<string> {
  const { steps } = planned({
    wanted: { a: { properties: { name: 'B' } } },
    records: [record],
    readings: { a: readingOf(record, before) },
  });
  const step = steps.get('a');
  if (step?.actual === undefined) throw new Error('nothing at a');
  const provider = stubProvider({
    read: (_type, identity) => Promise.resolve({ identity, values: { name: 'A', ...now } }),
  });
  const context = {
    ...{ seals, world: realWorld, providerOf: () => Promise.resolve(provider), rest: () => undefined },
    config: { timing: { settleMs: 0 } },
  } as unknown as ApplyContext;
  try {
    const { values } = await objectBeforeWrite(context, { ...step, type }, step.actual);
    return String(values['name']);
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    return error.diagnostics.map(({ code }) => code).join();
  }
}

describe('before a write that takes the place of the whole', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['what is as it was planned is written', { updatedAt: '2' }, { updatedAt: '2' }, 'A'],
    ['what the platform made of our own write is no change', { updatedAt: '1' }, { name: 'a', updatedAt: '1' }, 'a'],
    [
      'what somebody changed is none, though the list that was planned with had the revision of that',
      { updatedAt: '2' },
      { name: 'X', updatedAt: '2' },
      'changed-since-plan',
    ],
  ])('%s', async (_name, read, now, told) => {
    expect(await looked(read, now)).toBe(told);
  });
});
