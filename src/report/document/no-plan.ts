import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Pipeline } from '@platform-sync/core/model/pipeline';
import { defined } from '@platform-sync/core/model/value';
import { diagnosticCount } from '../words/diagnostics.js';
import { oncePerPlace } from '../words/alike.js';
import type { Document } from './document.js';
import { problemSection, untold } from './section.js';

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

const title = 'No plan';

/** What is told of a plan that could not be made. */
export function noPlanDocument({ diagnostics, engine, project, stack }: NoPlan): Document {
  const verdict = `${title}: ${diagnosticCount(oncePerPlace(diagnostics))}`;
  return {
    subject: { what: 'Plan for', ...defined({ project, stack }), targets: {} },
    verdict,
    mark: '⛔',
    tone: 'blocked',
    ending: `${verdict}.`,
    ...untold,
    values: { verdict: 'failed', 'verdict-text': title, summary: `${verdict}.` },
    ...defined({ engine }),
    sections: problemSection(diagnostics),
    made: engine === undefined ? [] : [`made by version ${engine}`],
  };
}
