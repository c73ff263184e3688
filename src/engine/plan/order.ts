import type { Address } from '../model/address.js';
import { defined } from '../model/defined.js';
import { topologicalOrder } from '../resolve/graph.js';
import { moveWaits } from './move-waits.js';
import { addressesNow } from './moved.js';
import { operationId } from './operation.js';
import type { Operation, OperationKind } from './operation.js';
import type { Proposal } from './proposal.js';
import { uniqueWaits } from './unique.js';
import type { UniqueWait } from './unique.js';

export interface OperationGraph {
  /** In an order that could be carried out one by one. */
  readonly operations: readonly Operation[];
  /** Addresses that exchange keys in a way that could not be ordered: the platform may refuse the first of them. */
  readonly cycles: readonly Address[];
}

/** Turns proposals into operations and orders them. */
export function orderOperations(
  proposals: ReadonlyMap<Address, Proposal>,
  graph: ReadonlyMap<Address, readonly Address[]>,
): OperationGraph {
  const draft = new Draft();
  const now = addressesNow(proposals);
  for (const proposal of proposals.values()) for (const kind of kindsOf(proposal)) draft.add(proposal.address, kind);
  for (const proposal of proposals.values()) {
    linkReplacement(proposal, draft.link);
    linkDesired(proposal, graph, proposals, draft);
    linkDeletes(proposal, proposals, now, draft);
  }
  // A wait that stands for a dependency, too, can't be lifted by parking.
  const waits = uniqueWaits(proposals).filter((wait) => draft.has(wait) && !draft.isLinked(wait.later, wait.earlier));
  for (const wait of waits) draft.link(wait.later, wait.earlier);
  const moves = moveWaits(proposals);
  for (const wait of moves) draft.link(wait.later, wait.earlier);
  const tied = moves.length === 0 ? new Set<string>() : draft.unordered();
  // Waiting is only for safety: where the new parent waits for the child to go, the child goes first.
  for (const wait of moves) if (tied.has(wait.later)) draft.unlink(wait.later, wait.earlier);
  const cycles = breakCycles(draft, waits);
  return { operations: draft.operations(), cycles: cycles };
}

/** Objects that exchange their keys wait for each other in a ring: one of them steps aside under a passing name. */
function breakCycles(draft: Draft, waits: readonly UniqueWait[]): readonly Address[] {
  const parked = new Set<Address>();
  const cycles: Address[] = [];
  for (let left = draft.unordered(); left.size > 0; left = draft.unordered()) {
    const ring = waits.filter(
      ({ later, earlier }) => left.has(later) && left.has(earlier) && draft.isLinked(later, earlier),
    );
    const parkable = ring.find(({ holder, parking }) => parking !== undefined && !parked.has(holder));
    if (parkable?.parking !== undefined) {
      parked.add(parkable.holder);
      const park = draft.add(parkable.holder, 'park', parkable.parking);
      draft.link(parkable.earlier, park);
      for (const wait of waits.filter(({ holder }) => holder === parkable.holder)) {
        draft.unlink(wait.later, wait.earlier);
        draft.link(wait.later, park);
      }
      continue;
    }
    if (ring.length === 0 && draft.loosen(left)) continue;
    if (ring.length === 0) throw new Error(`bug: operations wait for each other: ${[...left].join(', ')}`);
    for (const wait of ring) {
      draft.unlink(wait.later, wait.earlier);
      cycles.push(wait.holder);
    }
  }
  return [...new Set(cycles)].sort();
}

/** Operations and what they wait for, while they are being put together. */
class Draft {
  readonly #edges = new Map<string, Set<string>>();
  readonly #operations = new Map<string, Omit<Operation, 'dependsOn'>>();
  readonly #loose: (readonly [later: string, earlier: string])[] = [];

  add(address: Address, kind: OperationKind, parking?: Operation['parking']): string {
    const id = operationId(address, kind);
    this.#edges.set(id, new Set());
    this.#operations.set(id, { id, address, kind, ...defined({ parking }) });
    return id;
  }

  readonly link = (later: string, earlier: string): void => {
    if (later !== earlier && this.#edges.has(earlier)) this.#edges.get(later)?.add(earlier);
  };

  /** A wait that is better kept, but not at the price of a ring: who pointed at an object moves on before it ends. */
  readonly linkLoosely = (later: string, earlier: string): void => {
    if (later === earlier || !this.#edges.has(earlier) || this.isLinked(later, earlier)) return;
    this.link(later, earlier);
    this.#loose.push([later, earlier]);
  };

  /** Gives up the loose waits among these; false when there are none. */
  loosen(among: ReadonlySet<string>): boolean {
    const given = this.#loose.filter(
      ([later, earlier]) => among.has(later) && among.has(earlier) && this.isLinked(later, earlier),
    );
    for (const [later, earlier] of given) this.unlink(later, earlier);
    return given.length > 0;
  }

  unlink(later: string, earlier: string): void {
    this.#edges.get(later)?.delete(earlier);
  }

  has(wait: UniqueWait): boolean {
    return this.#edges.has(wait.later) && this.#edges.has(wait.earlier);
  }

  isLinked(later: string, earlier: string): boolean {
    return this.#edges.get(later)?.has(earlier) === true;
  }

  #order(): readonly string[] {
    return topologicalOrder(new Map([...this.#edges].map(([id, needed]) => [id, [...needed]])));
  }

  /** Operations that wait for themselves in a ring, or for one of those. */
  unordered(): ReadonlySet<string> {
    const ordered = new Set(this.#order());
    return new Set([...this.#edges.keys()].filter((id) => !ordered.has(id)));
  }

  operations(): readonly Operation[] {
    return this.#order().flatMap((id) => {
      const operation = this.#operations.get(id);
      return operation === undefined ? [] : [{ ...operation, dependsOn: [...(this.#edges.get(id) ?? [])].sort() }];
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

const writing: readonly OperationKind[] = ['create', 'update', 'adopt', 'record'];

function linkReplacement(proposal: Proposal, link: Link): void {
  if (proposal.action !== 'replace') return;
  if (proposal.order === 'create-first')
    link(operationId(proposal.address, 'delete-old'), operationId(proposal.address, 'create'));
  else link(operationId(proposal.address, 'create'), operationId(proposal.address, 'delete'));
}

/** What a resource needs is settled before it; an old object goes only after all that pointed at it moved on. */
function linkDesired(
  proposal: Proposal,
  graph: ReadonlyMap<Address, readonly Address[]>,
  proposals: ReadonlyMap<Address, Proposal>,
  { link, linkLoosely }: Draft,
): void {
  if (proposal.desired === undefined) return;
  for (const needed of graph.get(proposal.address) ?? []) {
    for (const own of writing) {
      for (const other of writing) link(operationId(proposal.address, own), operationId(needed, other));
      if (proposals.get(needed)?.order === 'create-first')
        linkLoosely(operationId(needed, 'delete-old'), operationId(proposal.address, own));
    }
  }
}

/** Objects are deleted after everything that was recorded as depending on them is deleted or points elsewhere. */
function linkDeletes(
  proposal: Proposal,
  proposals: ReadonlyMap<Address, Proposal>,
  now: (then: Address) => Address,
  { link, linkLoosely }: Draft,
): void {
  for (const needed of (proposal.recorded?.dependencies ?? []).map(now)) {
    for (const last of ['delete', 'delete-old'] as const) {
      link(operationId(needed, last), operationId(proposal.address, 'delete'));
      link(operationId(needed, last), operationId(proposal.address, 'delete-old'));
    }
    if (proposals.get(needed)?.action === 'delete')
      linkLoosely(operationId(needed, 'delete'), operationId(proposal.address, 'update'));
  }
}
