import type { TimingSettings } from '@platform-sync/core/model/project';
import type { BuildContext } from '../read/build-context.js';
import type { CheckedSettings } from './checked-settings.js';

/** `timing:` of sync.yaml. */
export function timingSettings(
  { value, written }: CheckedSettings,
  chosen: { readonly settleSeconds?: number | undefined },
  context: BuildContext,
): TimingSettings {
  const { leaseSeconds, beatSeconds, requestSeconds, retries, settleSeconds } = value.timing ?? {};
  const [lease, beat] = [leaseSeconds ?? 30, beatSeconds ?? 5];
  // A lease must outlive the loss of a beat or two: it is no good for sending from two thirds of its life on.
  if (beat * 3 > lease) {
    const at = (written('timing', 'beatSeconds') ?? written('timing', 'leaseSeconds'))?.at;
    context.problems.add('bad-setting', at, '"timing.beatSeconds" must be at most a third of "timing.leaseSeconds".', {
      detail: `The lease lives ${String(lease)} seconds, with a sign of life every ${String(beat)}.`,
    });
  }
  return {
    leaseMs: lease * 1000,
    beatMs: beat * 1000,
    requestMs: (requestSeconds ?? 60) * 1000,
    retries: retries ?? 4,
    settleMs: (chosen.settleSeconds ?? settleSeconds ?? 120) * 1000,
  };
}
