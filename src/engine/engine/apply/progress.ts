import type { Address } from '@platform-sync/core/model/address';
import type { RemoteObject } from '@platform-sync/core/model/provider';
import type { ResourceType } from '@platform-sync/core/model/resource-type';
import { identityKey } from '@platform-sync/core/model/identity';
import type { Deposed, Identity, RecordedResource, StateChange } from '@platform-sync/core/model/state';
import type { Step } from '../plan/step.js';
import type { Value } from '@platform-sync/core/model/value';
import { momentIn, type World } from '@platform-sync/core/model/world';
import type { ApplyContext } from './context.js';
import type { Halt } from './halt.js';
import { Journal } from './journal.js';
import { LastLooks } from './last-looks.js';
import type { Rest } from './slots.js';
import { AppliedValues } from './applied-values.js';

/** What one run has done so far, as far as anybody may still ask: objects it manages, applied values, ids it created. */
export class Progress {
  readonly applied: AppliedValues;
  readonly journal: Journal;
  readonly halt: Halt;
  /** Ids of objects created in this run. */
  readonly created = new Set<string>();
  /** What was given a passing name in this run, as the platform showed it then. */
  readonly parked = new Map<Address, RemoteObject>();
  /** Addresses of which an operation will not be carried out, since what it rests on was not. */
  readonly givenUp = new Set<Address>();
  readonly newParents = new NewParents();
  readonly looks: LastLooks;
  /** Only those that list objects still to be deleted: the end of one of these changes them. */
  readonly #records = new Map<Address, RecordedResource>();
  /** Where records went that moved before the first call, by where they were. */
  readonly #moved = new Map<Address, Address>();
  readonly #managed = new Set<string>();
  /** Not in `#managed` yet: only who looks for a lost answer asks for the keys. */
  #added: (readonly [type: string, identity: Identity])[] = [];
  readonly #deleted = new Set<string>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #rest: Rest;
  readonly #world: World;

  constructor(context: ApplyContext, halt: Halt) {
    this.halt = halt;
    this.#rest = context.rest;
    this.#world = context.world;
    this.journal = new Journal(context, halt.stop);
    this.looks = new LastLooks(context);
    for (const { movedFrom, address } of context.steps.values())
      if (movedFrom !== undefined) this.#moved.set(movedFrom, address);
    for (const record of context.state.resources.values()) this.#keep(this.moved(record));
    this.applied = new AppliedValues(context);
  }

  /** A record from before the run as it stands since records have moved. */
  moved(record: RecordedResource): RecordedResource {
    if (this.#moved.size === 0) return record;
    const now = (address: Address): Address => this.#moved.get(address) ?? address;
    return { ...record, address: now(record.address), dependencies: record.dependencies.map(now).sort() };
  }

  /** The record that has an object among those to be deleted, or had it when the run began: where it stands since records have moved. */
  ownerOf({ deposedOf, address }: Pick<Step, 'deposedOf' | 'address'>): RecordedResource | undefined {
    return this.#records.get(deposedOf === undefined ? address : (this.#moved.get(deposedOf) ?? deposedOf));
  }

  /** All objects this stack manages or has managed in this run, by `identityKey`. */
  get managed(): ReadonlySet<string> {
    for (const [type, identity] of this.#added) this.#managed.add(identityKey(type, identity));
    this.#added = [];
    return this.#managed;
  }

  /** Work on one key goes one after the other: of two equal objects it must be clear which call made which. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key);
    const turn = before === undefined ? work() : this.#rest(() => before.catch(() => undefined)).then(work);
    this.#turns.set(key, turn);
    const end = (): void => {
      if (this.#turns.get(key) === turn) this.#turns.delete(key);
    };
    turn.then(end, end);
    return turn;
  }

  /** Stores a resource whose object is as desired, and lets references see it. `intents`: that of the call that wrote it, and others that it settles. */
  async put(
    type: ResourceType,
    record: RecordedResource,
    declared: ReadonlyMap<string, Value>,
    object: RemoteObject,
    intents: readonly string[],
  ): Promise<void> {
    const changes: readonly StateChange[] =
      intents.length === 0
        ? [{ kind: 'put', resource: record }]
        : [
            { kind: 'put', resource: { ...record, writtenAt: momentIn(this.#world) } },
            ...intents.map((id): StateChange => ({ kind: 'close-intent', id })),
          ];
    await this.commit(changes);
    if (!this.applied.isAsked(record.address)) return;
    const outputs = { ...object.identity.scope, ...object.values };
    this.applied.add(record.address, { type, id: object.identity.id, declared, outputs });
  }

  /** An object is gone: no record written from now on names it among those still to be deleted. */
  deleted(type: string, identity: Identity): void {
    this.#deleted.add(identityKey(type, identity));
  }

  hasDeleted(type: string, identity: Identity): boolean {
    return this.#deleted.has(identityKey(type, identity));
  }

  commit(changes: readonly StateChange[]): Promise<void> {
    const current = changes.map((change) => this.#current(change));
    // Before the store has answered: what is decided meanwhile must rest on this, not on what was before.
    for (const change of current) {
      if (change.kind === 'put') this.#keep(change.resource);
      if (change.kind === 'remove') this.#records.delete(change.address);
    }
    return this.journal.commit(current);
  }

  #current(change: StateChange): StateChange {
    if (change.kind !== 'put' || change.resource.deposed.length === 0) return change;
    const isDeleted = ({ identity }: Deposed): boolean => this.hasDeleted(change.resource.type, identity);
    if (!change.resource.deposed.some(isDeleted)) return change;
    const deposed = change.resource.deposed.filter((old) => !isDeleted(old));
    return { kind: 'put', resource: { ...change.resource, deposed } };
  }

  #keep(record: RecordedResource): void {
    const { address, type, identity, deposed } = record;
    if (deposed.length > 0 || this.#records.has(address)) this.#records.set(address, record);
    this.#added.push([type, identity]);
    for (const old of deposed) this.#added.push([type, old.identity]);
  }
}

/** Whether objects made in this run are visible to what hangs below them: one call finds out, the others wait for it. */
export class NewParents {
  readonly #known = new Set<string>();
  readonly #asking = new Map<string, Promise<void>>();

  /** Calls when all parents are known, or as the one that asks for those that nobody asks for yet. */
  ask<T>(parents: readonly string[], rest: Rest, call: () => Promise<T>): Promise<T> {
    return parents.every((id) => this.#known.has(id)) ? call() : this.#asked(parents, rest, call);
  }

  async #asked<T>(parents: readonly string[], rest: Rest, call: () => Promise<T>): Promise<T> {
    for (;;) {
      const asked = parents.flatMap((id) => this.#asking.get(id) ?? []);
      if (asked.length === 0) break;
      await rest(() => Promise.all(asked));
    }
    const unknown = parents.filter((id) => !this.#known.has(id));
    if (unknown.length === 0) return call();
    let done = (): void => undefined;
    const answer = new Promise<void>((resolve) => (done = resolve));
    // Between the look above and this there is no wait: nobody else asks for any of them.
    for (const id of unknown) this.#asking.set(id, answer);
    try {
      return await call();
    } finally {
      // Whatever it said: the next one need not wait for it, nor for the others.
      for (const id of unknown) {
        this.#asking.delete(id);
        this.#known.add(id);
      }
      done();
    }
  }
}
