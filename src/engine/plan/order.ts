import { compareText, type Address } from '../model/address.js';
import { groupBy, rings, topologicalOrder } from '../model/graph.js';
import { Claims, type KeyExchange, type KeyWait } from './claims.js';
import { addressesNow, operationId, withOperations, type Operation, type OperationKind, type Step } from './step.js';
import { dependencyWaits, followingWaits, moveWaits, type Wait } from './waits.js';

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
): OrderedSteps {
  const draft = new Draft();
  const kindsBy = new Map<Address, readonly OperationKind[]>();
  for (const step of steps.values()) {
    const kinds = kindsOf(step);
    kindsBy.set(step.address, kinds);
    for (const kind of kinds) draft.add(step.address, kind);
  }
  const surroundings = { graph, now: addressesNow(steps) };
  draft.link(dependencyWaits(steps.values(), (address) => kindsBy.get(address) ?? [], surroundings));
  draft.link(followingWaits(steps.values(), surroundings));
  // A wait that stands for a dependency, too, can't be lifted by parking.
  const waits = new Claims(steps.values()).waits.filter((wait) => !draft.isWaiting(wait));
  draft.link(waits);
  const moves = moveWaits(steps);
  draft.link(moves);
  // Waiting is only for safety: where the new parent waits for the child to go, the child goes first.
  for (const ring of moves.length === 0 ? [] : draft.rings())
    for (const wait of moves) if (ring.has(wait.later) && ring.has(wait.earlier)) draft.unlink(wait);
  const cycles = breakCycles(draft, waits);
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
      const exchanged = byRing.get(ring) ?? [];
      const claims = exchanged.map(({ holder }) => byHolder.get(holder) ?? []).find(areParkable);
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
    this.#operations.set(id, parking === undefined ? { id, address, kind } : { id, address, kind, parking });
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
      if (loose === true) this.#loose.push(wait);
    }
  }

  /** Gives up the loose waits among these; false when there are none. */
  loosen(among: ReadonlySet<string>): boolean {
    const given = this.#loose.filter(
      (wait) => among.has(wait.later) && among.has(wait.earlier) && this.isWaiting(wait),
    );
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
      return operation === undefined ? [] : { ...operation, dependsOn: needs.get(id) ?? [], turn };
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
