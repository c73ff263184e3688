import type { FleetRow } from '@platform-sync/core/model/fleet';
import type { RunEntry } from '@platform-sync/core/model/run';
import { type History, type RunSummary, summaryOf } from '@platform-sync/core/model/run-summary';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count } from '@platform-sync/report/words/value';
import { rowName, stackPath } from './fleet-view.js';
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

/** Runs of a stack, those of a month, or those that changed one resource. */
export function historyPage(
  row: Place,
  runs: readonly RunSummary[],
  { address, month, now }: { readonly address?: string; readonly month?: string; readonly now: string },
): Page {
  const name = rowName(row);
  const what = month === undefined ? '' : ` of ${month} and before`;
  const title = `Runs of ${name}${what}`;
  const oldest = runs.at(-1)?.run;
  const query = new URLSearchParams({ ...(address === undefined ? {} : { address }), before: String(oldest ?? '') });
  const more =
    oldest === undefined ? '' : markup`<p><a href="${stackPath(row)}/history?${query.toString()}">Earlier runs</a></p>`;
  return {
    ...{ title, tone: 'changes', skip: 'To the runs' },
    header: headHtml('changes', title, markup`<a href="${stackPath(row)}">${name}</a>`),
    main: joined([
      markup`<form class="filters" role="search" aria-label="Choose runs"><label>Resource <input type="search" name="address" value="${address ?? ''}" placeholder="its address"></label><button>Show</button></form>`,
      card('runs', 'Runs', runs.length, [runsTable(row, runs), more]),
      markup`<p>Months: ${monthsHtml(row, now)}</p>`,
    ]),
    footer: markup`<p>Times are UTC.</p>`,
  };
}

/** One run: who, when, why, and what became of each step and of each record. */
export function runPage(row: Place, rows: readonly RunEntry[]): Page {
  const summary = summaryOf(rows);
  const plan = rows.flatMap(({ content }) => (content.kind === 'plan' ? [content] : []))[0];
  const end = rows.flatMap(({ content }) => (content.kind === 'end' ? [content] : []))[0];
  const ended = end?.status ?? (plan === undefined ? 'recorded' : 'no end');
  const title = `Run ${String(rows[0]?.run ?? 0)}: ${summary?.command ?? 'run'}, ${ended}`;
  const tone = end === undefined ? 'incomplete' : end.status === 'done' ? 'clean' : 'blocked';
  const results = new Map(end?.steps.map((step) => [step.address, step]));
  const steps = (plan?.steps ?? []).map(({ address, action, fields }) => {
    const result = results.get(address);
    const why = result?.diagnostics?.[0]?.summary ?? result?.because ?? '';
    const outcome = result?.outcome ?? 'unknown';
    return [
      markup`<span class="mark ${outcome === 'done' ? 'add' : outcome === 'failed' ? 'remove' : 'change'}">${outcome}</span>`,
      action,
      addressHtml(row, address),
      fields.join(', '),
      result?.durationMs === undefined ? '' : `${String(Math.round(result.durationMs))} ms`,
      why,
    ];
  });
  const rules = (plan?.policies?.found ?? []).map(({ level, summary: words, lifted }) => [level, words, lifted ?? '']);
  const lifted = (plan?.lifted ?? []).map(({ guard, reason }) => [guard, reason]);
  const timeLine = rows.map((entry) => [timeOf(entry.at), ...happened(row, entry)]);
  return {
    ...{ title, tone, skip: 'To the steps' },
    header: headHtml(
      tone,
      title,
      markup`<a href="${stackPath(row)}">${rowName(row)}</a>`,
      runFacts(summary, end?.requests),
    ),
    main: joined(
      [
        lifted.length === 0
          ? ''
          : card('lifted', 'Guards lifted', lifted.length, tableHtml(['guard', 'reason'], lifted)),
        rules.length === 0 ? '' : card('rules', 'Policy', rules.length, tableHtml(['level', 'what', 'lifted'], rules)),
        card(
          ...(['steps', 'Steps', steps.length] as const),
          steps.length === 0
            ? markup`<p class="empty">It had no steps.</p>`
            : tableHtml(['outcome', 'action', 'resource', 'fields', 'took', 'why'], steps),
        ),
        card('time', 'Time line', timeLine.length, tableHtml(['at', 'what', 'resource'], timeLine)),
      ],
      '\n',
    ),
    footer: markup`<p>Times are UTC. Every row is bound to the one before it: <code>sync history verify</code> finds one that was changed.</p>`,
  };
}

function runFacts(summary: RunSummary | undefined, requests: number | undefined): Html {
  if (summary === undefined) return markup``;
  const { at, actor, owner, pipeline, request, effectDigest, mode } = summary;
  const facts: readonly Part[] = [
    `begun ${moment(at)}`,
    `by ${actor === undefined ? owner : `${actor} (${owner})`}`,
    mode === undefined || mode === 'apply' ? '' : mode,
    pipeline?.commit === undefined ? '' : markup`commit <code>${pipeline.commit.slice(0, 12)}</code>`,
    request === undefined ? '' : `request ${String(request)}`,
    effectDigest === undefined ? '' : markup`effect <code>${effectDigest.slice(0, 12)}</code>`,
    requests === undefined ? '' : count(requests, 'request'),
  ];
  return markup`<div class="meta">${facts.filter((one) => one !== '').map((one) => markup`<span>${one}</span>`)}</div>`;
}

/** Leads to all runs that changed it. */
function addressHtml(row: Place, address: string): Html {
  const query = new URLSearchParams({ address }).toString();
  return markup`<a href="${stackPath(row)}/history?${query}"><code>${address}</code></a>`;
}

function timeOf(iso: string): string {
  return iso.slice(11, 23);
}

function happened(row: Place, { address, content }: RunEntry): readonly [what: Part, resource: Part] {
  const resource = address === undefined ? '' : addressHtml(row, address);
  switch (content.kind) {
    case 'begin':
      return [`${content.command} begins`, ''];
    case 'plan':
      return [`${count(content.steps.length, 'step')} to do`, ''];
    case 'end':
      return [`ends: ${content.status}`, ''];
    case 'record':
      return [
        content.removed === true ? 'record removed' : content.before === null ? 'record made' : 'record changed',
        resource,
      ];
    case 'move':
      return [`came from ${content.from}`, resource];
    case 'freeze':
      return [`frozen: ${content.reason}`, ''];
    case 'thaw':
      return ['thawed', ''];
    case 'replace':
      return ['the whole state was replaced', ''];
    case 'checkpoint':
      return ['older rows were dropped', ''];
  }
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
