import type { Destinations } from '@platform-sync/core/model/destination';
import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { PlanMeta } from '@platform-sync/core/model/plan';
import type { Freeze } from '@platform-sync/core/model/run';
import type { GuardAllowance, GuardSettings } from '@platform-sync/core/model/project';
import type { Inside } from './contents.js';
import type { ProposalInput } from './step.js';

/** Planning's whole input: what to compare, and what the document is bound to. */
export interface PlanInput extends ProposalInput {
  readonly engine: string;
  readonly targets: Readonly<Record<string, string>>;
  readonly guards: GuardSettings;
  readonly allow: readonly GuardAllowance[];
  readonly only: readonly Address[];
  readonly excludes: readonly Address[];
  /** What was found in what ends. */
  readonly inside?: Inside;
  /** Every list that says something is read, whatever it takes. */
  readonly readsAll?: true;
  /** For `destroy`, which wants nothing: what the catalogue protects. */
  readonly protects?: ReadonlySet<Address>;
  /** Where the operator has secrets go that are shown once: what is there, by output. */
  readonly destinations?: Destinations;
  /** Creates and updates only. */
  readonly noDelete?: true;
  readonly meta: Omit<PlanMeta, 'sources' | 'fieldSources'>;
  /** What holds back whoever writes. */
  readonly frozen?: Freeze;
  /** What is said of specifications that the plan publishes. */
  readonly specifications?: readonly Diagnostic[];
  /** True for a look that leads to no write: what can't be carried out is then no reason to see nothing. */
  readonly isCheck: boolean;
}
