import type { DesiredState } from '../model/desired.js';
import type { Plan } from '../model/plan.js';
import { digestOf } from './saved-plan.js';

/** A plan with its digests, which are worked out once somebody asks: both write out all of it, and most plans are only shown. */
export function withDigests(
  body: Omit<Plan, 'digest' | 'catalogueDigest'>,
  catalogue: Pick<DesiredState, 'digest'>,
): Plan {
  let made: string | undefined;
  return {
    ...body,
    get catalogueDigest() {
      return catalogue.digest;
    },
    get digest() {
      return (made ??= digestOf({ ...body, catalogueDigest: catalogue.digest }));
    },
  };
}
