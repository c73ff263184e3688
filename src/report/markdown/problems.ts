import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import { code, prose } from './escape.js';
import { lineLink } from './place.js';
import type { ReviewPlace } from '../view/review-place.js';

/** A problem on one line: its place, its code, its sentence, and what helps. */
export function problemText(found: Diagnostic, at: ReviewPlace): string {
  const subject = found.field === undefined ? found.address : `${found.address ?? ''}.${found.field}`;
  const where = found.place !== undefined ? lineLink(found.place, at) : subject === undefined ? '' : code(subject);
  const word = found.severity === 'error' ? '' : `${found.severity === 'info' ? 'note' : 'warning'}: `;
  const detail = found.detail === undefined ? '' : ` ${prose(found.detail.split('\n').join(' '), 300)}`;
  const hint = found.hint === undefined ? '' : ` (${prose(found.hint, 200)})`;
  return `${where === '' ? '' : `${where} `}${code(found.code)} ${word}${prose(found.summary, 400)}${detail}${hint}`;
}
