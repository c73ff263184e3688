import pLimit from 'p-limit';
import type { Operation } from '../plan/operation.js';

/** How one operation ended. */
export type OperationOutcome = 'done' | 'failed';

export interface WalkOptions {
  /** Operations at work at most. */
  readonly concurrency: number;
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

class Walk {
  readonly #operations: readonly Operation[];
  readonly #options: WalkOptions;
  readonly #limit: (work: () => Promise<void>) => Promise<void>;
  readonly #waitingFor = new Map<string, number>();
  readonly #dependants = new Map<string, Operation[]>();
  readonly #skipped = new Set<string>();
  #open = 0;
  #bug: { readonly error: unknown } | undefined;
  #finish: () => void = () => undefined;

  constructor(operations: readonly Operation[], options: WalkOptions) {
    this.#operations = operations;
    this.#options = options;
    this.#limit = pLimit(options.concurrency);
    const known = new Set(operations.map((operation) => operation.id));
    for (const operation of operations) {
      const needed = operation.dependsOn.filter((id) => known.has(id));
      this.#waitingFor.set(operation.id, needed.length);
      for (const id of needed) this.#dependantsOf(id).push(operation);
    }
  }

  async run(): Promise<void> {
    const ready = this.#operations.filter((operation) => this.#waitingFor.get(operation.id) === 0);
    if (ready.length > 0) {
      await new Promise<void>((resolve) => {
        this.#finish = resolve;
        for (const operation of ready) this.#start(operation);
      });
    }
    if (this.#bug !== undefined) throw this.#bug.error;
  }

  #start(operation: Operation): void {
    this.#open += 1;
    this.#limit(() => this.#turn(operation))
      .catch((error: unknown) => {
        this.#bug ??= { error };
      })
      .finally(() => {
        this.#open -= 1;
        if (this.#open === 0) this.#finish();
      });
  }

  async #turn(operation: Operation): Promise<void> {
    if (this.#options.isStopped() || this.#bug !== undefined) {
      this.#skip(operation, undefined);
      this.#release(operation);
    } else if ((await this.#options.perform(operation)) === 'failed') this.#skipDependants(operation);
    else this.#release(operation);
  }

  #release(operation: Operation): void {
    for (const dependant of this.#dependantsOf(operation.id)) {
      const left = (this.#waitingFor.get(dependant.id) ?? 0) - 1;
      this.#waitingFor.set(dependant.id, left);
      if (left === 0 && !this.#skipped.has(dependant.id)) this.#start(dependant);
    }
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

  #dependantsOf(id: string): Operation[] {
    const list = this.#dependants.get(id) ?? [];
    this.#dependants.set(id, list);
    return list;
  }
}
