import { chooses, compareText, parentAddress, type Address } from '@platform-sync/core/model/address';
import type { DesiredResource } from '@platform-sync/core/model/desired';
import { addTo, reach, reversed } from '@platform-sync/core/model/graph';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ownAlong, isEnd, type ContentsInput } from './contents.js';
import { addressesNow, type Step } from './step.js';
import { defined } from '@platform-sync/core/model/value';
import type { Action, LeftOut } from '@platform-sync/core/model/plan';
import { Claims } from './claims.js';

export interface Selection {
  readonly steps: ReadonlyMap<Address, Step>;
  /** What stays only because something that is excluded lives in it, with what that is. */
  readonly homes: ReadonlyMap<Address, readonly Address[]>;
}

/**
 * The part of a plan that `--target` and `--exclude` leave: targets (with what is nested in them), what they need,
 * and what an end of theirs takes along; minus what is excluded and what needs it, and minus the ends of what that lives in.
 */
export function selectSteps(
  input: ContentsInput,
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  targets: readonly Address[],
  excludes: readonly Address[],
): Selection {
  if (targets.length === 0 && excludes.length === 0) return { steps, homes: new Map() };
  const now = addressesNow(steps);
  const recorded = (address: Address): readonly Address[] =>
    (steps.get(address)?.recorded?.dependencies ?? []).map(now);
  const needs = (address: Address): readonly Address[] => graph.get(address) ?? recorded(address);
  const users = reversed(steps.keys(), (address) => new Set([...needs(address), ...recorded(address)]));
  const neededBy = (address: Address): readonly Address[] => users.get(address) ?? [];
  const chosen = targets.length === 0 ? new Set(steps.keys()) : reach(within(steps, targets), needs);
  const endsOf = (addresses: Iterable<Address>): readonly Step[] =>
    [...addresses].flatMap((address) => steps.get(address) ?? []).filter(isEnd);
  for (const address of reach(
    endsOf(chosen).map((each) => each.address),
    neededBy,
  ))
    chosen.add(address);
  const out = reach(within(steps, excludes), neededBy);
  const leave = (addresses: Iterable<Address>): void => {
    for (const address of addresses) {
      out.add(address);
      chosen.delete(address);
    }
  };
  leave(out);
  // Homes of what stays out stay; what needs a new one waits for it, and stays in its home in turn.
  const homes = new Map<Address, Address[]>();
  for (;;) {
    const along = out.size === 0 ? [] : ownAlong(input, endsOf(chosen), steps.values());
    const kept = along.filter(({ address }) => out.has(address));
    if (kept.length === 0) break;
    for (const { address, home } of kept) addTo(homes, home.address, address);
    leave(kept.map(({ home }) => home.address));
    leave(
      reach(
        kept.flatMap(({ home }) => (home.action === 'replace' ? [home.address] : [])),
        neededBy,
      ),
    );
  }
  return { steps: new Map([...steps].filter(([address]) => chosen.has(address))), homes };
}

/** One word for each home that stays, and whose sake it is for. */
export function homeNotices({ homes }: Selection): readonly Diagnostic[] {
  return [...homes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([address, inside]) => ({
      severity: 'info',
      code: 'home-kept',
      summary: `${address} stays as it is: its end would also end resources outside this plan: ${[...inside].sort(compareText).join(', ')}.`,
      hint: 'The same command without --exclude ends both.',
      address,
    }));
}

/** Moves of which only one end is selected: the outermost of each tree. */
export function cutMoves(
  steps: ReadonlyMap<Address, Step>,
  selected: ReadonlyMap<Address, Step>,
  targets: readonly Address[],
  excludes: readonly Address[],
): readonly (Step & { readonly movedFrom: Address; readonly desired: DesiredResource })[] {
  const isNamed = chooses({ targets, excludes });
  const cut = new Set<Address>();
  if (targets.length === 0 && excludes.length === 0) return [];
  return [...steps.values()].flatMap((step) => {
    const { address, movedFrom, desired } = step;
    if (movedFrom === undefined || desired === undefined) return [];
    // An alias says both addresses itself.
    if (step.reasons.some(({ kind }) => kind === 'alias')) return [];
    if (selected.has(address) === isNamed(movedFrom)) return [];
    const isBelowCut = cut.has(parentAddress(address) ?? '');
    cut.add(address);
    return isBelowCut ? [] : [{ ...step, movedFrom, desired }];
  });
}

function within(steps: ReadonlyMap<Address, Step>, roots: readonly Address[]): readonly Address[] {
  return roots.length === 0 ? [] : [...steps.keys()].filter(chooses({ targets: roots, excludes: [] }));
}

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
      hint: 'Without --no-delete they are part of the plan.',
    },
  ];
}
