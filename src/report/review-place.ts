import { posix } from 'node:path';
import { code, html } from './markdown-escape.js';
import { visible } from './escape.js';

/** Where readers on a review platform are, and where what a text is about is found for them. */
export interface ReviewPlace {
  /** Folder of sync.yaml inside its repository, forward slashes; empty: its root. */
  readonly folder?: string;
  /** Full hash of the commit the text is about. */
  readonly commit?: string;
  /** Addresses of pages: of the commit, of the run, and of the commit's files (with a slash at the end). */
  readonly links?: { readonly commit?: string; readonly run?: string; readonly files?: string };
}

/** A place in a file. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** `file:line:column`; the file's name may hold colons itself. */
export function filePlace(text: string | undefined): FilePlace | undefined {
  const match = /^(.+):(\d+):(\d+)$/s.exec(text ?? '');
  if (match?.[1] === undefined) return undefined;
  return { file: match[1], line: Math.max(1, Number(match[2])), column: Math.max(1, Number(match[3])) };
}

/** The file as the repository knows it: tools and readers know nothing of the folder of sync.yaml. */
export function inRepository(file: string, { folder = '' }: ReviewPlace): string {
  return folder === '' ? file : posix.join(folder, file);
}

/** `[catalogue/pets.yaml:3](…)`, or the place alone where there is nothing to link to. */
export function lineLink(place: FilePlace, at: ReviewPlace): string {
  const file = inRepository(place.file, at);
  const name = code(`${file}:${place.line}`);
  return at.links?.files === undefined ? name : fileLink(name, place, at);
}

/** A link to the line; the text is Markdown already. */
export function fileLink(markdown: string, place: FilePlace, at: ReviewPlace): string {
  return `[${markdown}](${at.links?.files ?? ''}${pathInAddress(inRepository(place.file, at))}#L${place.line})`;
}

/** Nothing in a file's name ends the link or leaves the repository. */
function pathInAddress(file: string): string {
  return file
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) =>
      encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(
        /[!'()*]/g,
        (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/');
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

/** The same for a page. */
export function placeHtml({ commit, links = {} }: ReviewPlace): string {
  const anchor = (address: string | undefined, text: string): string =>
    address === undefined ? text : `<a href="${html(address)}">${text}</a>`;
  const parts = [
    ...(commit === undefined
      ? []
      : [`Commit ${anchor(links.commit, `<code>${html(visible(commit.slice(0, 12)))}</code>`)}`]),
    ...(links.run === undefined ? [] : [anchor(links.run, 'log of the run')]),
  ];
  return parts.length === 0 ? '' : `<p class="facts">${parts.join(', ')}.</p>`;
}
