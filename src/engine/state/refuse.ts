import { DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { StateCode } from '@platform-sync/core/generated/codes';

/** The error of a change that the store will not make; nothing of that change is kept. */
export function refusal(
  code: StateCode,
  summary: string,
  more: { hint?: string; address?: string } = {},
): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...more }]);
}
