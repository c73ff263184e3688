import type { Place, Severity } from '@platform-sync/core/model/diagnostic';
import type { SpecificationCode } from '@platform-sync/core/generated/codes';
import type { SpecificationText } from './text.js';

/** Something that is wrong with a specification. */
export interface Flaw {
  readonly code: SpecificationCode;
  readonly severity: Severity;
  /** The rest of a sentence about the text: `is empty`. */
  readonly what: string;
  readonly detail?: string;
  readonly hint?: string;
  /** In the text that is wrong, which may be another file than the specification. */
  readonly place: Place;
  readonly document: SpecificationText;
  /** Names on the way to what is wrong. */
  readonly path: readonly string[];
}
