import type { StepResult } from './api.js';
import type { Diagnostic } from './model/diagnostic.js';
import { DiagnosticError } from './model/diagnostic.js';
import type { Redactor } from './model/redactor.js';
import { redactedError } from './redacted-provider.js';

interface Told {
  readonly diagnostics?: readonly Diagnostic[];
  readonly steps?: readonly StepResult[];
}

/** The one gate of the engine: whatever a use case tells, or throws, passes here. The object itself stays the same one. */
export async function told<T extends object>(redactor: Redactor, work: Promise<T>): Promise<T> {
  try {
    const result: T & Told = await work;
    // In place: `apply` knows the very object that `plan` gave.
    if (result.diagnostics !== undefined) {
      Object.assign(result, { diagnostics: redactor.diagnostics(result.diagnostics) });
    }
    if (result.steps !== undefined)
      Object.assign(result, { steps: result.steps.map((step) => toldStep(redactor, step)) });
    return result;
  } catch (error) {
    if (error instanceof DiagnosticError) throw new DiagnosticError(redactor.diagnostics(error.diagnostics));
    throw redactedError(error, redactor);
  }
}

function toldStep(redactor: Redactor, step: StepResult): StepResult {
  return step.diagnostics === undefined ? step : { ...step, diagnostics: redactor.diagnostics(step.diagnostics) };
}
