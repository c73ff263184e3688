import { filePlace, inRepository, lineAddress, type ReviewPlace } from '../view/review-place.js';
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
  return parts.length === 0 ? '' : markup`<p class="facts">${joined(parts, ', ')}.</p>`;
}

/** A place as the repository knows it, a link where there is a page of the line. */
export function sourceHtml(source: string, at: ReviewPlace): Part {
  const place = filePlace(source);
  if (place === undefined) return source;
  const name = `${inRepository(place.file, at)}:${place.line}:${place.column}`;
  const address = lineAddress(place, at);
  return address === undefined ? name : markup`<a href="${address}">${name}</a>`;
}
