import { fingerprint } from './state/fingerprint.js';
import type { Redactor } from './model/redactor.js';
import type { StackState } from './model/state.js';
import { Seals } from './value/seal.js';

/** The values of one stack, under its own key; `redactor` knows the secrets that answers may repeat. */
export function sealsOf(
  { fingerprintKey }: Pick<StackState, 'fingerprintKey'>,
  redactor?: Redactor,
  isUnderReview = false,
): Seals {
  return new Seals(
    (value) => fingerprint(fingerprintKey, value),
    isUnderReview,
    (value) => redactor?.isIn(value) === true,
  );
}
