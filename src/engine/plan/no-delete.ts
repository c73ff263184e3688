import { compareText, type Address } from '../model/address.js';
import { defined } from '../model/defined.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { addTo, reach, reversed } from '../model/graph.js';
import type { Action, LeftOut } from '../model/plan.js';
import { Claims } from './claims.js';
import type { Step } from './step.js';

/** A plan without deletes, and what it lacks because of that. */
interface WithoutDeletes {
  readonly steps: ReadonlyMap<Address, Step>;
  /** Sorted by address. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Leaves out what deletes an object, a replacement's old one, too; and with it what would have to come after: resources that need one
 * that stays as it is, and those that are to get a key which its object keeps.
 */
export function withoutDeletes(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): WithoutDeletes {
  const out = new Map<Address, Address | undefined>();
  for (const [address, { action }] of steps)
    if (action === 'delete' || action === 'replace') out.set(address, undefined);
  if (out.size === 0) return { steps, leftOut: [] };
  const after = waitingFor(steps, graph);
  reach(out.keys(), (address) => {
    const others = after(address).filter((other) => !out.has(other) && isAction(steps.get(other)));
    for (const other of others) out.set(other, address);
    return others;
  });
  const leftOut = [...out].flatMap(([address, needs]): LeftOut[] => {
    const step = steps.get(address);
    return isAction(step) ? [{ address, type: step.type.token, action: step.action, ...defined({ needs }) }] : [];
  });
  const kept = new Map([...steps].filter(([address]) => !out.has(address)));
  return { steps: kept, leftOut: leftOut.sort((a, b) => compareText(a.address, b.address)) };
}

function isAction(step: Step | undefined): step is Step & { readonly action: Action } {
  return step !== undefined && step.action !== 'none' && step.action !== 'not-compared';
}

/** Who must not go ahead while a resource stays as it is. What needs a resource that ends has let go of it in the catalogue. */
function waitingFor(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): (address: Address) => readonly Address[] {
  const waiting = reversed(steps.keys(), (address) => graph.get(address) ?? []);
  for (const { holder, taker } of new Claims(steps.values()).exchanges) addTo(waiting, holder, taker);
  return (address) => waiting.get(address) ?? [];
}

/** One word to the reader of any report. */
export function leftOutNotice(leftOut: readonly LeftOut[] | undefined): readonly Diagnostic[] {
  if (leftOut === undefined || leftOut.length === 0) return [];
  const lines = leftOut.map(
    ({ address, action, needs }) => `${action} ${address}${needs === undefined ? '' : `, which waits for ${needs}`}`,
  );
  return [
    {
      severity: 'info',
      code: 'left-out',
      summary: `Nothing is deleted, so ${lines.length === 1 ? 'one change is' : `${lines.length} changes are`} left out.`,
      detail: lines.join('\n'),
      hint: 'The same command without --no-delete has them.',
    },
  ];
}
