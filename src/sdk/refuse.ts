import { defined } from '@platform-sync/core/model/value';
import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { SdkCode } from '@platform-sync/core/generated/codes';

/** An error of one sentence. */
export function refuse(code: SdkCode, summary: string, hint?: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...defined({ hint }) }]);
}
