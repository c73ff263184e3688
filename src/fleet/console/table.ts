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

/** Moments, names and numbers that say nothing without their head. */
const facts = ['since', 'last seen', 'begun', 'planned', 'by', 'written by', 'commit', 'took', 'until', 'in all'];

/** Where there is no room for a line of heads, these values have their own. */
const needed = new Set([...facts, 'effect', 'branch', 'catalogue', 'platform']);

/** Heads of values that stand in one line. */
const short = new Set([
  ...facts,
  ...['no.', 'at', 'act', 'run', 'outcome', 'action', 'severity', 'how', 'ended', 'steps', 'verb'],
]);

const longestWord = 32;

function classOf(head: string, cell: Part): Part {
  const isLong = typeof cell === 'string' && cell.split(' ').some((word) => word.length > longestWord);
  if (isLong) return markup` class="long"`;
  return short.has(head) ? markup` class="when"` : '';
}

/** Wide ones are scrolled by hand or by keyboard. Columns that say nothing are left out. */
export function tableHtml(heads: readonly string[], lines: readonly (readonly Part[])[]): Html {
  const columns = heads.map((_, at) => at).filter((at) => lines.some((cells) => (cells[at] ?? '') !== ''));
  const told = columns.map((at) => heads[at] ?? '');
  const head = told.map((one) => markup`<th scope="col">${one}</th>`);
  const cellOf = (cell: Part, name: string): Html => {
    const own = cell !== '' && needed.has(name) ? markup` data-head="${name}"` : '';
    return markup`<td${classOf(name, cell)}${own}>${cell}</td>`;
  };
  const body = lines.map((cells) => markup`<tr>${columns.map((at) => cellOf(cells[at] ?? '', heads[at] ?? ''))}</tr>`);
  return markup`<div class="wide" tabindex="0" role="region" aria-label="${told.join(', ')}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
