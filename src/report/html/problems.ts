import type { Diagnostic } from '../../engine/model/diagnostic.js';
import { placeText } from '../words/diagnostics.js';
import { markup } from './html.js';
import type { Part } from './html.js';

/** A list of problems with place, code, sentence, and what helps; empty when there are none. */
export function problemsHtml(diagnostics: readonly Diagnostic[]): Part {
  const items = diagnostics.map((found) => {
    const place = found.place === undefined ? '' : markup`<span class="place">${placeText(found.place)}</span> `;
    const more = [found.detail, found.hint].filter((part) => part !== undefined).map((part) => markup`<br>${part}`);
    return markup`<li>${place}<code>${found.code}</code> ${found.summary}${more}</li>`;
  });
  return items.length === 0 ? '' : markup`<ul>${items}</ul>`;
}
