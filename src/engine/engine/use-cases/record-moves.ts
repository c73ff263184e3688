import type { Address } from '@platform-sync/core/model/address';
import type { RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { Step } from '../plan/step.js';

/** Whether something comes from another stack. */
export function movesBetweenStacks(steps: ReadonlyMap<Address, Step>): boolean {
  return [...steps.values()].some(({ movedFrom }) => movedFrom?.includes(':') === true);
}

/** Records that move with a plan. One about nothing any more makes room for the one that comes. */
export function recordMoves(
  steps: ReadonlyMap<Address, Step>,
  recorded: ReadonlyMap<Address, RecordedResource>,
): readonly StateChange[] {
  const moves = [...steps.values()].flatMap(({ movedFrom, address }) =>
    // What comes from another stack is taken over, not renamed.
    movedFrom === undefined || movedFrom.includes(':') ? [] : [{ kind: 'move' as const, from: movedFrom, to: address }],
  );
  const leaving = new Set(moves.map(({ from }) => from));
  const inTheWay = moves.filter(({ to }) => recorded.has(to) && !leaving.has(to));
  return [...inTheWay.map(({ to }) => ({ kind: 'remove' as const, address: to })), ...moves];
}
