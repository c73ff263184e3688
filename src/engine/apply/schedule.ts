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
 * needs a failed one is skipped, the rest goes on.
 */
export async function walkGraph(operations: readonly Operation[], options: WalkOptions): Promise<void> {
  const waitingFor = new Map<string, number>();
  const dependants = new Map<string, Operation[]>();
  const known = new Set(operations.map((operation) => operation.id));
  for (const operation of operations) {
    const needed = operation.dependsOn.filter((id) => known.has(id));
    waitingFor.set(operation.id, needed.length);
    for (const id of needed) {
      const list = dependants.get(id) ?? [];
      list.push(operation);
      dependants.set(id, list);
    }
  }
  const limit = pLimit(options.concurrency);
  const skipped = new Set<string>();
  const skipDependants = (failed: Operation): void => {
    const queue = [failed];
    for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
      for (const dependant of dependants.get(current.id) ?? []) {
        if (skipped.has(dependant.id)) continue;
        skipped.add(dependant.id);
        options.onSkip(dependant, failed);
        queue.push(dependant);
      }
    }
  };
  await new Promise<void>((resolve, reject) => {
    let open = 0;
    const start = (operation: Operation): void => {
      open += 1;
      limit(() => run(operation)).then(() => {
        open -= 1;
        if (open === 0) resolve();
      }, reject);
    };
    const run = async (operation: Operation): Promise<void> => {
      if (options.isStopped()) {
        if (!skipped.has(operation.id)) {
          skipped.add(operation.id);
          options.onSkip(operation, undefined);
        }
        release(operation);
        return;
      }
      const outcome = await options.perform(operation);
      if (outcome === 'failed') skipDependants(operation);
      else release(operation);
    };
    const release = (operation: Operation): void => {
      for (const dependant of dependants.get(operation.id) ?? []) {
        const left = (waitingFor.get(dependant.id) ?? 0) - 1;
        waitingFor.set(dependant.id, left);
        if (left === 0 && !skipped.has(dependant.id)) start(dependant);
      }
    };
    const ready = operations.filter((operation) => waitingFor.get(operation.id) === 0);
    ready.forEach(start);
    if (ready.length === 0) resolve();
  });
}
