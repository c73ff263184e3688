import type { Diagnostic } from '../../engine/model/diagnostic.js';
import { placeText } from '../words/diagnostics.js';
import { text } from './escape.js';

/** A list of problems with place, code, sentence, and what helps; empty when there are none. */
export function problemsHtml(diagnostics: readonly Diagnostic[]): string {
  const items = diagnostics.map((found) => {
    const place = found.place === undefined ? '' : `<span class="place">${text(placeText(found.place))}</span> `;
    const more = [found.detail, found.hint].filter((part) => part !== undefined).map((part) => `<br>${text(part)}`);
    return `<li>${place}<code>${text(found.code)}</code> ${text(found.summary)}${more.join('')}</li>`;
  });
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}
