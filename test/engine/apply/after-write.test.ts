import { describe, expect, it } from 'vitest';
import { settledAnswer } from '@platform-sync/engine/apply/after-write';
import type { ApplyContext } from '@platform-sync/engine/apply/context';
import type { Event } from '@platform-sync/core/model/event';
import { planned, readingOf, recordOf, remoteObject, seals } from '../plan/made-up-plan.js';
import { stubProvider } from './stubs.js';

/** A file says `ours`, the platform has `theirs`, and the write is answered: what a look after it shows. `answered`: objects have a revision. */
async function settled(
  shown: string,
  answered?: string,
): Promise<{ readonly name: unknown; readonly told: readonly string[] }> {
  const record = recordOf('a', 'Card', { name: 'ours' });
  const { steps } = planned({
    wanted: { a: { type: 'Card', properties: { name: 'ours' } } },
    records: [record],
    readings: { a: readingOf(record, { name: 'theirs' }) },
  });
  const step = steps.get('a');
  if (step === undefined) throw new Error('nothing at a');
  const { revision: _none, ...unrevised } = step.type;
  const type = answered === undefined ? unrevised : step.type;
  const events: Event[] = [];
  const provider = stubProvider({ read: () => Promise.resolve(remoteObject('id-a', { name: shown })) });
  const context = {
    ...{ seals, providerOf: () => Promise.resolve(provider), rest: () => undefined },
    onEvent: (event: Event) => events.push(event),
  } as unknown as ApplyContext;
  const { values } = await settledAnswer(
    context,
    { ...step, type },
    remoteObject('id-a', { name: answered ?? 'ours' }),
  );
  return {
    name: values['name'],
    told: events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.code] : [])),
  };
}

describe('what a look after a write shows', () => {
  it('as it was before the write is what the platform makes of it', async () => {
    expect(await settled('theirs')).toEqual({ name: 'theirs', told: ['not-kept'] });
  });

  it('as it was before the write is told where the answer itself shows it', async () => {
    expect(await settled('ours', 'theirs')).toEqual({ name: 'theirs', told: ['not-kept'] });
    expect(await settled('theirs', 'ours')).toEqual({ name: 'ours', told: [] });
  });

  it('as it was never before is a change by somebody, which the next plan finds', async () => {
    expect(await settled('others')).toEqual({ name: 'ours', told: [] });
  });

  it('as it was written is kept', async () => {
    expect(await settled('ours')).toEqual({ name: 'ours', told: [] });
  });
});
