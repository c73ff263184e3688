import { compareText } from '../model/address.js';
import type { Intent, RecordedResource, StackState, StateChange } from '../model/state.js';
import { LeaseLostError, type Lease, type LeaseHolder } from '../model/state-store.js';
import type { LeaseRequest, Occupant } from './acquire-lease.js';
import { MemoryDrift } from './memory-drift.js';
import { moveRecord, planMoves, type Move } from './moves.js';
import { runsOf } from './runs.js';

interface StoredLease {
  readonly holder: LeaseHolder;
  readonly expires: number;
  readonly isRevoked?: boolean;
}

type StackContent = Omit<StackState, 'resources' | 'intents'>;

/** One stack's content and its lease slot, changed in place: a commit costs what it changes. */
export class MemoryStack {
  #content: StackContent;
  #resources: Map<string, RecordedResource>;
  #intents = new Map<string, Intent>();
  #lease: StoredLease | undefined;
  #token = 0;
  readonly drift = new MemoryDrift();

  constructor(state: StackState) {
    this.#content = state;
    this.#resources = new Map(state.resources);
  }

  snapshot(): StackState {
    const byAddress = [...this.#resources].sort(([a], [b]) => compareText(a, b));
    const intents = [...this.#intents.values()].sort(
      (a, b) => compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id),
    );
    return { ...this.#content, resources: new Map(byAddress), intents };
  }

  replace(state: StackState): void {
    const { resources, intents, ...content } = state;
    this.#content = content;
    this.#resources = new Map(resources);
    this.#intents = new Map(intents.map((intent) => [intent.id, intent]));
  }

  begin(intent: Intent): void {
    this.#bump();
    this.#intents.set(intent.id, intent);
  }

  commit(changes: readonly StateChange[]): number {
    // Only a move can be refused; it works on a copy so that nothing of a refused commit stays.
    const moves = changes.some((change) => change.kind === 'move');
    const draft = moves ? new Map(this.#resources) : this.#resources;
    for (const run of runsOf(changes)) {
      if (run.kind === 'moves') moveAll(draft, run.moves);
      else for (const change of run.changes) this.#applyRecord(draft, change);
    }
    this.#resources = draft;
    for (const change of changes) this.#applyRest(change);
    return this.#bump();
  }

  #applyRecord(resources: Map<string, RecordedResource>, change: StateChange): void {
    if (change.kind === 'put') resources.set(change.resource.address, change.resource);
    else if (change.kind === 'remove') resources.delete(change.address);
  }

  #applyRest(change: StateChange): void {
    if (change.kind === 'outputs') this.#content = { ...this.#content, outputs: change.outputs };
    else if (change.kind === 'targets') this.#content = { ...this.#content, targets: change.targets };
    else if (change.kind === 'close-intent') this.#intents.delete(change.id);
  }

  #bump(): number {
    const serial = this.#content.serial + 1;
    this.#content = { ...this.#content, serial };
    return serial;
  }

  holder(now: number): LeaseHolder | undefined {
    return this.#lease !== undefined && this.#lease.expires > now ? this.#lease.holder : undefined;
  }

  take(request: LeaseRequest, now: number, ttlMs: number): { token: number; holder: LeaseHolder } | Occupant {
    const holder = this.holder(now);
    if (holder !== undefined) return { holder };
    const time = new Date(now).toISOString();
    this.#lease = { holder: { ...request, since: time, seen: time }, expires: now + ttlMs };
    this.#token += 1;
    return { token: this.#token, holder: this.#lease.holder };
  }

  beat(id: string, now: number, ttlMs: number): boolean {
    const holder = this.holder(now);
    if (holder?.id !== id || this.#lease?.isRevoked === true) return false;
    this.#lease = { holder: { ...holder, seen: new Date(now).toISOString() }, expires: now + ttlMs };
    return true;
  }

  revoke(id: string, now: number): boolean {
    if (this.#lease === undefined || this.holder(now)?.id !== id) return false;
    this.#lease = { ...this.#lease, isRevoked: true };
    return true;
  }

  drop(id: string, now: number): boolean {
    if (this.holder(now)?.id !== id) return false;
    this.#lease = undefined;
    return true;
  }

  check(lease: Lease, now: number): void {
    if (this.holder(now)?.id !== lease.id || this.#token !== lease.token) throw new LeaseLostError();
  }
}

function moveAll(resources: Map<string, RecordedResource>, moves: readonly Move[]): void {
  const moved = planMoves(moves, (address) => resources.has(address));
  const records = [...resources.values()].map((record) => moveRecord(record, moved));
  resources.clear();
  for (const record of records) resources.set(record.address, record);
}
