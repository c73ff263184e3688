import { reach } from '../../model/graph.js';
import type { DriftOptions } from '../../api.js';
import type { Address } from '../../model/address.js';
import type { DriftResult } from '../../model/drift.js';
import type { Workspace } from '../../workspace.js';
import type { DesiredState } from '../../model/desired.js';
import type { StackState } from '../../model/state.js';
import type { Work } from '../applicable-plan.js';
import { catalogueChoice } from '../selection/catalogue-choice.js';
import { selected, sinceCommit } from '../selection/select.js';
import { chooses } from '../selection/terms.js';

export interface Part {
  readonly isChosen: (address: Address) => boolean;
  /** Recorded addresses to read: what is chosen, and what that needs, which tells where it is. */
  readonly reads: ReadonlySet<Address>;
  readonly partial: NonNullable<DriftResult['partial']>;
}

/** What of the stack the check is about. What is chosen is seen as in a check of all. */
export async function partOf(
  workspace: Workspace,
  { targets = [], excludes = [] }: DriftOptions,
  desired: DesiredState,
  recorded: StackState['resources'],
): Promise<Part> {
  const choice = catalogueChoice(desired, recorded);
  const partial = await selected({ targets, excludes }, choice, sinceCommit(workspace, desired));
  const isChosen = chooses(partial);
  const reads = reach([...recorded.keys()].filter(isChosen), choice.needsOf);
  return { isChosen, reads, partial };
}

export function isPart({ targets = [], excludes = [] }: DriftOptions): boolean {
  return targets.length + excludes.length > 0;
}

export function chosenOf(proposals: Work['proposals'], isChosen: (address: Address) => boolean): Work['proposals'] {
  return new Map([...proposals].filter(([address, { recorded }]) => isChosen(recorded?.address ?? address)));
}
