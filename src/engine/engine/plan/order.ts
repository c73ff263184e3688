import { compareText, type Address } from '@platform-sync/core/model/address';
import { groupBy, groupOf, rings, topologicalOrder } from '@platform-sync/core/model/graph';
import type { Departure } from './contents.js';
import { Claims, type KeyExchange, type KeyWait } from './claims.js';
import {
  addressesNow,
  operationId,
  withOperations,
  type Operation,
  type OperationKind,
  type Step,
  type Wait,
} from './step.js';
import { defined } from '@platform-sync/core/model/value';

interface OrderedSteps {
  /** Each with its operations. */
  readonly steps: ReadonlyMap<Address, Step>;
  /** Keys that change hands in a way that could not be ordered: the platform may refuse the first of them. By holder. */
  readonly cycles: readonly KeyExchange[];
}

/** Gives each step the operations that carry it out, and orders them. */
export function orderOperations(
  steps: ReadonlyMap<Address, Step>,
  graph: ReadonlyMap<Address, readonly Address[]>,
  leaving: readonly Departure[] = [],
): OrderedSteps {
  const draft = new Draft();
  const kindsBy = new Map<Address, readonly OperationKind[]>();
  for (const step of steps.values()) {
    const kinds = kindsOf(step);
    kindsBy.set(step.address, kinds);
    for (const kind of kinds) draft.add(step.address, kind);
  }
  const surroundings = { graph, now: addressesNow(steps) };
  draft.link(dependencyWaits(steps, (address) => groupOf(kindsBy, address), surroundings));
  draft.link(followingWaits(steps.values(), surroundings));
  draft.link([...steps.values()].flatMap((step) => deposedWaits(step, steps, surroundings)));
  draft.link(leaving.flatMap(departureWaits));
  // A wait that stands for a dependency, too, can't be lifted by parking.
  const waits = new Claims(steps.values()).waits.filter((wait) => !draft.isWaiting(wait));
  draft.link(waits);
  const moves = moveWaits(steps, surroundings);
  draft.linkOutsideRings(moves);
  const cycles = breakCycles(draft, waits);
  // Where somebody steps aside, the new parent may wait for nothing any more.
  draft.linkOutsideRings(moves);
  return { steps: withOperations(steps, draft.operations()), cycles };
}

/** Objects that exchange their keys wait for each other in a ring: one of them steps aside under a passing name. */
function breakCycles(draft: Draft, waits: readonly KeyWait[]): readonly KeyExchange[] {
  const byHolder: ReadonlyMap<Address, readonly KeyWait[]> = groupBy(waits, ({ holder }) => holder);
  const cycles = new Map<Address, KeyExchange>();
  for (let rings = draft.rings(); rings.length > 0; rings = draft.rings()) {
    const ringOf = new Map(rings.flatMap((ring) => [...ring].map((id) => [id, ring] as const)));
    const tied = waits.filter((wait) => ringOf.get(wait.later)?.has(wait.earlier) === true && draft.isWaiting(wait));
    const byRing = groupBy(tied, ({ later }) => ringOf.get(later));
    for (const ring of rings) {
      const exchanged = groupOf(byRing, ring);
      const claims = exchanged.map(({ holder }) => groupOf(byHolder, holder)).find(areParkable);
      if (claims !== undefined) {
        park(claims, draft);
      } else if (exchanged.length > 0) {
        for (const wait of exchanged) draft.unlink(wait);
        for (const wait of exchanged) cycles.set(wait.holder, { holder: wait.holder, taker: wait.taker });
      } else if (!draft.loosen(ring)) {
        throw new Error(`bug: operations wait for each other: ${[...ring].join(', ')}`);
      }
    }
  }
  return [...cycles.values()].sort((a, b) => compareText(a.holder, b.holder));
}

type ParkableWait = KeyWait & Required<Pick<KeyWait, 'parking'>>;

function areParkable(claims: readonly KeyWait[]): claims is readonly ParkableWait[] {
  return claims.every(({ parking }) => parking !== undefined);
}

/** The holder takes passing values for all that is wanted of it; who wants its own waits for that alone. */
function park(claims: readonly ParkableWait[], draft: Draft): void {
  const passing = Object.fromEntries(claims.map(({ parking }) => [parking.field, parking.value]));
  for (const wait of claims) {
    const aside = draft.add(wait.holder, 'park', passing);
    draft.unlink(wait);
    draft.link([
      { later: wait.earlier, earlier: aside },
      { later: wait.later, earlier: aside },
    ]);
  }
}

/** Operations and what they wait for, while they are being put together. */
class Draft {
  readonly #operations = new Map<string, Omit<Operation, 'dependsOn' | 'turn'>>();
  readonly #edges = new Map<string, Set<string>>();
  readonly #loose: Wait[] = [];

  add(address: Address, kind: OperationKind, parking?: Operation['parking']): string {
    const id = operationId(address, kind);
    this.#operations.set(id, { id, address, kind, ...defined({ parking }) });
    this.#edges.set(id, new Set());
    return id;
  }

  /** Between operations that there are; what state says of itself binds nobody. */
  link(waits: readonly Wait[]): void {
    for (const wait of waits) {
      const { later, earlier, loose } = wait;
      const needed = this.#edges.get(later);
      if (needed === undefined || later === earlier || needed.has(earlier) || !this.#edges.has(earlier)) continue;
      needed.add(earlier);
      if (loose !== undefined) this.#loose.push(wait);
    }
  }

  /** Waiting is only for safety: where the new parent waits for the child to go, the child goes first. */
  linkOutsideRings(moves: readonly Wait[]): void {
    this.link(moves);
    for (const ring of moves.length === 0 ? [] : this.rings())
      for (const wait of moves) if (ring.has(wait.later) && ring.has(wait.earlier)) this.unlink(wait);
  }

  /** Gives up the loose waits among these; false when there are none. */
  loosen(among: ReadonlySet<string>): boolean {
    const tied = this.#loose.filter((wait) => among.has(wait.later) && among.has(wait.earlier) && this.isWaiting(wait));
    const first = tied.filter(({ loose }) => loose === true);
    const given = first.length > 0 ? first : tied;
    for (const wait of given) this.unlink(wait);
    return given.length > 0;
  }

  unlink({ later, earlier }: Wait): void {
    this.#edges.get(later)?.delete(earlier);
  }

  isWaiting({ later, earlier }: Wait): boolean {
    return this.#edges.get(later)?.has(earlier) === true;
  }

  /** Operations that wait for themselves. */
  rings(): readonly ReadonlySet<string>[] {
    return rings(this.#edges);
  }

  operations(): readonly Operation[] {
    const needs = new Map<string, readonly string[]>();
    for (const [id, needed] of this.#edges) needs.set(id, [...needed].sort());
    return topologicalOrder(needs).flatMap((id, turn) => {
      const operation = this.#operations.get(id);
      return operation === undefined ? [] : { ...operation, dependsOn: groupOf(needs, id), turn };
    });
  }
}

function kindsOf(step: Step): readonly OperationKind[] {
  switch (step.action) {
    case 'create':
    case 'update':
    case 'delete':
    case 'adopt':
      return [step.action];
    case 'replace':
      return step.order === 'create-first' ? ['create', 'delete-old'] : ['delete', 'create'];
    case 'forget':
    case 'move':
    case 'options':
      return ['record'];
    case 'none':
    case 'not-compared':
      return [];
  }
}

/** Who depends on whom in the catalogue, and what the addresses of records are now. */
interface Surroundings {
  readonly graph: ReadonlyMap<Address, readonly Address[]>;
  readonly now: (then: Address) => Address;
}

const writes: readonly OperationKind[] = ['create', 'update', 'adopt', 'record'];
const ends: readonly OperationKind[] = ['delete', 'delete-old'];
const leaves: readonly OperationKind[] = ['update', 'adopt', ...ends];

/** Waits that follow from dependencies; those for keys and for moves are made elsewhere. `kindsOf`: the operations of an address. */
function dependencyWaits(
  steps: ReadonlyMap<Address, Step>,
  kindsOf: (address: Address) => readonly OperationKind[],
  surroundings: Surroundings,
): readonly Wait[] {
  return [...steps.values()].flatMap((step) => {
    const kinds = kindsOf(step.address);
    // What is left as it is neither waits nor is waited for.
    if (kinds.length === 0) return [];
    return [
      ...replacementWaits(step, kinds),
      ...desiredWaits(step, kinds, kindsOf, surroundings),
      ...deleteWaits(step, steps, surroundings),
    ];
  });
}

/** Of a replacement, in the order of its kinds. */
function replacementWaits({ address }: Step, kinds: readonly OperationKind[]): readonly Wait[] {
  return kinds.flatMap((last, at) =>
    kinds.slice(0, at).map((first) => ({ later: operationId(address, last), earlier: operationId(address, first) })),
  );
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
  for (const needed of groupOf(graph, address))
    for (const other of kindsOf(needed))
      for (const own of kinds) {
        if (!writes.includes(own)) continue;
        const [mine, theirs] = [operationId(address, own), operationId(needed, other)];
        if (writes.includes(other)) found.push({ later: mine, earlier: theirs });
        if (other === 'delete-old') found.push({ later: theirs, earlier: mine, loose: true });
      }
  return found;
}

/**
 * Objects are deleted after everything that was recorded as depending on them is deleted or points elsewhere. Records are of different
 * times: two may say that each depends on the other, and only of a home it is certain which one ends first.
 */
function deleteWaits(
  { address, type: { parent }, recorded }: Step,
  steps: ReadonlyMap<Address, Step>,
  { graph, now }: Surroundings,
): readonly Wait[] {
  if (recorded === undefined) return [];
  const home = parent === undefined ? undefined : recorded.identity.scope[parent.field];
  const kept = new Set(groupOf(graph, address));
  const update = operationId(address, 'update');
  return recorded.dependencies.map(now).flatMap((needed): Wait[] => [
    ...pairs(ends, ends).map(([last, own]) => ({
      later: operationId(needed, last),
      earlier: operationId(address, own),
      ...(home !== undefined && steps.get(needed)?.recorded?.identity.id === home ? {} : { loose: 'last' as const }),
    })),
    { later: operationId(needed, 'delete-old'), earlier: update, loose: true },
    // Who needs it further on waits for what takes its place.
    ...(kept.has(needed) ? [] : [{ later: operationId(needed, 'delete'), earlier: update, loose: true as const }]),
  ]);
}

/** A record goes after the old objects that it alone knows of: what could not be deleted would be in no state any more. */
function deposedWaits(
  { address, deposedOf }: Step,
  steps: ReadonlyMap<Address, Step>,
  { now }: Surroundings,
): readonly Wait[] {
  if (deposedOf === undefined) return [];
  const owner = now(deposedOf);
  const end = steps.get(owner)?.action === 'forget' ? 'record' : 'delete';
  return [{ later: operationId(owner, end), earlier: operationId(address, 'delete'), loose: true }];
}

/** A home ends after what leaves it. */
function departureWaits({ address, home }: Departure): readonly Wait[] {
  return pairs(ends, leaves).map(([last, own]) => ({
    later: operationId(home, last),
    earlier: operationId(address, own),
    loose: true,
  }));
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
  const wanted = ({ address }: Step): readonly Address[] => groupOf(graph, address);
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
        .flatMap((token) => groupOf(places, `${place} ${token}`))
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

function pairs<T, U>(some: readonly T[], others: readonly U[]): readonly (readonly [T, U])[] {
  return some.flatMap((one) => others.map((other) => [one, other] as const));
}

/**
 * A child that moves to another parent, and whatever refers to something that is not there yet, is deleted only when that exists: if it
 * can't be made, the old object stays as it is. Below a parent that is replaced children end with the old one, as ever.
 */
export function moveWaits(steps: ReadonlyMap<Address, Step>, { graph, now }: Surroundings): readonly Wait[] {
  return [...steps.values()].flatMap(({ address, order, type: { parent }, desired, recorded }): Wait[] => {
    if (order !== 'delete-first') return [];
    const before = new Set(recorded?.dependencies.map(now));
    const home = parent === undefined ? undefined : desired?.properties.get(parent.field);
    const isHome = (needed: Address): boolean =>
      home?.kind === 'reference' && home.to === 'resource' && home.target === needed;
    const isAsBefore = (needed: Address): boolean => {
      const there = steps.get(needed)?.recorded ?? steps.get(needed)?.actual;
      if (there === undefined || !before.has(needed)) return false;
      return !isHome(needed) || there.identity.id === recorded?.identity.scope[parent?.field ?? ''];
    };
    const newly = groupOf(graph, address).filter((needed) => !isAsBefore(needed));
    return newly.map((needed) => ({
      later: operationId(address, 'delete'),
      earlier: operationId(needed, 'create'),
    }));
  });
}
