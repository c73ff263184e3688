import type { ReviewPlace } from '../view/review-place.js';
import { entities, text } from './escape.js';

/** `Commit 0123456789ab, log of the run.` as a paragraph; empty where neither is known. */
export function placeHtml({ commit, links = {} }: ReviewPlace): string {
  const anchor = (address: string | undefined, inner: string): string =>
    address === undefined ? inner : `<a href="${entities(address)}">${inner}</a>`;
  const parts = [
    ...(commit === undefined ? [] : [`Commit ${anchor(links.commit, `<code>${text(commit.slice(0, 12))}</code>`)}`]),
    ...(links.run === undefined ? [] : [anchor(links.run, 'log of the run')]),
  ];
  return parts.length === 0 ? '' : `<p class="facts">${parts.join(', ')}.</p>`;
}
