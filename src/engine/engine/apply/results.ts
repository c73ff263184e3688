import type { StepResult } from '../api.js';
import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Action } from '@platform-sync/core/model/plan';
import type { Operation, OperationKind } from '../plan/step.js';

/** What stands when only the first operation of a step was carried out. */
const halfWay: Partial<Record<OperationKind, string>> = {
  delete: 'The old object is deleted; the new one is not there yet.',
  create: 'The new object is there; the old one still exists beside it.',
  park: 'The object carries a passing name.',
};

/** How the steps of a run ended. A step is one operation or two; it is only done when all of it is. */
export class StepResults {
  readonly #results = new Map<Address, StepResult>();
  readonly #wentWell = new Map<Address, OperationKind>();

  done(operation: Operation, action: Action, id: string | undefined, durationMs: number): void {
    const { address } = operation;
    this.#wentWell.set(address, operation.kind);
    const before = this.#results.get(address);
    if (before !== undefined && before.outcome !== 'done') {
      // The other half was given up while this one was under way: what stands now is told all the same.
      const left = this.#leftHalfWay(address);
      const { diagnostics = [] } = before;
      if (left.length > 0) this.#results.set(address, { ...before, diagnostics: [...diagnostics, ...left] });
      return;
    }
    this.#results.set(address, {
      address,
      action,
      outcome: 'done',
      durationMs: durationMs + (before?.durationMs ?? 0),
      ...idOf(operation.kind === 'delete-old' ? (before?.id ?? id) : id),
    });
  }

  failed(operation: Operation, action: Action, diagnostics: readonly Diagnostic[]): void {
    const { address } = operation;
    const all = [...diagnostics, ...this.#leftHalfWay(address)];
    this.#results.set(address, { address, action, outcome: 'failed', diagnostics: all });
  }

  /** A failed step stays one, whatever else of it was left out. */
  skipped(operation: Operation, action: Action, because: string): void {
    const { address } = operation;
    const before = this.#results.get(address);
    if (before?.outcome === 'failed' || before?.outcome === 'skipped') return;
    const diagnostics = this.#leftHalfWay(address);
    this.#results.set(address, {
      address,
      action,
      outcome: 'skipped',
      because,
      ...(diagnostics.length === 0 ? {} : { diagnostics }),
    });
  }

  /** What a step that needs this one waits for: this one, or whatever kept this one from being started. */
  whyNot(address: Address | undefined): string | undefined {
    const result = address === undefined ? undefined : this.#results.get(address);
    return result?.outcome === 'skipped' ? result.because : address;
  }

  has(address: Address): boolean {
    return this.#results.has(address);
  }

  /** True when anything at all was carried out. */
  get wroteSomething(): boolean {
    return this.#wentWell.size > 0;
  }

  all(): readonly StepResult[] {
    return [...this.#results.values()];
  }

  count(outcome: StepResult['outcome']): number {
    return this.all().filter((result) => result.outcome === outcome).length;
  }

  #leftHalfWay(address: Address): readonly Diagnostic[] {
    const kind = this.#wentWell.get(address);
    const summary = kind === undefined ? undefined : halfWay[kind];
    if (summary === undefined) return [];
    return [{ severity: 'warning', code: 'half-done', summary, hint: 'Run apply again: it does the rest.', address }];
  }
}

function idOf(id: string | undefined): { readonly id?: string } {
  return id === undefined ? {} : { id };
}
