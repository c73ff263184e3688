import type { FleetRow } from '@platform-sync/core/model/fleet';
import type { History, RunSummary } from '@platform-sync/core/model/run-summary';
import { joined, markup, type Html } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count } from '@platform-sync/report/words/value';
import { rowName, stackPath, stackTabs } from './fleet-view.js';
import { headHtml } from './frame.js';
import { card, moment, tableHtml } from './table.js';

type Place = Pick<FleetRow, 'project' | 'stack'>;

/** Runs, the latest first; each leads to its page. */
export function runsTable(row: Place, runs: readonly RunSummary[]): Html {
  if (runs.length === 0) return markup`<p class="empty">No run is recorded.</p>`;
  const lines = runs.map(({ run, at, command, actor, owner, status, steps }) => [
    markup`<a href="${stackPath(row)}/runs/${run}">${run}</a>`,
    moment(at),
    command,
    actor ?? owner,
    status === undefined
      ? steps === undefined
        ? ''
        : 'no end'
      : markup`<span class="mark ${toneOf(status)}">${status}</span>`,
    steps === undefined || steps.length === 0 ? '' : count(steps.length, 'step'),
  ]);
  return tableHtml(['run', 'begun', 'command', 'by', 'ended', 'steps'], lines);
}

function toneOf(status: string): string {
  return status === 'done' ? 'add' : ['failed', 'partly', 'blocked'].includes(status) ? 'remove' : 'change';
}

/** The last twelve months, each leading to its runs. */
export function monthsHtml(row: Place, now: string): Html {
  const [year = 0, month = 0] = now.slice(0, 7).split('-').map(Number);
  const months = Array.from({ length: 12 }, (_, back) => {
    const nth = year * 12 + month - 1 - back;
    return `${String(Math.floor(nth / 12))}-${String((nth % 12) + 1).padStart(2, '0')}`;
  });
  return joined(
    months.map((one) => markup`<a class="month" href="${stackPath(row)}/history?month=${one}">${one}</a>`),
    ' ',
  );
}

/** Of a history, at once. */
export const shownRuns = 50;

/** What an address chooses of a history. */
interface HistoryChoice {
  /** Runs that changed this resource. */
  readonly address?: string;
  /** `YYYY-MM`: its runs, and those before. */
  readonly month?: string;
  /** `YYYY-MM-DDTHH:MM`: runs before. */
  readonly until?: string;
}

/** Runs of a stack, those of a month or before a moment, or those that changed one resource. */
export function historyPage(
  row: Place,
  runs: readonly RunSummary[],
  { address, month, until, now }: HistoryChoice & { readonly now: string },
): Page {
  const name = rowName(row);
  const what =
    until !== undefined ? ` before ${until.replace('T', ' ')}` : month === undefined ? '' : ` of ${month} and before`;
  const title = `Runs of ${name}${what}`;
  const oldest = runs.at(-1)?.run;
  const query = new URLSearchParams({ ...(address === undefined ? {} : { address }), before: String(oldest ?? '') });
  const more =
    oldest === undefined || runs.length < shownRuns
      ? ''
      : markup`<p><a href="${stackPath(row)}/history?${query.toString()}">Earlier runs</a></p>`;
  return {
    ...{ title, tone: 'changes', skip: 'To the runs' },
    header: headHtml(undefined, title, markup`<a href="${stackPath(row)}">${name}</a>`, stackTabs(row, '/history')),
    main: joined([
      markup`<form class="filters" role="search" aria-label="Choose runs"><label>Resource <input type="search" name="address" value="${address ?? ''}" placeholder="its address"></label><label>Before <input type="datetime-local" name="until" value="${until ?? ''}"></label><button>Show</button></form>`,
      card('runs', 'Runs', runs.length, [runsTable(row, runs), more]),
      markup`<p class="months">Months: ${monthsHtml(row, now)}</p>`,
    ]),
    footer: markup`<p>Times are UTC.</p>`,
  };
}

/** The first run at or after a moment, by halving: rows are in the order of time. Undefined: none. */
export async function runAfter(history: History, moment: string): Promise<number | undefined> {
  const [newest] = await history.runs({ limit: 1 });
  if (newest === undefined || newest.at < moment) return undefined;
  let [low, high] = [0, newest.number];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await history.runs({ after: middle - 1, limit: 1 });
    if (row === undefined || row.at >= moment) high = Math.min(middle, row?.number ?? middle);
    else low = row.number;
  }
  return (await history.runs({ after: high - 1, limit: 1 }))[0]?.run;
}
