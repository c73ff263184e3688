import { compareText } from '@platform-sync/core/model/address';
import type { FleetStack } from '@platform-sync/core/model/console';
import { groupBy } from '@platform-sync/core/model/graph';
import { type FleetRow, type QueuedJob, stackStates } from '@platform-sync/core/model/fleet';
import { defined } from '@platform-sync/core/model/value';
import { stackLooks } from '@platform-sync/report/document/fleet';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count } from '@platform-sync/report/words/value';
import type { KeptPlan, RememberedStack } from '@platform-sync/state/fleet-record';
import { standing } from '../standing.js';
import { headHtml } from './frame.js';
import type { AuditCheck, AuditRow } from './store.js';
import { card, moment, tableHtml } from './table.js';

/** How a stack stands, and what is being done with it. */
export interface Standing extends FleetRow {
  /** `plan runs, check waits` */
  readonly busy?: string;
}

/** What an address chooses of a fleet. */
export interface Filters {
  readonly state?: string;
  readonly owner?: string;
  readonly text?: string;
  /** Those that were applied lately. */
  readonly applied?: string;
}

/** How every stack stands by the record, the worst first. */
export function standings(
  stacks: readonly FleetStack[],
  known: ReadonlyMap<string, RememberedStack>,
  jobs: readonly QueuedJob[],
): readonly Standing[] {
  const busy = groupBy(jobs, rowName);
  const rows = stacks.map((stack) => {
    const name = rowName(stack);
    return { ...stack, ...standing(known.get(name)), requests: 0, ...defined({ busy: jobWords(busy.get(name)) }) };
  });
  return rows.sort(
    (a, b) => stackStates.indexOf(a.state) - stackStates.indexOf(b.state) || compareText(rowName(a), rowName(b)),
  );
}

export function rowName({ project, stack }: Pick<FleetRow, 'project' | 'stack'>): string {
  return `${project}/${stack}`;
}

export function stackPath({ project, stack }: Pick<FleetRow, 'project' | 'stack'>): string {
  return `/stacks/${encodeURIComponent(project)}/${encodeURIComponent(stack)}`;
}

/** A plan that somebody can bring further. */
export interface WaitingPlan extends Pick<FleetRow, 'project' | 'stack'>, Omit<KeptPlan, 'plan'> {
  /** Why it may not be applied yet; left out: it may. */
  readonly missing?: string;
}

/** What the first page tells. */
interface FleetFacts {
  readonly name: string;
  readonly all: readonly Standing[];
  readonly filters: Filters;
  readonly broken: readonly Broken[];
  /** For whoever looks. */
  readonly waits: readonly WaitingPlan[];
  /** ISO 8601 UTC: what was applied since then was so lately. */
  readonly lately: string;
}

/** Who needs somebody, since when, why, whose they are, what waits for the reader, and who applied lately. */
export function fleetPage(facts: FleetFacts): Page {
  const { name, all, filters, broken, waits, lately } = facts;
  const needy = all.filter(({ state }) => state !== 'clean');
  const worst = stackStates.find((state) => all.some((row) => row.state === state)) ?? 'clean';
  const title =
    all.length === 0
      ? 'No stack is shown to you'
      : needy.length === 0
        ? `All ${count(all.length, 'stack')} are clean`
        : `${String(needy.length)} of ${count(all.length, 'stack')} ${needy.length === 1 ? 'needs' : 'need'} somebody`;
  const applied = all.filter(({ lastApply }) => lastApply !== undefined && lastApply.at >= lately);
  const isApplied = filters.applied !== undefined;
  const shown = (isApplied ? byApply(applied) : all).filter((row) => isChosen(row, filters));
  return {
    ...{ title: `${name}: ${title}`, tone: stackLooks[worst].tone, skip: 'To the stacks' },
    header: headHtml(
      stackLooks[worst].tone,
      title,
      markup`Stacks of <b>${name}</b>`,
      joined([chips(all, filters), appliedHtml(applied, isApplied), brokenHtml(broken)]),
    ),
    main: joined([
      waitsHtml(waits),
      filterForm(all, filters),
      markup`<section class="card" aria-labelledby="ui:stacks"><h2 id="ui:stacks">${isApplied ? 'Applied lately' : 'Stacks'} <span class="number">${shown.length}</span></h2>${list(shown, isApplied)}</section>`,
    ]),
    footer: markup`<p>Times are UTC. A stack is clean when its last check compared everything and found it as recorded.</p>`,
  };
}

function byApply(rows: readonly Standing[]): readonly Standing[] {
  return [...rows].sort((a, b) => compareText(b.lastApply?.at ?? '', a.lastApply?.at ?? ''));
}

function appliedHtml(applied: readonly Standing[], isChosen: boolean): Html {
  if (applied.length === 0) return markup`<p class="fact">Nothing was applied in the last 24 hours.</p>`;
  const people = [...new Set(byApply(applied).map(({ lastApply }) => lastApply?.by ?? ''))];
  const shown = people.slice(0, 3).join(', ');
  const more = people.length > 3 ? ` and ${String(people.length - 3)} others` : '';
  const here = isChosen ? markup` aria-current="true"` : '';
  return markup`<p class="fact">Applied in the last 24 hours: <a href="${isChosen ? '/' : '/?applied=day'}"${here}>${count(applied.length, 'stack')}</a>, by ${shown}${more}.</p>`;
}

/** More are there for whoever opens them. */
const shownWaits = 5;

function waitsHtml(waits: readonly WaitingPlan[]): Part {
  if (waits.length === 0) return '';
  const items = waits.map(
    (plan) =>
      markup`<li class="wait"><span class="mark state">${plan.missing === undefined ? 'apply' : 'approve'}</span><span><a href="${stackPath(plan)}/plans/${plan.effect}">${rowName(plan)}</a><span class="cause">${plan.missing ?? 'It is approved, and may be applied.'}</span></span><small>planned ${moment(plan.at)}</small><small>${plan.authors.length === 0 ? '' : `by ${plan.authors[0] ?? ''}`}</small></li>`,
  );
  const others = items.slice(shownWaits);
  const more =
    others.length === 0
      ? ''
      : markup`<details><summary>And ${others.length} more</summary><ul class="stacks">${others}</ul></details>`;
  return markup`<section class="card plain" aria-labelledby="ui:waits"><h2 id="ui:waits">Waits for you <span class="number">${waits.length}</span></h2><ul class="stacks">${items.slice(0, shownWaits)}</ul>${more}</section>`;
}

/** Where somebody applied without the approvals that were asked for. */
interface Broken extends Pick<FleetRow, 'project' | 'stack'> {
  readonly who: string;
  readonly at: string;
  readonly effect: string;
  readonly glass: string | null;
}

function brokenHtml(broken: readonly Broken[]): Part {
  return broken.map(
    (one) =>
      markup`<p class="fact warning"><b>${one.who}</b> broke the glass for <a href="${stackPath(one)}/plans/${one.effect}">${rowName(one)}</a>, ${moment(one.at)}: ${one.glass ?? ''}</p>`,
  );
}

function isChosen(row: Standing, { state, owner, text }: Filters): boolean {
  const words = [rowName(row), row.cause, ...Object.entries(row.labels).map(([key, value]) => `${key}:${value}`)];
  return (
    (state === undefined || row.state === state) &&
    (owner === undefined || row.owners.includes(owner)) &&
    (text === undefined || words.some((one) => one.toLowerCase().includes(text.toLowerCase())))
  );
}

/** An address of this page; what is chosen already stays so. */
function address(filters: Filters): string {
  const query = new URLSearchParams(Object.entries(defined({ ...filters }))).toString();
  return query === '' ? '/' : `/?${query}`;
}

function chips(all: readonly Standing[], filters: Filters): Part {
  const items = stackStates.flatMap((state) => {
    const number = all.filter((row) => row.state === state).length;
    if (number === 0) return [];
    const isChosenState = filters.state === state;
    const { state: _, ...others } = filters;
    const href = address(isChosenState ? others : { ...filters, state });
    const here = isChosenState ? markup` aria-current="true"` : '';
    return [
      markup`<li><a class="chip ${stackLooks[state].change}" href="${href}"${here}><b>${number}</b> ${state}</a></li>`,
    ];
  });
  return markup`<ul class="chips" aria-label="Stacks by state">${items}</ul>`;
}

function filterForm(all: readonly Standing[], { state, owner, text, applied }: Filters): Html {
  const owners = [...new Set(all.flatMap((row) => row.owners))].sort();
  const options = owners.map((one) => markup`<option${one === owner ? ' selected' : ''}>${one}</option>`);
  return joined([
    markup`<form class="filters" role="search" aria-label="Filter the stacks">`,
    state === undefined ? '' : markup`<input type="hidden" name="state" value="${state}">`,
    applied === undefined ? '' : markup`<input type="hidden" name="applied" value="${applied}">`,
    markup`<label>Text <input type="search" name="text" value="${text ?? ''}" placeholder="stack, cause, label:value"></label>`,
    owners.length === 0
      ? ''
      : markup`<label>Owner <select name="owner"><option value="">anybody</option>${options}</select></label>`,
    markup`<button>Filter</button>`,
    [state, owner, text, applied].some((one) => one !== undefined) ? markup`<a href="/">Show all</a>` : '',
    markup`</form>`,
  ]);
}

// Fewer are read faster one by one.
const foldedFrom = 3;

function list(rows: readonly Standing[], isFlat: boolean): Html {
  if (rows.length === 0) return markup`<p class="empty">No stack matches.</p>`;
  const groups = [...groupBy(rows, ({ state, cause }) => `${state} ${cause}`).values()];
  const items = groups.flatMap((group) =>
    isFlat || group.length < foldedFrom ? group.map((row) => markup`<li>${rowHtml(row, true)}</li>`) : [fold(group)],
  );
  return markup`<ul class="stacks">${items}</ul>`;
}

/** Stacks of one cause as one line, the same for all that came of it. */
function fold(rows: readonly Standing[]): Html {
  const [first] = rows;
  if (first === undefined) return markup``;
  const times = rows.flatMap(({ since }) => since ?? []).sort();
  const span = spanText(times[0], times.at(-1));
  const items = rows.map((row) => markup`<li>${rowHtml(row, false)}</li>`);
  return joined([
    markup`<li class="fold"><details><summary>${markOf(first)}<span><b>${count(rows.length, 'stack')}</b>`,
    markup`<span class="cause">${first.cause}</span></span><small>${span}</small></summary>`,
    markup`<ul class="stacks">${items}</ul></details></li>`,
  ]);
}

/** `2026-01-01 14:02–14:05` */
function spanText(first: string | undefined, last: string | undefined): string {
  if (first === undefined || last === undefined) return '';
  const [from, until] = [moment(first), moment(last)];
  if (from === until) return `since ${from}`;
  return from.slice(0, 10) === until.slice(0, 10) ? `${from}–${until.slice(11)}` : `${from} – ${until}`;
}

function markOf({ state }: Standing): Html {
  return markup`<span class="mark ${stackLooks[state].change}">${state}</span>`;
}

function rowHtml(row: Standing, isAlone: boolean): Html {
  const { cause, since, lastGood, lastApply, owners, busy } = row;
  return joined([
    markup`<div class="row">${isAlone ? markOf(row) : markup`<span></span>`}<span><a href="${stackPath(row)}">${rowName(row)}</a>`,
    isAlone && cause !== '' ? markup`<span class="cause">${cause}</span>` : '',
    busy === undefined ? '' : markup`<span class="busy">${busy}</span>`,
    markup`</span><small>${since === undefined ? '' : `since ${moment(since)}`}</small>`,
    markup`<small><span>${lastGood === undefined ? 'never compared' : `compared ${moment(lastGood)}`}</span>`,
    lastApply === undefined ? '' : markup`<span>applied ${moment(lastApply.at)} by ${lastApply.by}</span>`,
    markup`</small>`,
    markup`<small>${owners.join(' ')}</small></div>`,
  ]);
}

/** `plan runs, check waits`; undefined: nothing is being done. */
export function jobWords(jobs: readonly QueuedJob[] = []): string | undefined {
  const words = { running: 'runs', waiting: 'waits', failed: 'failed' } as const;
  return jobs.length === 0
    ? undefined
    : jobs.map(({ kind, state, request }) => `${verbOf(kind, request)} ${words[state]}`).join(', ');
}

/** Of findings that are settled, what is done with them. */
function verbOf(kind: QueuedJob['kind'], request = ''): string {
  return kind === 'settle' ? (request.split(' ')[0] ?? kind) : kind;
}

/** Who asked for what, and what came of it, the newest first. */
export function auditPage(rows: readonly AuditRow[]): Page {
  const lines = rows.map(({ number, at, who, act, target, outcome, words }) => [
    ...[number, moment(at), who, markup`<code>${act.replace(' /stacks/:project/:stack/', ' ')}</code>`, target],
    markup`<span class="mark ${outcome === 'done' ? 'add' : 'remove'}">${outcome}</span>`,
    // Whole in the database.
    words.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{52}\b/g, '$1'),
  ]);
  const oldest = rows.at(-1)?.number;
  const more =
    oldest === undefined || Number(oldest) <= 1 ? '' : markup`<p><a href="/audit?before=${oldest}">Earlier</a></p>`;
  return {
    ...{ title: 'Audit', tone: 'changes', skip: 'To the rows' },
    header: headHtml('changes', 'Audit', 'Who asked for what'),
    main: card('rows', 'Rows', rows.length, [
      tableHtml(['no.', 'at', 'who', 'act', 'of', 'outcome', 'why'], lines),
      more,
    ]),
    footer: markup`<p>Times are UTC. Every row is bound to the one before it by a digest: <a href="/audit/check">check them all</a>.</p>`,
  };
}

/** Whether the audit is whole. Who may write to the database could write another one: a digest that somebody keeps elsewhere tells. */
export function auditCheckPage({ rows, digest, wrong, at }: AuditCheck, noted: string | undefined): Page {
  const isLost = noted !== undefined && at === undefined;
  const verdict =
    wrong !== undefined
      ? `Row ${String(wrong)} is missing, or not as it was written`
      : isLost
        ? 'No row has this digest: the audit is not the one that it was taken from'
        : `${count(rows, 'row')}, each as it was written`;
  const tone = wrong === undefined && !isLost ? 'clean' : 'blocked';
  const told = at === undefined ? '' : markup`<p>The digest that you noted is that of row ${at}.</p>`;
  const field_ = markup`<form class="filters" action="/audit/check"><label>A digest that you noted <input type="search" name="digest" maxlength="64" value="${noted ?? ''}"></label> <button>Look for it</button></form>`;
  return {
    ...{ title: 'Audit', tone, skip: 'To the digest' },
    header: headHtml(tone, verdict, 'Audit'),
    main: card('digest', 'Digest', undefined, [markup`<p>Of row ${rows}: <code>${digest}</code></p>${told}`, field_]),
    footer: markup`<p>Note the digest where nobody who can write to the database can write. <a href="/audit">To the rows</a></p>`,
  };
}
