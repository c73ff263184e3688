import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftDocument } from '../document/drift.js';
import { documentHtml } from './document.js';

/** A drift check as a page. */
export function driftHtml(result: DriftResult): string {
  return documentHtml(driftDocument(result));
}
