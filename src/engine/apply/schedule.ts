import type { Operation } from '../plan/operation.js';
import type { Slots } from './slots.js';

/** How one operation ended. */
export type OperationOutcome = 'done' | 'failed';

export interface WalkOptions {
  readonly slots: Slots;
  /** Asked before each start: true = start nothing new. */
  readonly isStopped: () => boolean;
  readonly perform: (operation: Operation) => Promise<OperationOutcome>;
  /** `because`: the failed operation it needs, or undefined when the run was stopped. */
  readonly onSkip: (operation: Operation, because: Operation | undefined) => void;
}

/**
 * Walks the graph: an operation starts as soon as those it needs are done, with no barriers between levels. What
 * needs a failed one is skipped, the rest goes on. When `perform` throws (a bug), nothing new is started, and the
 * error comes out once everything in flight has ended.
 */
export function walkGraph(operations: readonly Operation[], options: WalkOptions): Promise<void> {
  return new Walk(operations, options).run();
}

const none: readonly Operation[] = [];

class Walk {
  readonly #operations: readonly Operation[];
  readonly #options: WalkOptions;
  readonly #waitingFor = new Map<string, number>();
  readonly #dependants = new Map<string, Operation[]>();
  readonly #skipped = new Set<string>();
  /** In the order they became ready; those before `#next` have been started. */
  readonly #ready: Operation[] = [];
  #next = 0;
  #isFilling = false;
  #open = 0;
  #bug: { readonly error: unknown } | undefined;
  #finish: () => void = () => undefined;

  constructor(operations: readonly Operation[], options: WalkOptions) {
    this.#operations = operations;
    this.#options = options;
    options.slots.whenFree(() => this.#fill());
    const known = new Set(operations.map((operation) => operation.id));
    for (const operation of operations) {
      const needed = operation.dependsOn.filter((id) => known.has(id));
      this.#waitingFor.set(operation.id, needed.length);
      for (const id of needed) {
        const dependants = this.#dependants.get(id);
        if (dependants === undefined) this.#dependants.set(id, [operation]);
        else dependants.push(operation);
      }
    }
  }

  async run(): Promise<void> {
    const ready = this.#operations.filter((operation) => this.#waitingFor.get(operation.id) === 0);
    if (ready.length > 0) {
      await new Promise<void>((resolve) => {
        this.#finish = resolve;
        for (const operation of ready) this.#ready.push(operation);
        this.#fill();
      });
    }
    if (this.#bug !== undefined) throw this.#bug.error;
  }

  /** Starts what is ready as long as there is a place. */
  #fill(): void {
    // What a start brings about is seen by the loop that is at it: a long chain must not become a deep stack.
    if (this.#isFilling) return;
    this.#isFilling = true;
    for (let next = this.#ready[this.#next]; next !== undefined; next = this.#ready[this.#next]) {
      if (!this.#options.slots.take()) break;
      this.#next += 1;
      void this.#turn(next);
    }
    this.#isFilling = false;
  }

  async #turn(operation: Operation): Promise<void> {
    this.#open += 1;
    try {
      if (this.#options.isStopped() || this.#bug !== undefined) {
        this.#skip(operation, undefined);
        this.#release(operation);
      } else if ((await this.#options.perform(operation)) === 'failed') this.#skipDependants(operation);
      else this.#release(operation);
    } catch (error) {
      this.#bug ??= { error };
    }
    this.#open -= 1;
    this.#options.slots.leave();
    if (this.#open === 0 && this.#next === this.#ready.length) this.#finish();
  }

  #release(operation: Operation): void {
    for (const dependant of this.#dependantsOf(operation.id)) {
      const left = (this.#waitingFor.get(dependant.id) ?? 0) - 1;
      this.#waitingFor.set(dependant.id, left);
      if (left === 0 && !this.#skipped.has(dependant.id)) this.#ready.push(dependant);
    }
    this.#fill();
  }

  #skipDependants(failed: Operation): void {
    const queue = [failed];
    for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
      for (const dependant of this.#dependantsOf(current.id)) {
        if (this.#skip(dependant, failed)) queue.push(dependant);
      }
    }
  }

  #skip(operation: Operation, because: Operation | undefined): boolean {
    if (this.#skipped.has(operation.id)) return false;
    this.#skipped.add(operation.id);
    this.#options.onSkip(operation, because);
    return true;
  }

  #dependantsOf(id: string): readonly Operation[] {
    return this.#dependants.get(id) ?? none;
  }
}
