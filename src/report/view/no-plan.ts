import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import { oncePerPlace } from '../words/alike.js';
import { diagnosticCount } from '../words/diagnostics.js';

/** A plan that errors kept from being made: what a reviewer is told in its stead. */
export interface NoPlan {
  /** At least one error. */
  readonly diagnostics: readonly Diagnostic[];
  /** Version of this program, where it is known. */
  readonly engine?: string;
  /** Absent where the project could not even be opened. */
  readonly project?: string;
  readonly stack?: string;
  /** When it became certain that there is none, ISO 8601 UTC. */
  readonly endedAt?: string;
  /** The pipeline's run that was to make it; absent outside of one. */
  readonly pipeline?: Pipeline;
}

export const noPlanTitle = 'No plan';

/** `No plan: 3 errors, 1 warning.` */
export function noPlanSummary({ diagnostics }: NoPlan): string {
  return `${noPlanTitle}: ${diagnosticCount(oncePerPlace(diagnostics))}.`;
}
