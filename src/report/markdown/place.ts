import { code } from './escape.js';
import { inRepository, lineAddress, type FilePlace, type ReviewPlace } from '../view/review-place.js';

/** `[catalogue/pets.yaml:3](…)`, or the place alone where there is nothing to link to. */
export function lineLink(place: FilePlace, at: ReviewPlace, asCode = code): string {
  const file = inRepository(place.file, at);
  const name = asCode(`${file}:${place.line}`);
  return fileLink(name, place, at);
}

/** A link to the line, where there is a page of it; the text is Markdown already. */
export function fileLink(markdown: string, place: FilePlace, at: ReviewPlace): string {
  const address = lineAddress(place, at);
  return address === undefined ? markdown : `[${markdown}](${address})`;
}

/** ``Commit [`0123456789ab`](…), [log of the run](…).`` Empty where neither is known. */
export function placeLine({ commit, links = {} }: ReviewPlace): string {
  const short = commit === undefined ? undefined : code(commit.slice(0, 12));
  const parts = [
    ...(short === undefined ? [] : [`Commit ${links.commit === undefined ? short : `[${short}](${links.commit})`}`]),
    ...(links.run === undefined ? [] : [`[log of the run](${links.run})`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')}.\n\n`;
}
