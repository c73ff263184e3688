import { chooses, compareText, parentAddress, type Address } from '../model/address.js';
import type { DesiredResource } from '../model/desired.js';
import { addTo, reach, reversed } from '../model/graph.js';
import type { Diagnostic } from '../model/diagnostic.js';
import { ownAlong, isEnd, type ContentsInput } from './contents.js';
import { addressesNow, type Proposal } from './proposal.js';

export interface Selection {
  readonly proposals: ReadonlyMap<Address, Proposal>;
  /** What stays only because something that is excluded lives in it, with what that is. */
  readonly homes: ReadonlyMap<Address, readonly Address[]>;
}

/**
 * The part of a plan that `--target` and `--exclude` leave: targets (with what is nested in them), what they need,
 * and what an end of theirs takes along; minus what is excluded and what needs it, and minus the ends of what that lives in.
 */
export function selectProposals(
  input: ContentsInput,
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  targets: readonly Address[],
  excludes: readonly Address[],
): Selection {
  if (targets.length === 0 && excludes.length === 0) return { proposals, homes: new Map() };
  const now = addressesNow(proposals);
  const recorded = (address: Address): readonly Address[] =>
    (proposals.get(address)?.recorded?.dependencies ?? []).map(now);
  const needs = (address: Address): readonly Address[] => graph.get(address) ?? recorded(address);
  const users = reversed(proposals.keys(), (address) => new Set([...needs(address), ...recorded(address)]));
  const neededBy = (address: Address): readonly Address[] => users.get(address) ?? [];
  const chosen = targets.length === 0 ? new Set(proposals.keys()) : reach(within(proposals, targets), needs);
  const endsOf = (addresses: Iterable<Address>): readonly Proposal[] =>
    [...addresses].flatMap((address) => proposals.get(address) ?? []).filter(isEnd);
  for (const address of reach(
    endsOf(chosen).map((each) => each.address),
    neededBy,
  ))
    chosen.add(address);
  const out = reach(within(proposals, excludes), neededBy);
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
    const along = out.size === 0 ? [] : ownAlong(input, endsOf(chosen), proposals.values());
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
  return { proposals: new Map([...proposals].filter(([address]) => chosen.has(address))), homes };
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
  proposals: ReadonlyMap<Address, Proposal>,
  selected: ReadonlyMap<Address, Proposal>,
  targets: readonly Address[],
  excludes: readonly Address[],
): readonly (Proposal & { readonly movedFrom: Address; readonly desired: DesiredResource })[] {
  const isNamed = chooses({ targets, excludes });
  const cut = new Set<Address>();
  if (targets.length === 0 && excludes.length === 0) return [];
  return [...proposals.values()].flatMap((proposal) => {
    const { address, movedFrom, desired } = proposal;
    if (movedFrom === undefined || desired === undefined) return [];
    // An alias says both addresses itself.
    if (proposal.reasons.some(({ kind }) => kind === 'alias')) return [];
    if (selected.has(address) === isNamed(movedFrom)) return [];
    const isBelowCut = cut.has(parentAddress(address) ?? '');
    cut.add(address);
    return isBelowCut ? [] : [{ ...proposal, movedFrom, desired }];
  });
}

function within(proposals: ReadonlyMap<Address, Proposal>, roots: readonly Address[]): readonly Address[] {
  return roots.length === 0 ? [] : [...proposals.keys()].filter(chooses({ targets: roots, excludes: [] }));
}
