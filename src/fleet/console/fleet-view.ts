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
import { headHtml, tabsHtml } from './frame.js';
import { foldedHtml, searchForm } from './stack-list.js';
import { moment } from './table.js';

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

/** The pages of one stack. */
export function stackTabs(row: Pick<FleetRow, 'project' | 'stack'>, here: string): Html {
  const pages = { '': 'Overview', '/drift': 'Drift', '/history': 'Runs' };
  const places = Object.entries(pages).map(([path, title]) => ({ path: `${stackPath(row)}${path}`, title }));
  return tabsHtml('Pages of the stack', places, `${stackPath(row)}${here}`);
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
  /** The fleet has none, whoever looks. */
  readonly isEmpty: boolean;
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
  const worst = stackStates.find((state) => all.some((row) => row.state === state)) ?? 'clean';
  const tone = all.length === 0 ? 'incomplete' : stackLooks[worst].tone;
  const title = verdictOf(facts);
  const applied = all.filter(({ lastApply }) => lastApply !== undefined && lastApply.at >= lately);
  const isApplied = filters.applied !== undefined;
  const shown = (isApplied ? byApply(applied) : all).filter((row) => isChosen(row, filters));
  const below = [chips(all, filters), appliedHtml(applied, isApplied), brokenHtml(broken)];
  const heading = markup`<h2 id="ui:stacks">${isApplied ? 'Applied lately' : 'Stacks'} <span class="number">${shown.length}</span></h2>`;
  const listed = markup`<section class="card" aria-labelledby="ui:stacks"><div class="top">${heading}${filterForm(all, filters)}</div>${list(shown, isApplied)}</section>`;
  return {
    ...{ title: `${name}: ${title}`, tone, skip: 'To the stacks' },
    header: headHtml(tone, title, markup`Stacks of <b>${name}</b>`, all.length === 0 ? '' : joined(below)),
    main: all.length === 0 ? beginning(facts) : joined([waitsHtml(waits), neverChecked(all), listed]),
    footer: markup`<p>Times are UTC. A stack is clean when its last check compared everything and found it as recorded.</p>`,
  };
}

function verdictOf({ all, isEmpty }: FleetFacts): string {
  const needy = all.filter(({ state }) => state !== 'clean').length;
  if (all.length === 0) return isEmpty ? 'No stacks yet' : 'No stack is shown to you';
  if (all.every(isUnchecked)) return `${count(all.length, 'stack')}, none checked yet`;
  if (needy === 0) return all.length === 1 ? 'The stack is clean' : `All ${count(all.length, 'stack')} are clean`;
  return `${String(needy)} of ${count(all.length, 'stack')} ${needy === 1 ? 'needs' : 'need'} somebody`;
}

function isUnchecked({ state, lastGood, since }: Standing): boolean {
  return state === 'unknown' && lastGood === undefined && since === undefined;
}

/** What to do before there is anything to show. */
function beginning({ isEmpty }: FleetFacts): Html {
  const words = isEmpty
    ? markup`No folder that <code>projects</code> in fleet.yaml names has a sync.yaml. As soon as one has, its stacks are here.`
    : markup`No role that fleet.yaml gives you is for any of them.`;
  return markup`<section class="card"><p>${words}</p></section>`;
}

function neverChecked(all: readonly Standing[]): Part {
  const number = all.filter(isUnchecked).length;
  if (number < all.length) return '';
  return markup`<section class="card plain"><p>Workers check them: start one with <code>sync fleet work</code>. It does what is asked for here, and what <code>schedule</code> in fleet.yaml says.</p></section>`;
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

/** Of more, some are shown, and the others to whoever opens them. */
const [mostWaits, shownWaits] = [4, 3];

function waitsHtml(waits: readonly WaitingPlan[]): Part {
  if (waits.length === 0) return '';
  const items = waits.map(waitHtml);
  const shown = items.length <= mostWaits ? items.length : shownWaits;
  const more =
    shown === items.length
      ? ''
      : markup`<details><summary>And ${items.length - shown} more</summary><ul class="stacks">${items.slice(shown)}</ul></details>`;
  return markup`<section class="card plain" aria-labelledby="ui:waits"><h2 id="ui:waits">Waits for you <span class="number">${waits.length}</span></h2><ul class="stacks">${items.slice(0, shown)}</ul>${more}</section>`;
}

function waitHtml(plan: WaitingPlan): Html {
  const { missing, at, authors, steps, effect } = plan;
  const words = missing ?? 'It is approved, and may be applied.';
  const by = authors.length === 0 ? '' : ` by ${authors[0] ?? ''}`;
  const what = `${steps === undefined ? 'Planned' : count(steps, 'step')}${by}. `;
  return markup`<li class="wait"><span class="mark state">${missing === undefined ? 'apply' : 'approve'}</span><span><a href="${stackPath(plan)}/plans/${effect}">${rowName(plan)}</a> <span class="cause">${what}${words}</span></span><small>planned ${moment(at)}</small></li>`;
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

/** That a row is one of those that an address chooses. */
export function isChosen(row: Standing, { state, owner, text }: Filters): boolean {
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
  return searchForm('/', all, { owner, text }, { state, applied });
}

function list(rows: readonly Standing[], isFlat: boolean): Html {
  if (rows.length === 0) return markup`<p class="empty">No stack matches. <a href="/">Show all</a></p>`;
  if (isFlat) return markup`<ul class="stacks">${rows.map((row) => markup`<li>${rowHtml(row, true)}</li>`)}</ul>`;
  return foldedHtml(
    rows.map((row) => ({
      ...{ kind: row.state, cause: row.cause, mark: markOf(row), since: row.since },
      html: (isAlone) => rowHtml(row, isAlone),
    })),
  );
}

function markOf({ state }: Standing): Html {
  return markup`<span class="mark ${stackLooks[state].change}">${state}</span>`;
}

const longestCause = 140;

/** The stack's own page has all of it. */
function briefly(cause: string): string {
  return cause.length <= longestCause ? cause : `${cause.slice(0, longestCause)}…`;
}

function rowHtml(row: Standing, isAlone: boolean): Html {
  const { cause, since, lastGood, lastApply, owners, busy } = row;
  return joined([
    markup`<div class="row">${isAlone ? markOf(row) : markup`<span></span>`}<span><a href="${stackPath(row)}">${rowName(row)}</a>`,
    isAlone && cause !== '' ? markup`<span class="cause">${briefly(cause)}</span>` : '',
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
