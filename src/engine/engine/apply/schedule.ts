import type { Operation } from '../plan/step.js';
import type { Slots } from './slots.js';

/** How one operation ended. */
export type OperationOutcome = 'done' | 'failed';

interface WalkOptions {
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
  #bug: { readonly error: unknown } | undefined;

  constructor(operations: readonly Operation[], options: WalkOptions) {
    this.#operations = operations;
    this.#options = options;
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
    await this.#all(this.#operations.filter(({ id }) => this.#waitingFor.get(id) === 0));
    if (this.#bug !== undefined) throw this.#bug.error;
  }

  async #all(ready: readonly Operation[]): Promise<void> {
    await Promise.all(
      ready.map(async (operation) => this.#all(await this.#options.slots.take(() => this.#turn(operation)))),
    );
  }

  /** Carries one out, and says which others wait for nothing any more. */
  async #turn(operation: Operation): Promise<readonly Operation[]> {
    try {
      if (this.#options.isStopped() || this.#bug !== undefined) this.#skip(operation, undefined);
      else if ((await this.#options.perform(operation)) === 'failed') {
        this.#skipDependants(operation);
        return none;
      }
      return this.#releasedBy(operation);
    } catch (error) {
      this.#bug ??= { error };
      return none;
    }
  }

  #releasedBy(operation: Operation): readonly Operation[] {
    return this.#dependantsOf(operation.id).filter((dependant) => {
      const left = (this.#waitingFor.get(dependant.id) ?? 0) - 1;
      this.#waitingFor.set(dependant.id, left);
      return left === 0 && !this.#skipped.has(dependant.id);
    });
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
