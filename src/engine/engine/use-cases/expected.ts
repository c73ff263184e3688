import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { ProviderError } from '@platform-sync/core/model/provider';
import { stateDiagnostics } from '@platform-sync/state/diagnose';

/** What to tell about an error that users can act on (platform, state, lease); rethrows what is a bug. */
export function expectedDiagnostics(error: unknown): readonly Diagnostic[] {
  const diagnostics = error instanceof ProviderError ? error.diagnostics : stateDiagnostics(error);
  if (diagnostics === undefined) throw error;
  return diagnostics;
}
