import { inRepository, lineAddress, type FilePlace, type ReviewPlace } from '../view/review-place.js';
import { joined, markup, type Part } from './html.js';

/** `Commit 0123456789ab, log of the run.` as a paragraph; empty where neither is known. */
export function placeHtml({ commit, links = {} }: ReviewPlace): Part {
  const anchor = (address: string | undefined, inner: Part): Part =>
    address === undefined ? inner : markup`<a href="${address}">${inner}</a>`;
  const parts = [
    ...(commit === undefined
      ? []
      : [markup`Commit ${anchor(links.commit, markup`<code>${commit.slice(0, 12)}</code>`)}`]),
    ...(links.run === undefined ? [] : [anchor(links.run, 'log of the run')]),
  ];
  return parts.length === 0 ? '' : markup`<p class="fact">${joined(parts, ', ')}.</p>`;
}

/** A place as the repository knows it. */
export function placeName(place: FilePlace, at: ReviewPlace): string {
  return `${inRepository(place.file, at)}:${place.line}:${place.column}`;
}

/** The same, a link where there is a page of the line. */
export function placeLink(place: FilePlace, at: ReviewPlace): Part {
  const name = placeName(place, at);
  const address = lineAddress(place, at);
  return address === undefined ? name : markup`<a href="${address}">${name}</a>`;
}
