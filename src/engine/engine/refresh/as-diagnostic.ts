import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { ProviderError } from '@platform-sync/core/model/provider';

/** The first thing that a failed call has to tell. */
export function asDiagnostic(error: ProviderError): Diagnostic {
  return error.diagnostics[0] ?? { severity: 'error', code: 'platform-error', summary: error.message };
}
