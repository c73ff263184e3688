import type { Address } from '../model/address.js';
import { operationId, type OperationKind } from './operation.js';
import type { Proposal } from './proposal.js';

/** What is better done later than something else, where nothing else stands against it. */
interface Wait {
  readonly later: string;
  readonly earlier: string;
}

const writes: readonly OperationKind[] = ['create', 'update', 'adopt'];
const ends: readonly OperationKind[] = ['delete', 'delete-old'];

/**
 * Objects of a type that `follows` others in the same place (a publication: the versions and the implementation of its API) are
 * written after theirs, and end before them: nothing is shown before it is whole, or after a part of it is gone.
 */
export function followingWaits(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  now: (then: Address) => Address,
): readonly Wait[] {
  const followers = [...proposals.values()].filter(({ type }) => type.follows !== undefined);
  if (followers.length === 0) return [];
  const followed = new Set(followers.flatMap(({ type }) => type.follows ?? []));
  const first = [...proposals.values()].filter(({ type }) => followed.has(type.token));
  const wanted = ({ address }: Proposal): readonly Address[] => graph.get(address) ?? [];
  const recorded = (each: Proposal): readonly Address[] => (each.recorded?.dependencies ?? []).map(now);
  return [
    ...waitsOf(followers, placesOf(first, wanted), wanted, (follower, other) => pairs(follower, other, writes)),
    ...waitsOf(followers, placesOf(first, recorded), recorded, (follower, other) => pairs(other, follower, ends)),
  ];
}

type Needs = (proposal: Proposal) => readonly Address[];

/** Proposals by what they live in, and their type. */
function placesOf(proposals: readonly Proposal[], needs: Needs): ReadonlyMap<string, readonly Proposal[]> {
  const places = new Map<string, Proposal[]>();
  for (const proposal of proposals)
    for (const needed of needs(proposal)) {
      const key = placeKey(needed, proposal.type.token);
      const known = places.get(key);
      if (known === undefined) places.set(key, [proposal]);
      else known.push(proposal);
    }
  return places;
}

function waitsOf(
  followers: readonly Proposal[],
  places: ReadonlyMap<string, readonly Proposal[]>,
  needs: Needs,
  waits: (follower: Proposal, other: Proposal) => readonly Wait[],
): readonly Wait[] {
  return followers.flatMap((follower) =>
    needs(follower).flatMap((needed) =>
      (follower.type.follows ?? [])
        .flatMap((token) => places.get(placeKey(needed, token)) ?? [])
        .flatMap((other) => waits(follower, other)),
    ),
  );
}

function placeKey(above: Address, token: string): string {
  return `${above} ${token}`;
}

function pairs(later: Proposal, earlier: Proposal, kinds: readonly OperationKind[]): readonly Wait[] {
  return kinds.flatMap((own) =>
    kinds.map((other) => ({
      later: operationId(later.address, own),
      earlier: operationId(earlier.address, other),
    })),
  );
}
