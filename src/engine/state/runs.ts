import type { StateChange } from '@platform-sync/core/model/state';
import type { Move } from './moves.js';

/** Changes in their order, with moves that stand next to each other taken together. */
type Run =
  | { readonly kind: 'moves'; readonly moves: readonly Move[] }
  | { readonly kind: 'others'; readonly changes: readonly Exclude<StateChange, Move>[] };

export function runsOf(changes: readonly StateChange[]): readonly Run[] {
  const runs: ({ kind: 'moves'; moves: Move[] } | { kind: 'others'; changes: Exclude<StateChange, Move>[] })[] = [];
  for (const change of changes) {
    const last = runs.at(-1);
    if (change.kind === 'move') {
      if (last?.kind === 'moves') last.moves.push(change);
      else runs.push({ kind: 'moves', moves: [change] });
    } else if (last?.kind === 'others') last.changes.push(change);
    else runs.push({ kind: 'others', changes: [change] });
  }
  return runs;
}
