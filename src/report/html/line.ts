import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { Change, Line, Name, Span } from '../document/document.js';
import { inRepository, lineAddress, type FilePlace, type ReviewPlace } from '../view/review-place.js';
import { commandOf, hintLines } from '../words/hint.js';
import { joined, lines as texts, markup, type Html, type Part } from './html.js';

/** What leads where on a page. */
export interface Links {
  readonly at: ReviewPlace;
  /** Key of a change → id of its element. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Change → id of its own element. */
  readonly ids: ReadonlyMap<Change, string>;
}

export function lineHtml(line: Line, links: Links): Html {
  return joined(line.map((span) => spanHtml(span, links)));
}

function spanHtml(span: Span, links: Links): Part {
  if (typeof span === 'string') return span;
  if ('names' in span) return namesHtml(span.such === true ? span.names.slice(0, 1) : span.names, links);
  if ('place' in span) return placeLink(span.place, links.at);
  if ('old' in span) return sidesHtml(span.old ?? '(none)', span.new ?? '(none)');
  if ('strong' in span) return markup`<b>${span.strong}</b>`;
  if ('page' in span)
    return markup`<a href="${span.page.split('/').map(encodeURIComponent).join('/')}">${span.page}</a>`;
  if ('type' in span) return markup`<span class="type">${span.type}</span>`;
  return markup`<code>${Object.values(span).join('')}</code>`;
}

// A wall of names hides what stands below it; one more than these is no reason to fold.
const shownNames = 30;

/** The first of them; the others are there for whoever opens them. */
function namesHtml(names: readonly Name[], links: Links): Html {
  const all = names.map((name) => nameHtml(name, links));
  if (all.length <= shownNames + 1) return joined(all, ', ');
  const others = joined(all.slice(shownNames), ', ');
  return markup`${joined(all.slice(0, shownNames), ', ')} <details class="more"><summary>and ${all.length - shownNames} more</summary>${others}</details>`;
}

/** A resource leads to its change where that is on the page. */
function nameHtml({ address }: Name, { anchors }: Links): Html {
  const anchor = anchors.get(address);
  return anchor === undefined
    ? markup`<code>${address}</code>`
    : markup`<a href="#${anchor}"><code>${address}</code></a>`;
}

// More would end somewhere on the next line.
const mostInline = 60;

/** Both sides of a value, whole; long ones below each other, so that they can be compared. */
export function sidesHtml(old: string | undefined, now: string | undefined): Part {
  const isLong = (old ?? '').length + (now ?? '').length > mostInline;
  const before = old === undefined ? '' : isLong ? markup`<del class="long">${old}</del>` : markup`<del>${old}</del>`;
  const after = now === undefined ? '' : isLong ? markup`<ins class="long">${now}</ins>` : markup`<ins>${now}</ins>`;
  const arrow = before === '' || after === '' ? '' : ' → ';
  return markup`${before}${arrow}${after}`;
}

/** A problem with its place, code, sentence, and what helps. */
/** What can be copied. */
export function copyBlock(lines: readonly string[]): Html {
  return markup`<div class="copy"><pre tabindex="0">${texts(lines)}</pre><button type="button" hidden>Copy</button></div>`;
}

export function problemHtml({ place, address, field, code, summary, detail, hint }: Diagnostic, { at }: Links): Html {
  const subject = address === undefined ? '' : `${address}${field === undefined ? '' : `.${field}`}`;
  const where =
    place !== undefined
      ? markup`<span class="place">${placeLink(place, at)}</span> `
      : subject === ''
        ? ''
        : markup`<b>${subject}</b> `;
  const more = [
    ...(detail === undefined ? [] : [markup`<br>${detail}`]),
    ...(hint === undefined ? [] : hintLines(hint)).map(({ text, isTyped }) =>
      isTyped ? copyBlock([commandOf(text, at.stack)]) : markup`<br>${text}`,
    ),
  ];
  return markup`${where}<code class="tag">${code}</code> ${summary}${more}`;
}

/** The commit and the log of the run, as far as they are known. */
export function placeHtml({ commit, links = {} }: ReviewPlace): Part {
  const anchor = (address: string | undefined, inner: Part): Part =>
    address === undefined ? inner : markup`<a href="${address}">${inner}</a>`;
  const parts = [
    ...(commit === undefined
      ? []
      : [markup`Commit ${anchor(links.commit, markup`<code>${commit.slice(0, 12)}</code>`)}`]),
    ...(links.run === undefined ? [] : [anchor(links.run, 'log of the run')]),
  ];
  return parts.map((part) => markup`<span>${part}</span>`);
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
