import type { Address } from '../model/address.js';
import type { EvaluationScope } from '../resolve/evaluate.js';
import type { KeyIndex } from './keys.js';
import type { Marks, Ownership } from './ownership.js';
import type { Matching } from './match-records.js';
import type { NeededObject, NeededOwner, Step, ProposalInput, Proposals } from './step.js';

/** What planning one resource needs to know of the others; it grows resource by resource. */
export interface PlanningState {
  readonly input: ProposalInput;
  readonly matching: Matching;
  readonly ownership: Ownership;
  readonly keys: KeyIndex;
  readonly marks: Marks;
  readonly scope: EvaluationScope;
  readonly done: Map<Address, Step>;
  readonly neededObjects: NeededObject[];
  readonly neededOwners: NeededOwner[];
  readonly problems: Proposals['problems'][number][];
}
