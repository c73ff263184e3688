import { describe, expect, it } from 'vitest';
import { Pulse } from '../../../src/engine/apply/pulse.js';

function pulseAt(): {
  readonly pulse: Pulse;
  readonly at: (ms: number) => void;
  readonly pauses: string[];
  readonly stop: AbortController;
} {
  let now = 1_000_000;
  const pauses: string[] = [];
  const stop = new AbortController();
  const pulse = new Pulse(
    ([found]) => {
      pauses.push(found?.code ?? '');
      stop.abort();
    },
    () => now,
  );
  return { pulse, at: (ms) => (now = 1_000_000 + ms), pauses, stop };
}

describe('pulse', () => {
  it('says nothing while it is taken often enough, however long that goes on', () => {
    const { pulse, at, pauses } = pulseAt();
    for (let ms = 0; ms < 300_000; ms += 19_000) {
      at(ms);
      pulse.take();
    }
    expect(pauses).toEqual([]);
  });

  it('speaks up once after a pause that a lease may not survive', () => {
    const { pulse, at, pauses } = pulseAt();
    at(25_000);
    pulse.take();
    at(26_000);
    pulse.take();
    expect(pauses).toEqual(['stood-still']);
  });

  it('is taken by whoever reads the flag of the signal, before any timer runs', () => {
    const { pulse, at, pauses, stop } = pulseAt();
    const signal = pulse.watched(stop.signal);
    expect(signal.aborted).toBe(false);
    at(60_000);
    expect(signal.aborted).toBe(true);
    expect(signal.aborted).toBe(true);
    expect(pauses).toEqual(['stood-still']);
  });
});
