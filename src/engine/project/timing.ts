import type { Expression } from '../model/expression.js';
import type { TimingSettings } from '../model/project.js';
import type { BuildContext } from '../catalogue/read/build-context.js';
import { mapEntries, refuseUnknownKeys, wholeNumber } from '../catalogue/read/shape.js';

/** Keys of `timing:` with their bounds and what holds when they are left out. */
const settings = {
  leaseSeconds: { least: 10, most: 3600, otherwise: 30 },
  beatSeconds: { least: 1, most: 1200, otherwise: 5 },
  requestSeconds: { least: 1, most: 3600, otherwise: 60 },
  retries: { least: 0, most: 20, otherwise: 4 },
} as const;

/** `timing:` of sync.yaml. */
export function timingSettings(value: Expression | undefined, context: BuildContext): TimingSettings {
  const entries = value === undefined ? undefined : mapEntries(value, '"timing"', context);
  if (entries !== undefined) refuseUnknownKeys(entries, Object.keys(settings), '"timing"', context);
  const number = (name: keyof typeof settings): number => {
    const { least, most, otherwise } = settings[name];
    return wholeNumber(entries?.get(name)?.value, `timing.${name}`, least, most, context) ?? otherwise;
  };
  const [lease, beat] = [number('leaseSeconds'), number('beatSeconds')];
  // A lease must outlive the loss of a beat or two: it is no good for sending from two thirds of its life on.
  if (beat * 3 > lease) {
    const at = entries?.get('beatSeconds')?.value.at ?? entries?.get('leaseSeconds')?.value.at;
    context.problems.add('bad-setting', at, '"timing.beatSeconds" must be a third of "timing.leaseSeconds" at most.', {
      detail: `The lease lives ${String(lease)} seconds, with a sign of life every ${String(beat)}.`,
    });
  }
  return {
    leaseMs: lease * 1000,
    beatMs: beat * 1000,
    requestMs: number('requestSeconds') * 1000,
    retries: number('retries'),
  };
}
