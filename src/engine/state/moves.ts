import type { Address } from '@platform-sync/core/model/address';
import type { RecordedResource, StateChange } from '@platform-sync/core/model/state';
import { refusal } from './refuse.js';

export type Move = Extract<StateChange, { kind: 'move' }>;

/**
 * Moves that stand next to each other in one commit happen at the same time: two records can swap their addresses,
 * and a chain of renames may come in any order. Gives new address by former one.
 * Throws DiagnosticError when a record is missing or an address would be held twice.
 */
export function planMoves(
  moves: readonly Move[],
  exists: (address: Address) => boolean,
): ReadonlyMap<Address, Address> {
  const to = new Map<Address, Address>();
  const taken = new Set<Address>();
  for (const move of moves) {
    if (to.has(move.from) || !exists(move.from)) {
      throw refusal('state-address-missing', `there is no "${move.from}" in the state to move`, { address: move.from });
    }
    if (taken.has(move.to)) throw occupied(move);
    to.set(move.from, move.to);
    taken.add(move.to);
  }
  for (const move of moves) if (exists(move.to) && !to.has(move.to)) throw occupied(move);
  return to;
}

function occupied(move: Move): Error {
  return refusal('state-address-taken', `"${move.from}" cannot move to "${move.to}": another record has that address`, {
    address: move.to,
  });
}

/** Dependencies with the moved addresses replaced, sorted again; the same array when none of them moved. */
export function renameDependencies(
  dependencies: readonly Address[],
  moved: ReadonlyMap<Address, Address>,
): readonly Address[] {
  if (!dependencies.some((address) => moved.has(address))) return dependencies;
  return dependencies.map((address) => moved.get(address) ?? address).sort();
}

/** The record at its new address; the same object when nothing about it changes. */
export function moveRecord(record: RecordedResource, moved: ReadonlyMap<Address, Address>): RecordedResource {
  const address = moved.get(record.address) ?? record.address;
  const dependencies = renameDependencies(record.dependencies, moved);
  if (address === record.address && dependencies === record.dependencies) return record;
  return { ...record, address, dependencies };
}
