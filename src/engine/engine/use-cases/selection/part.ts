import type { SelectionOptions } from '../../api.js';
import { chooses, type Address } from '@platform-sync/core/model/address';
import { reach } from '@platform-sync/core/model/graph';
import type { StackState } from '@platform-sync/core/model/state';
import { type Choosable, selected } from './terms.js';

/** A part of a stack that is looked at alone. */
export interface Part {
  readonly isChosen: (address: Address) => boolean;
  /** Recorded addresses to read: what is chosen, and what that needs, which tells where it is. */
  readonly reads: ReadonlySet<Address>;
  readonly partial: Required<SelectionOptions>;
}

/** The part that terms choose. Rejects with DiagnosticError where one stands for nothing. */
export async function partOf(
  terms: SelectionOptions,
  choice: Choosable,
  recorded: StackState['resources'],
  changedSince: Parameters<typeof selected>[2],
): Promise<Part> {
  const partial = await selected(terms, choice, changedSince);
  const isChosen = chooses(partial);
  return { isChosen, reads: reach([...recorded.keys()].filter(isChosen), choice.needsOf), partial };
}

export function isPart({ targets = [], excludes = [] }: SelectionOptions): boolean {
  return targets.length + excludes.length > 0;
}
