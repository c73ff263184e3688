import { defined } from '../engine/model/defined.js';
import { DiagnosticError } from '../engine/model/diagnostic.js';
import type { SdkCode } from '../generated/codes.js';

/** An error of one sentence. */
export function refuse(code: SdkCode, summary: string, hint?: string): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...defined({ hint }) }]);
}
