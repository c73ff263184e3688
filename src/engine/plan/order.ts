import { compareText, type Address } from '../model/address.js';
import { topologicalOrder } from '../resolve/graph.js';
import { followingWaits } from './following.js';
import { moveWaits } from './move-waits.js';
import { addressesNow } from './moved.js';
import { operationId, type Operation, type OperationKind } from './operation.js';
import type { Proposal } from './proposal.js';
import { waitCycles } from './wait-cycles.js';
import { uniqueWaits, type KeyExchange, type UniqueWait } from './unique.js';

interface OperationGraph {
  /** In an order that could be carried out one by one. */
  readonly operations: readonly Operation[];
  /** Keys that change hands in a way that could not be ordered: the platform may refuse the first of them. By holder. */
  readonly cycles: readonly KeyExchange[];
}

/** Turns proposals into operations and orders them. */
export function orderOperations(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): OperationGraph {
  const draft = new Draft();
  const now = addressesNow(proposals);
  // What is left as it is neither waits nor is waited for.
  const active: Active = new Map();
  for (const proposal of proposals.values()) {
    const kinds = kindsOf(proposal);
    if (kinds.length > 0) active.set(proposal.address, { proposal, kinds });
    for (const kind of kinds) draft.add(proposal.address, kind);
  }
  for (const { proposal, kinds } of active.values()) {
    linkReplacement(proposal, kinds, draft.link);
    linkDesired(proposal, kinds, active, graph, draft);
    linkDeletes(proposal, graph, now, draft);
  }
  for (const { later, earlier } of followingWaits(proposals, graph, now)) draft.linkLoosely(later, earlier);
  // A wait that stands for a dependency, too, can't be lifted by parking.
  const waits = uniqueWaits(proposals).filter((wait) => !draft.isWaiting(wait));
  for (const wait of waits) draft.link(wait.later, wait.earlier);
  const moves = moveWaits(proposals);
  for (const wait of moves) draft.link(wait.later, wait.earlier);
  // Waiting is only for safety: where the new parent waits for the child to go, the child goes first.
  for (const ring of moves.length === 0 ? [] : draft.rings())
    for (const { later, earlier } of moves) if (ring.has(later) && ring.has(earlier)) draft.unlink(later, earlier);
  const cycles = breakCycles(draft, waits);
  return { operations: draft.operations(), cycles };
}

/** Objects that exchange their keys wait for each other in a ring: one of them steps aside under a passing name. */
function breakCycles(draft: Draft, waits: readonly UniqueWait[]): readonly KeyExchange[] {
  const byHolder = grouped(waits, ({ holder }) => holder);
  const cycles = new Map<Address, KeyExchange>();
  for (let rings = draft.rings(); rings.length > 0; rings = draft.rings()) {
    const ringOf = new Map(rings.flatMap((ring) => [...ring].map((id) => [id, ring] as const)));
    const tied = waits.filter((wait) => ringOf.get(wait.later)?.has(wait.earlier) === true && draft.isWaiting(wait));
    const byRing = grouped(tied, ({ later }) => ringOf.get(later));
    for (const ring of rings) {
      const exchanged = byRing.get(ring) ?? [];
      const claims = exchanged.map(({ holder }) => byHolder.get(holder) ?? []).find(areParkable);
      if (claims !== undefined) {
        park(claims, draft);
      } else if (exchanged.length > 0) {
        for (const wait of exchanged) draft.unlink(wait.later, wait.earlier);
        for (const wait of exchanged) cycles.set(wait.holder, { holder: wait.holder, taker: wait.taker });
      } else if (!draft.loosen(ring)) {
        throw new Error(`bug: operations wait for each other: ${[...ring].join(', ')}`);
      }
    }
  }
  return [...cycles.values()].sort((a, b) => compareText(a.holder, b.holder));
}

type ParkableWait = UniqueWait & Required<Pick<UniqueWait, 'parking'>>;

function areParkable(claims: readonly UniqueWait[]): claims is readonly ParkableWait[] {
  return claims.every(({ parking }) => parking !== undefined);
}

/** The holder takes passing values for all that is wanted of it; who wants its own waits for that alone. */
function park(claims: readonly ParkableWait[], draft: Draft): void {
  const passing = Object.fromEntries(claims.map(({ parking }) => [parking.field, parking.value]));
  for (const wait of claims) {
    const step = draft.add(wait.holder, 'park', passing);
    draft.link(wait.earlier, step);
    draft.unlink(wait.later, wait.earlier);
    draft.link(wait.later, step);
  }
}

function grouped<K, T>(items: readonly T[], key: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group === undefined) groups.set(key(item), [item]);
    else group.push(item);
  }
  return groups;
}

type Wait = Pick<UniqueWait, 'later' | 'earlier'>;

/** Operations and what they wait for, while they are being put together. */
class Draft {
  readonly #operations = new Map<string, Omit<Operation, 'dependsOn'>>();
  readonly #edges = new Map<string, Set<string>>();
  readonly #loose: Wait[] = [];

  add(address: Address, kind: OperationKind, parking?: Operation['parking']): string {
    const id = operationId(address, kind);
    this.#operations.set(id, parking === undefined ? { id, address, kind } : { id, address, kind, parking });
    this.#edges.set(id, new Set());
    return id;
  }

  /** Between operations that there are; what state says of itself binds nobody. */
  readonly link = (later: string, earlier: string): void => {
    if (later !== earlier && this.#edges.has(earlier)) this.#edges.get(later)?.add(earlier);
  };

  /** A wait that is better kept, but not at the price of a ring: who pointed at an object moves on before it ends. */
  readonly linkLoosely = (later: string, earlier: string): void => {
    const wait = { later, earlier };
    if (this.isWaiting(wait)) return;
    this.link(later, earlier);
    if (this.isWaiting(wait)) this.#loose.push(wait);
  };

  /** Gives up the loose waits among these; false when there are none. */
  loosen(among: ReadonlySet<string>): boolean {
    const given = this.#loose.filter(
      (wait) => among.has(wait.later) && among.has(wait.earlier) && this.isWaiting(wait),
    );
    for (const { later, earlier } of given) this.unlink(later, earlier);
    return given.length > 0;
  }

  unlink(later: string, earlier: string): void {
    this.#edges.get(later)?.delete(earlier);
  }

  isWaiting({ later, earlier }: Wait): boolean {
    return this.#edges.get(later)?.has(earlier) === true;
  }

  /** Operations that wait for themselves. */
  rings(): readonly ReadonlySet<string>[] {
    return waitCycles(this.#edges);
  }

  operations(): readonly Operation[] {
    const needs = new Map<string, readonly string[]>();
    for (const [id, needed] of this.#edges) needs.set(id, [...needed].sort());
    return topologicalOrder(needs).flatMap((id) => {
      const operation = this.#operations.get(id);
      return operation === undefined ? [] : { ...operation, dependsOn: needs.get(id) ?? [] };
    });
  }
}

function kindsOf(proposal: Proposal): readonly OperationKind[] {
  switch (proposal.action) {
    case 'create':
    case 'update':
    case 'delete':
    case 'adopt':
      return [proposal.action];
    case 'replace':
      return proposal.order === 'create-first' ? ['create', 'delete-old'] : ['delete', 'create'];
    case 'forget':
    case 'move':
    case 'options':
      return ['record'];
    case 'none':
    case 'not-compared':
      return [];
  }
}

type Link = (later: string, earlier: string) => void;

/** What has operations, by its address. */
type Active = Map<Address, { readonly proposal: Proposal; readonly kinds: readonly OperationKind[] }>;

function isWriting(kind: OperationKind): boolean {
  return kind === 'create' || kind === 'update' || kind === 'adopt' || kind === 'record';
}

/** Of a replacement, in the order of its kinds. */
function linkReplacement({ address }: Proposal, [first, second]: readonly OperationKind[], link: Link): void {
  if (first !== undefined && second !== undefined) link(operationId(address, second), operationId(address, first));
}

/** What a resource needs is written before it; an old object goes only after all that pointed at it moved on. */
function linkDesired(
  proposal: Proposal,
  kinds: readonly OperationKind[],
  active: Active,
  graph: ReadonlyMap<Address, readonly Address[]>,
  { link, linkLoosely }: Draft,
): void {
  if (proposal.desired === undefined) return;
  for (const needed of graph.get(proposal.address) ?? [])
    for (const other of active.get(needed)?.kinds ?? [])
      for (const own of kinds) {
        if (!isWriting(own)) continue;
        if (isWriting(other)) link(operationId(proposal.address, own), operationId(needed, other));
        if (other === 'delete-old') linkLoosely(operationId(needed, other), operationId(proposal.address, own));
      }
}

/** Objects are deleted after everything that was recorded as depending on them is deleted or points elsewhere. */
function linkDeletes(
  proposal: Proposal,
  graph: ReadonlyMap<Address, readonly Address[]>,
  now: (then: Address) => Address,
  { link, linkLoosely }: Draft,
): void {
  if (proposal.recorded === undefined) return;
  const kept = new Set(graph.get(proposal.address) ?? []);
  for (const needed of proposal.recorded.dependencies.map(now)) {
    for (const last of ['delete', 'delete-old'] as const) {
      link(operationId(needed, last), operationId(proposal.address, 'delete'));
      link(operationId(needed, last), operationId(proposal.address, 'delete-old'));
    }
    const writes = operationId(proposal.address, 'update');
    linkLoosely(operationId(needed, 'delete-old'), writes);
    // Who needs it further on waits for what takes its place.
    if (!kept.has(needed)) linkLoosely(operationId(needed, 'delete'), writes);
  }
}
