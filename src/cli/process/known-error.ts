import { DiagnosticError, type Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { LeaseHeldError, LeaseLostError, StateStoreError } from '@platform-sync/core/model/state-store';

/** What a known error says; undefined for a bug. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] | undefined {
  if (error instanceof DiagnosticError || error instanceof ProviderError) return error.diagnostics;
  if (error instanceof StateStoreError)
    return [{ severity: 'error', code: `state-${error.code}`, summary: error.message, hint: error.hint }];
  if (error instanceof LeaseLostError) return [{ severity: 'error', code: 'state-lease-lost', summary: error.message }];
  if (error instanceof LeaseHeldError) return [{ severity: 'error', code: 'state-lease-held', summary: error.message }];
  return undefined;
}

/** What a bug is told as where it must be told as a result. */
export const unexpected: Diagnostic = {
  severity: 'error',
  code: 'run-failed',
  summary: 'The program failed with an error of its own.',
  hint: 'The log of the run says more; please report it.',
};
