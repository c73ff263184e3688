import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { stateDiagnostics } from '@platform-sync/state/diagnose';

/** A call was cut off: somebody stopped the run, or its lease is over. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** What to tell about an error that users can act on (platform, state, lease, Ctrl-C); rethrows what is a bug. */
export function expectedDiagnostics(error: unknown): readonly Diagnostic[] {
  if (isAbort(error))
    return [{ severity: 'error', code: 'interrupted', summary: 'The call was stopped before it ended.' }];
  const diagnostics = error instanceof ProviderError ? error.diagnostics : stateDiagnostics(error);
  if (diagnostics === undefined) throw error;
  return diagnostics;
}
