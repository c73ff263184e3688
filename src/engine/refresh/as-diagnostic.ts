import type { Diagnostic } from '../model/diagnostic.js';
import type { ProviderError } from '../model/provider.js';

/** The first thing that a failed call has to tell. */
export function asDiagnostic(error: ProviderError): Diagnostic {
  return error.diagnostics[0] ?? { severity: 'error', code: 'platform-error', summary: error.message };
}
