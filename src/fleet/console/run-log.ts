import type { Address } from '@platform-sync/core/model/address';
import type { FleetRow } from '@platform-sync/core/model/fleet';
import type { StepResult } from '@platform-sync/core/model/results';
import type { RunContent, RunEnd, RunEntry } from '@platform-sync/core/model/run';
import { markup, type Html, type Part } from '@platform-sync/report/html/html';
import { visible } from '@platform-sync/report/words/escape';
import { count } from '@platform-sync/report/words/value';
import { stackPath } from './fleet-view.js';
import { card, tableHtml } from './table.js';

type Place = Pick<FleetRow, 'project' | 'stack'>;

const mostMessages = 50;

/** What it said, troubles first: as whoever watched it has read it. */
export function messagesCard(row: Place, end: RunEnd | undefined): Part {
  const { messages = [], steps = [] } = end ?? {};
  // Of a version that did not keep them, the history has the first words of each.
  const kept =
    messages.length > 0
      ? messages
      : steps.flatMap(({ address, diagnostics = [] }) => diagnostics.map((each) => ({ ...each, address })));
  const severities = ['error', 'warning', 'info'] as const;
  const sorted = severities.flatMap((severity) => kept.filter((one) => one.severity === severity));
  if (sorted.length === 0) return '';
  const shown = sorted.slice(0, mostMessages).map(({ severity, summary, detail, hint, address }) => {
    const of = address === undefined ? '' : markup`${addressHtml(row, address)} `;
    const more = [detail, hint].flatMap((text) => (text === undefined ? [] : [markup`<p>${visible(text)}</p>`]));
    return markup`<li><span class="mark ${severity === 'error' ? 'remove' : 'change'}">${severity}</span> ${of}${visible(summary)}${more}</li>`;
  });
  const id = sorted.some(({ severity }) => severity === 'error') ? 'failed' : 'said-so';
  return markup`<section class="card" id="ui:${id}" aria-labelledby="ui:messages"><h2 id="ui:messages">What it said <span class="number">${sorted.length}</span></h2><ul class="plain">${shown}</ul></section>\n`;
}

/** Rows of a run's log, with what is known of its steps. */
interface LogFacts {
  readonly row: Place;
  readonly log: readonly RunEntry[];
  readonly results: ReadonlyMap<Address, StepResult>;
  /** Leads to the rows after these; undefined: there are none. */
  readonly later: string | undefined;
}

/** Row after row, as they were written. */
export function logCard({ row, log, results, later }: LogFacts): Html {
  const lines = log.map((entry) => [timeOf(entry.at), ...happened(row, entry, results)]);
  return card('log', 'Log', undefined, [
    lines.length === 0
      ? markup`<p class="empty">Nothing more was written.</p>`
      : tableHtml(['at', 'what', 'resource'], lines),
    later === undefined ? '' : markup`<p><a href="${later}#ui:log">Later rows</a></p>`,
  ]);
}

/** Leads to all runs that changed it. */
export function addressHtml(row: Place, address: string): Html {
  const query = new URLSearchParams({ address }).toString();
  return markup`<a href="${stackPath(row)}/history?${query}"><code>${address}</code></a>`;
}

/** `create done, id 7, 40 ms`; of a record that no step of the run tells of, what became of it. */
function recordWords(
  { removed, before }: Extract<RunContent, { readonly kind: 'record' }>,
  result: StepResult | undefined,
): string {
  if (result?.outcome !== 'done')
    return removed === true ? 'record removed' : before === null ? 'record made' : 'record changed';
  const { action, id, durationMs } = result;
  const parts = [
    `${action} done`,
    id === undefined ? '' : `id ${id}`,
    durationMs === undefined ? '' : timeText(durationMs),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `40 ms`, `2.5 s`, `3 min` */
export function timeText(ms: number): string {
  if (ms < 1_000) return `${String(Math.round(ms))} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${String(Math.round(ms / 60_000))} min`;
}

function timeOf(iso: string): string {
  return iso.slice(11, 23);
}

function happened(
  row: Place,
  { address, content }: RunEntry,
  results: LogFacts['results'],
): readonly [what: Part, resource: Part] {
  const resource = address === undefined ? '' : addressHtml(row, address);
  switch (content.kind) {
    case 'begin':
      return [`${content.command} begins`, ''];
    case 'plan':
      return [`${count(content.steps.length, 'step')} to do`, ''];
    case 'end':
      return [`ends: ${content.status}`, ''];
    case 'record':
      return [recordWords(content, address === undefined ? undefined : results.get(address)), resource];
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
