import { fingerprint } from './state/fingerprint.js';
import type { StackState } from './model/state.js';
import { Seals } from './value/seal.js';

/** The values of one stack, under its own key. */
export function sealsOf({ fingerprintKey }: Pick<StackState, 'fingerprintKey'>, isUnderReview = false): Seals {
  return new Seals((value) => fingerprint(fingerprintKey, value), isUnderReview);
}
