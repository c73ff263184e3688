import type { DriftResult } from '../../engine/model/drift.js';
import { driftDocument } from '../document/drift.js';
import { documentHtml } from './document.js';

/** A drift check as a page. */
export function driftHtml(result: DriftResult): string {
  return documentHtml(driftDocument(result));
}
