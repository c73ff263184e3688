import type { FleetRow } from '@platform-sync/core/model/fleet';
import { groupBy } from '@platform-sync/core/model/graph';
import { joined, markup, type Html } from '@platform-sync/report/html/html';
import { count } from '@platform-sync/report/words/value';
import { moment } from './table.js';

/** One line of a list, which stands for all that have its kind and cause. */
interface FoldedRow {
  readonly kind: string;
  readonly cause: string;
  readonly mark: Html;
  readonly since: string | undefined;
  /** By itself, or among others of its cause. */
  readonly html: (isAlone: boolean) => Html;
}

// Fewer are read faster one by one.
const foldedFrom = 3;

/** Rows of one cause as one line: those of one kind stay together, the cause of most of them first. */
export function foldedHtml(rows: readonly FoldedRow[]): Html {
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const groups = [...groupBy(rows, ({ kind, cause }) => `${kind} ${cause}`).values()];
  const size = (group: readonly FoldedRow[]): number => (group.length < foldedFrom ? 1 : group.length);
  const rank = ([first]: readonly FoldedRow[]): number => kinds.indexOf(first?.kind ?? '');
  const sorted = groups.sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
  const items = sorted.flatMap((group) =>
    group.length < foldedFrom ? group.map(({ html }) => markup`<li>${html(true)}</li>`) : [fold(group)],
  );
  return markup`<ul class="stacks">${items}</ul>`;
}

/** Stacks of one cause as one line, the same for all that came of it. */
function fold(rows: readonly FoldedRow[]): Html {
  const [first] = rows;
  if (first === undefined) return markup``;
  const times = rows.flatMap(({ since }) => since ?? []).sort();
  const span = spanText(times[0], times.at(-1));
  const items = rows.map(({ html }) => markup`<li>${html(false)}</li>`);
  return joined([
    markup`<li class="fold"><details><summary>${first.mark}<span><b>${count(rows.length, 'stack')}</b>`,
    markup`<span class="cause">${first.cause}</span></span><small>${span}</small></summary>`,
    markup`<ul class="stacks">${items}</ul></details></li>`,
  ]);
}

/** `2026-01-01 14:02–14:05` */
function spanText(first: string | undefined, last: string | undefined): string {
  if (first === undefined || last === undefined) return '';
  const [from, until] = [moment(first), moment(last)];
  if (from === until) return `since ${from}`;
  return from.slice(0, 10) === until.slice(0, 10) ? `since ${from}–${until.slice(11)}` : `since ${from} – ${until}`;
}

/** Chooses rows by text and owner; `others`: what the address chooses beside. */
export function searchForm(
  path: string,
  all: readonly Pick<FleetRow, 'owners'>[],
  { owner, text }: { readonly owner: string | undefined; readonly text: string | undefined },
  others: Readonly<Record<string, string | undefined>>,
): Html {
  const owners = [...new Set(all.flatMap((row) => row.owners))].sort();
  const options = owners.map((one) => markup`<option${one === owner ? ' selected' : ''}>${one}</option>`);
  const kept = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [markup`<input type="hidden" name="${name}" value="${value}">`],
  );
  const isAny = [owner, text, ...Object.values(others)].some((one) => one !== undefined);
  return joined([
    markup`<form class="filters" role="search" aria-label="Filter the stacks">${kept}`,
    markup`<label>Text <input type="search" name="text" value="${text ?? ''}" placeholder="stack, cause, label:value"></label>`,
    owners.length === 0
      ? ''
      : markup`<label>Owner <select name="owner"><option value="">anybody</option>${options}</select></label>`,
    markup`<button>Filter</button>${isAny ? markup` <a href="${path}">Show all</a>` : ''}</form>`,
  ]);
}
