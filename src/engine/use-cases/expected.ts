import type { Diagnostic } from '../model/diagnostic.js';
import { ProviderError } from '../model/provider.js';
import { stateDiagnostics } from '../state/diagnose.js';

/** What to tell about an error that users can act on (platform, state, lease); rethrows what is a bug. */
export function expectedDiagnostics(error: unknown): readonly Diagnostic[] {
  const diagnostics = error instanceof ProviderError ? error.diagnostics : stateDiagnostics(error);
  if (diagnostics === undefined) throw error;
  return diagnostics;
}
