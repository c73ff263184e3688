import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftDocument, type DriftDocumentOptions } from '../document/drift.js';
import { documentMarkdown, type MarkdownLimits } from './document.js';

/** A drift check as the body of an issue. Times come last: the rest is the same until something changes. */
export function driftMarkdown(result: DriftResult, options: DriftDocumentOptions & MarkdownLimits = {}): string {
  return documentMarkdown(driftDocument(result, options), options);
}
