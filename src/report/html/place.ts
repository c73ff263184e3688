import { filePlace, inRepository, lineAddress } from '../view/review-place.js';
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

/** A place as the repository knows it, a link where there is a page of the line. */
export function sourceHtml(source: string, at: ReviewPlace): string {
  const place = filePlace(source);
  if (place === undefined) return text(source);
  const name = text(`${inRepository(place.file, at)}:${place.line}:${place.column}`);
  const address = lineAddress(place, at);
  return address === undefined ? name : `<a href="${entities(address)}">${name}</a>`;
}
