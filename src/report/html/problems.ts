import type { Diagnostic } from '../../engine/model/diagnostic.js';
import type { ReviewPlace } from '../view/review-place.js';
import { markup, type Part } from './html.js';
import { sourceHtml } from './place.js';

/** A list of problems with place, code, sentence, and what helps; empty when there are none. */
export function problemsHtml(diagnostics: readonly Diagnostic[], at: ReviewPlace): Part {
  const items = diagnostics.map((found) => {
    const place =
      found.place === undefined
        ? ''
        : markup`<span class="place">${sourceHtml(`${found.place.file}:${found.place.line}:${found.place.column}`, at)}</span> `;
    const more = [found.detail, found.hint].filter((part) => part !== undefined).map((part) => markup`<br>${part}`);
    return markup`<li>${place}<code>${found.code}</code> ${found.summary}${more}</li>`;
  });
  return items.length === 0 ? '' : markup`<ul>${items}</ul>`;
}
