import type { DriftHistory, DriftNote } from '../model/drift-history.js';
import type { NewsClaim, TakenNews } from '../model/drift-news.js';
import type { Intent, StackState, StateChange } from '../model/state.js';
import type {
  AcquireOptions,
  Lease,
  LeaseHolder,
  ManagedElsewhere,
  RecordedElsewhere,
  StateStore,
} from '../model/state-store.js';
import type { JsonObject } from '../model/value.js';
import { writeDocument } from './document.js';
import { acquireLease, breakLease, type HeldLeases, type LeaseSlot } from './acquire-lease.js';
import { MemoryStack } from './memory-stack.js';
import { pushed } from './push.js';
import { newStack } from './stack.js';
import { realTiming, type Timing } from './timing.js';

/** Keeps stacks as long as it lives; several stores opened on one see each other's writes and leases. */
export class MemoryDatabase {
  readonly #projects = new Map<string, Map<string, MemoryStack>>();

  stack(project: string, stack: string): MemoryStack {
    const stacks = this.#projects.get(project) ?? new Map<string, MemoryStack>();
    this.#projects.set(project, stacks);
    const found = stacks.get(stack) ?? new MemoryStack(newStack(project, stack));
    stacks.set(stack, found);
    return found;
  }

  all(): readonly MemoryStack[] {
    return [...this.#projects.values()].flatMap((stacks) => [...stacks.values()]);
  }

  stacks(project: string): readonly string[] {
    return [...(this.#projects.get(project)?.keys() ?? [])].sort();
  }
}

/** A StateStore with the meaning of the durable ones and no file: for tests and throw-away runs. */
export function memoryStateStore(
  project: string,
  stack: string,
  database: MemoryDatabase = new MemoryDatabase(),
  timing: Partial<Timing> = {},
): StateStore {
  return new MemoryStateStore(project, stack, database, { ...realTiming, ...timing });
}

class MemoryStateStore implements StateStore {
  readonly location = 'memory';
  readonly #database: MemoryDatabase;
  readonly #project: string;
  readonly #name: string;
  readonly #timing: Timing;
  readonly #held: HeldLeases = new Set();

  constructor(project: string, stack: string, database: MemoryDatabase, timing: Timing) {
    this.#project = project;
    this.#name = stack;
    this.#database = database;
    this.#timing = timing;
  }

  get #stack(): MemoryStack {
    return this.#database.stack(this.#project, this.#name);
  }

  #now(): number {
    return (this.#timing.now ?? Date.now)();
  }

  async read(): Promise<StackState> {
    return this.#stack.snapshot();
  }

  async acquire(purpose: string, options: AcquireOptions): Promise<Lease> {
    return acquireLease(this.#slot(), purpose, options, this.#timing, this.#held);
  }

  async unlock(leaseId: string, options: { readonly now?: boolean } = {}): Promise<boolean> {
    return breakLease(this.#slot(), leaseId, options, this.#timing);
  }

  #slot(): LeaseSlot {
    const { ttlMs } = this.#timing;
    return {
      take: async (request) => this.#stack.take(request, this.#now(), ttlMs),
      beat: async (id) => this.#stack.beat(id, this.#now(), ttlMs),
      revoke: async (id) => this.#stack.revoke(id, this.#now()),
      drop: async (id) => this.#stack.drop(id, this.#now()),
      occupant: async () => this.#stack.holder(this.#now()),
    };
  }

  async holder(): Promise<LeaseHolder | undefined> {
    return this.#stack.holder(this.#now());
  }

  async begin(lease: Lease, intent: Intent): Promise<void> {
    this.#stack.check(lease, this.#now());
    this.#stack.begin(intent);
  }

  async commit(lease: Lease, changes: readonly StateChange[]): Promise<number> {
    this.#stack.check(lease, this.#now());
    return this.#stack.commit(changes);
  }

  async pull(): Promise<string> {
    return writeDocument(this.#stack.snapshot());
  }

  async push(lease: Lease, document: string, options: { readonly force: boolean }): Promise<void> {
    this.#stack.check(lease, this.#now());
    this.#stack.replace(pushed(this.#stack.snapshot(), document, options));
  }

  async driftHistory(): Promise<DriftHistory> {
    return this.#stack.drift.history;
  }

  async noteDrift(note: DriftNote): Promise<number | undefined> {
    return this.#stack.drift.note(note);
  }

  async takeNews(claim: NewsClaim, forMs: number): Promise<TakenNews | undefined> {
    return this.#stack.drift.take(claim, this.#now(), forMs);
  }

  async closeNews(claim: NewsClaim, told: number | undefined): Promise<void> {
    this.#stack.drift.close(claim, told);
  }

  async managedElsewhere(ids: readonly string[]): Promise<readonly ManagedElsewhere[]> {
    const wanted = new Set(ids);
    const others = this.#database.all().filter((stack) => stack !== this.#stack);
    return others.flatMap((other) => {
      const { project, stack, targets, resources } = other.snapshot();
      return [...resources.values()]
        .filter(({ identity }) => wanted.has(identity.id))
        .map(({ address, type, identity }) => ({ project, stack, address, type, identity, targets }));
    });
  }

  async recordedInside(ids: ReadonlySet<string>): Promise<readonly RecordedElsewhere[]> {
    const others = this.#database.all().filter((stack) => stack !== this.#stack);
    return others.flatMap((other) => {
      const { project, stack, targets, resources } = other.snapshot();
      return [...resources.values()]
        .filter(({ identity }) => Object.values(identity.scope).some((id) => ids.has(id)))
        .map((record) => ({ project, stack, record, targets }));
    });
  }

  async outputsOf(stack: string): Promise<JsonObject | undefined> {
    if (!this.#database.stacks(this.#project).includes(stack)) return undefined;
    return this.#database.stack(this.#project, stack).snapshot().outputs;
  }

  async stacks(): Promise<readonly string[]> {
    return this.#database.stacks(this.#project);
  }

  async close(): Promise<void> {
    for (const end of this.#held) end();
  }
}
