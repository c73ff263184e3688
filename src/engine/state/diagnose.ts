import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { LeaseHeldError, LeaseLostError, StateStoreError } from '@platform-sync/core/model/state-store';
import type { StateCode } from '@platform-sync/core/generated/codes';

/** What to tell the user about an error of a state store; undefined for an error that is none of its own. */
export function stateDiagnostics(error: unknown): readonly Diagnostic[] | undefined {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (error instanceof StateStoreError) return [told(`state-${error.code}`, error.message, error.hint)];
  if (error instanceof LeaseHeldError) {
    const { id, seen } = error.holder;
    const hint = `Wait for it (--lock-timeout), or break its lease if it is dead: sync state unlock ${id}`;
    return [{ ...told('state-lease-held', error.message, hint), detail: `last sign of life: ${seen}` }];
  }
  if (error instanceof LeaseLostError) {
    return [told('state-lease-lost', error.message, 'Run the command again: it settles what was under way first.')];
  }
  return undefined;
}

function told(code: StateCode, summary: string, hint: string): Diagnostic {
  return { severity: 'error', code, summary, hint };
}
