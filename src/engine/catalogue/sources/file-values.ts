import type { MapEntry } from '@platform-sync/core/model/expression';
import type { Entries } from '../read/shape.js';
import type { SourceRange } from '@platform-sync/core/model/diagnostic';

/** What one file of a source says. */
export interface FileValues {
  readonly fields: Entries;
  /** The text of the body, and where it begins. */
  readonly body: MapEntry;
  readonly order?: { readonly value: number; readonly at: SourceRange };
}
