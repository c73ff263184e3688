import type { Address } from '../model/address.js';
import type { RecordedResource, StateChange } from '../model/state.js';
import type { Proposal } from '../plan/proposal.js';

/** Records that move with a plan. One about nothing any more makes room for the one that comes. */
export function recordMoves(
  proposals: ReadonlyMap<Address, Proposal>,
  recorded: ReadonlyMap<Address, RecordedResource>,
): readonly StateChange[] {
  const moves = [...proposals.values()].flatMap(({ movedFrom, address }) =>
    movedFrom === undefined ? [] : [{ kind: 'move' as const, from: movedFrom, to: address }],
  );
  const leaving = new Set(moves.map(({ from }) => from));
  const inTheWay = moves.filter(({ to }) => recorded.has(to) && !leaving.has(to));
  return [...inTheWay.map(({ to }) => ({ kind: 'remove' as const, address: to })), ...moves];
}
