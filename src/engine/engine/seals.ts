import { fingerprint } from '@platform-sync/state/fingerprint';
import type { Redactor } from '@platform-sync/core/model/redactor';
import type { StackState } from '@platform-sync/core/model/state';
import { Seals } from '@platform-sync/core/value/seal';

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
