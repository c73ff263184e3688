import type { DriftOptions } from '../../api.js';
import type { Address } from '../../model/address.js';
import type { DriftResult } from '../../model/drift.js';
import type { Workspace } from '../../workspace.js';
import type { PreparedPlan } from '../prepared.js';
import { catalogueChoice } from '../selection/catalogue-choice.js';
import { selected, sinceCommit } from '../selection/select.js';
import { chooses } from '../selection/terms.js';

export interface Part {
  readonly isChosen: (address: Address) => boolean;
  readonly partial?: NonNullable<DriftResult['partial']>;
}

/** What of the stack the check is about. Everything was compared: what is chosen is seen as in a check of all. */
export async function partOf(
  workspace: Workspace,
  { targets = [], excludes = [] }: DriftOptions,
  { desired, state }: PreparedPlan,
): Promise<Part> {
  if (!isPart({ targets, excludes })) return { isChosen: () => true };
  const choice = catalogueChoice(desired, state.resources);
  const partial = await selected({ targets, excludes }, choice, sinceCommit(workspace, desired));
  return { isChosen: chooses(partial), partial };
}

export function isPart({ targets = [], excludes = [] }: DriftOptions): boolean {
  return targets.length + excludes.length > 0;
}

export function chosenOf(
  proposals: PreparedPlan['proposals'],
  isChosen: (address: Address) => boolean,
): PreparedPlan['proposals'] {
  return new Map([...proposals].filter(([address, { recorded }]) => isChosen(recorded?.address ?? address)));
}
