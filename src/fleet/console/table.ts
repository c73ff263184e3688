import { markup, type Html, type Part } from '@platform-sync/report/html/html';
import { shortTime } from '@platform-sync/report/words/drift';

/** `2026-01-02 03:04`: every page says once that times are UTC. */
export function moment(iso: string): string {
  return shortTime(iso).replace(' UTC', '');
}

/** A part of a page with how much is in it. */
export function card(id: string, title: string, number: number | undefined, inner: Part): Html {
  return markup`<section class="card" aria-labelledby="ui:${id}"><h2 id="ui:${id}">${title}${number === undefined ? '' : markup` <span class="number">${number}</span>`}</h2>${inner}</section>`;
}

/** Heads without which a value says nothing; where there is no room for a line of heads, the value has its own. */
const needed = new Set([
  'since',
  'last seen',
  'begun',
  'planned',
  'by',
  'written by',
  'commit',
  'took',
  'until',
  'in all',
]);

function isMoment(cell: Part): boolean {
  return typeof cell === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(cell);
}

/** Wide ones are scrolled by hand or by keyboard. */
export function tableHtml(heads: readonly string[], lines: readonly (readonly Part[])[]): Html {
  const head = heads.map((one) => markup`<th scope="col">${one}</th>`);
  const marks = heads.map((one) => (needed.has(one) ? markup` data-head="${one}"` : ''));
  const body = lines.map(
    (cells) =>
      markup`<tr>${cells.map((cell, at) => markup`<td${isMoment(cell) ? markup` class="when"` : ''}${cell === '' ? '' : marks[at]}>${cell}</td>`)}</tr>`,
  );
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${heads.join(', ')}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
