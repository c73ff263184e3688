import type { Address } from '../model/address.js';
import { groupBy } from '../model/graph.js';
import { parentIdentity } from '../model/identity.js';
import { operationId, type OperationKind, type Step } from './step.js';

/** An operation that is to be done after another one. */
export interface Wait {
  readonly later: string;
  readonly earlier: string;
  /** It is better kept, but not at the price of a ring. */
  readonly loose?: true;
}

/** Who depends on whom in the catalogue, and what the addresses of records are now. */
interface Surroundings {
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly now: (then: Address) => Address;
}

const writes: readonly OperationKind[] = ['create', 'update', 'adopt', 'record'];
const ends: readonly OperationKind[] = ['delete', 'delete-old'];

/** What all operations wait for, but for keys and for moves; `kindsOf`: the operations of an address, if it has any. */
export function dependencyWaits(
  steps: Iterable<Step>,
  kindsOf: (address: Address) => readonly OperationKind[],
  surroundings: Surroundings,
): readonly Wait[] {
  return [...steps].flatMap((step) => {
    const kinds = kindsOf(step.address);
    // What is left as it is neither waits nor is waited for.
    if (kinds.length === 0) return [];
    return [
      ...replacementWaits(step, kinds),
      ...desiredWaits(step, kinds, kindsOf, surroundings),
      ...deleteWaits(step, surroundings),
    ];
  });
}

/** Of a replacement, in the order of its kinds. */
function replacementWaits({ address }: Step, [first, second]: readonly OperationKind[]): readonly Wait[] {
  if (first === undefined || second === undefined) return [];
  return [{ later: operationId(address, second), earlier: operationId(address, first) }];
}

/** What a resource needs is written before it; an old object goes only after all that pointed at it moved on. */
function desiredWaits(
  { address, desired }: Step,
  kinds: readonly OperationKind[],
  kindsOf: (address: Address) => readonly OperationKind[],
  { graph }: Surroundings,
): readonly Wait[] {
  if (desired === undefined) return [];
  const found: Wait[] = [];
  for (const needed of graph.get(address) ?? [])
    for (const other of kindsOf(needed))
      for (const own of kinds) {
        if (!writes.includes(own)) continue;
        const [mine, theirs] = [operationId(address, own), operationId(needed, other)];
        if (writes.includes(other)) found.push({ later: mine, earlier: theirs });
        if (other === 'delete-old') found.push({ later: theirs, earlier: mine, loose: true });
      }
  return found;
}

/** Objects are deleted after everything that was recorded as depending on them is deleted or points elsewhere. */
function deleteWaits({ address, recorded }: Step, { graph, now }: Surroundings): readonly Wait[] {
  if (recorded === undefined) return [];
  const kept = new Set(graph.get(address) ?? []);
  const update = operationId(address, 'update');
  return recorded.dependencies.map(now).flatMap((needed): Wait[] => [
    ...pairs(ends, ends).map(([last, own]) => ({
      later: operationId(needed, last),
      earlier: operationId(address, own),
    })),
    { later: operationId(needed, 'delete-old'), earlier: update, loose: true },
    // Who needs it further on waits for what takes its place.
    ...(kept.has(needed) ? [] : [{ later: operationId(needed, 'delete'), earlier: update, loose: true as const }]),
  ]);
}

/**
 * Objects of a type that `follows` others in the same place (a publication: the versions and the implementation of its API) are
 * written after theirs, and end before them: nothing is shown before it is whole, or after a part of it is gone.
 */
export function followingWaits(steps: Iterable<Step>, { graph, now }: Surroundings): readonly Wait[] {
  const all = [...steps];
  const followers = all.filter(({ type }) => type.follows !== undefined);
  if (followers.length === 0) return [];
  const followed = new Set(followers.flatMap(({ type }) => type.follows ?? []));
  const first = all.filter(({ type }) => followed.has(type.token));
  const wanted = ({ address }: Step): readonly Address[] => graph.get(address) ?? [];
  const recorded = (each: Step): readonly Address[] => (each.recorded?.dependencies ?? []).map(now);
  const sent = writes.filter((kind) => kind !== 'record');
  return [
    ...besides(followers, first, wanted).flatMap(([follower, other]) => loosely(follower, other, sent)),
    ...besides(followers, first, recorded).flatMap(([follower, other]) => loosely(other, follower, ends)),
  ];
}

/** Each follower with what it follows in the same place. */
function besides(
  followers: readonly Step[],
  first: readonly Step[],
  placesOf: (step: Step) => readonly Address[],
): readonly (readonly [Step, Step])[] {
  const placed = first.flatMap((other) =>
    placesOf(other).map((place) => ({ key: `${place} ${other.type.token}`, other })),
  );
  const places = groupBy(placed, ({ key }) => key);
  return followers.flatMap((follower) =>
    placesOf(follower).flatMap((place) =>
      (follower.type.follows ?? [])
        .flatMap((token) => places.get(`${place} ${token}`) ?? [])
        .map(({ other }) => [follower, other] as const),
    ),
  );
}

function loosely(later: Step, earlier: Step, kinds: readonly OperationKind[]): readonly Wait[] {
  return pairs(kinds, kinds).map(([own, other]) => ({
    later: operationId(later.address, own),
    earlier: operationId(earlier.address, other),
    loose: true,
  }));
}

function pairs<T>(some: readonly T[], others: readonly T[]): readonly (readonly [T, T])[] {
  return some.flatMap((one) => others.map((other) => [one, other] as const));
}

/**
 * A child that moves to another parent is deleted there only when the new parent exists: if that can't be made, the child
 * stays where it is. Below a parent that is replaced children end with the old one, as ever.
 */
export function moveWaits(steps: ReadonlyMap<Address, Step>): readonly Wait[] {
  return [...steps.values()].flatMap((step): Wait[] => {
    const parent = newParent(step);
    const above = parent === undefined ? undefined : steps.get(parent);
    if (parent === undefined || above === undefined || isParentNow(above, step)) return [];
    return [{ later: operationId(step.address, 'delete'), earlier: operationId(parent, 'create') }];
  });
}

function newParent({ action, order, type, desired }: Step): Address | undefined {
  if (action !== 'replace' || order !== 'delete-first' || type.parent === undefined) return undefined;
  const expression = desired?.properties.get(type.parent.field);
  return expression?.kind === 'reference' && expression.to === 'resource' ? expression.target : undefined;
}

function isParentNow(above: Step, { type, recorded }: Step): boolean {
  const now = recorded === undefined ? undefined : parentIdentity(type, recorded.identity);
  return now !== undefined && (above.recorded ?? above.actual)?.identity.id === now.id;
}
