import type { StepResult } from './api.js';
import { type Diagnostic, DiagnosticError } from '@platform-sync/core/model/diagnostic';
import type { Redactor } from '@platform-sync/core/model/redactor';
import { redactedError } from './redacted-provider.js';

/** What of a result may hold a secret. */
interface Redactable {
  readonly diagnostics?: readonly Diagnostic[];
  readonly steps?: readonly StepResult[];
}

/** Whose words they are: what is told of a project's files is made of no secret, and stays as it was written. */
interface Speaker {
  readonly redactor: Redactor;
  readonly isUnderReview: boolean;
  /** Diagnostics that the catalogue alone gave. */
  readonly ofFiles: WeakSet<Diagnostic>;
  /** Part of an address of the catalogue, which is never a secret. */
  readonly isInAddress: (text: string) => boolean;
}

/**
 * The one gate of the engine: whatever a use case answers, or throws, passes here. The object itself stays the same one. Words of
 * the files stay: whoever wrote a guess into them would see it hidden if it is right. Of a proposal all words count as those of its
 * files; what providers say lost its secrets before (`redactedProvider`).
 */
export async function redacted<T extends object>(speaker: Speaker, work: Promise<T>): Promise<T> {
  const { redactor, isUnderReview, ofFiles, isInAddress } = speaker;
  try {
    const result: T & Redactable = await work;
    if (isUnderReview) return result;
    // In place: `apply` knows the very object that `plan` gave.
    if (result.diagnostics !== undefined) {
      const told = result.diagnostics.map((each) =>
        ofFiles.has(each) ? each : redactor.diagnostic(each, isInAddress),
      );
      Object.assign(result, { diagnostics: told });
    }
    if (result.steps !== undefined)
      Object.assign(result, { steps: result.steps.map((step) => redactedStep(speaker, step)) });
    return result;
  } catch (error) {
    if (error instanceof DiagnosticError)
      throw isUnderReview ? error : new DiagnosticError(redactor.diagnostics(error.diagnostics, isInAddress));
    throw redactedError(error, redactor);
  }
}

function redactedStep({ redactor, isInAddress }: Speaker, step: StepResult): StepResult {
  const { diagnostics } = step;
  return diagnostics === undefined ? step : { ...step, diagnostics: redactor.diagnostics(diagnostics, isInAddress) };
}
