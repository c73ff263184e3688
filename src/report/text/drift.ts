import type { DriftResult } from '@platform-sync/core/model/drift';
import { driftDocument } from '../document/drift.js';
import { documentText } from './document.js';
import type { Style } from './style.js';

/** A drift check for people at a terminal: each finding with its values, then what is no drift, then the verdict. */
export function driftText(result: DriftResult, style: Style): string {
  return documentText(driftDocument(result), { style });
}
