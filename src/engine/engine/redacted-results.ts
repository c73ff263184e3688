import type { StepResult } from './api.js';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { Redactor } from '@platform-sync/core/model/redactor';
import { redactedError } from './redacted-provider.js';

/** What of a result may hold a secret. */
interface Redactable {
  readonly diagnostics?: readonly Diagnostic[];
  readonly steps?: readonly StepResult[];
}

/**
 * The one gate of the engine: whatever a use case answers, or throws, passes here. The object itself stays the same one. What is
 * told of a proposal's files stays as it is: it was made of holes, and whoever wrote a guess into them would see it hidden if it
 * is right. What providers say lost its secrets before (`redactedProvider`).
 */
export async function redacted<T extends object>(
  { redactor, isUnderReview }: { readonly redactor: Redactor; readonly isUnderReview: boolean },
  work: Promise<T>,
): Promise<T> {
  try {
    const result: T & Redactable = await work;
    if (isUnderReview) return result;
    // In place: `apply` knows the very object that `plan` gave.
    if (result.diagnostics !== undefined) {
      Object.assign(result, { diagnostics: redactor.diagnostics(result.diagnostics) });
    }
    if (result.steps !== undefined)
      Object.assign(result, { steps: result.steps.map((step) => redactedStep(redactor, step)) });
    return result;
  } catch (error) {
    if (error instanceof DiagnosticError)
      throw isUnderReview ? error : new DiagnosticError(redactor.diagnostics(error.diagnostics));
    throw redactedError(error, redactor);
  }
}

function redactedStep(redactor: Redactor, step: StepResult): StepResult {
  return step.diagnostics === undefined ? step : { ...step, diagnostics: redactor.diagnostics(step.diagnostics) };
}
