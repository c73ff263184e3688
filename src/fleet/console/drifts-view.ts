import { type DriftSeverity, driftSeverities, type SeenFinding } from '@platform-sync/core/model/drift';
import { defined } from '@platform-sync/core/model/value';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { findingName } from '@platform-sync/report/words/drift';
import { count } from '@platform-sync/report/words/value';
import type { RememberedStack } from '@platform-sync/state/fleet-record';
import { toldCheck } from '../standing.js';
import { classWords, openFindings } from './drift-view.js';
import { type Filters, isChosen, rowName, stackPath, type Standing } from './fleet-view.js';
import { headHtml } from './frame.js';
import { foldedHtml, searchForm } from './stack-list.js';
import { moment } from './table.js';

/** What drifted in one stack. */
interface Drifted extends Standing {
  readonly open: readonly SeenFinding[];
  readonly severity: DriftSeverity;
}

/** What an address chooses of it. */
interface DriftFilters extends Pick<Filters, 'owner' | 'text'> {
  readonly severity?: string;
}

/** Of all stacks those that drifted, however else they stand. */
export function driftedStacks(
  rows: readonly Standing[],
  known: ReadonlyMap<string, RememberedStack>,
): readonly Drifted[] {
  const all = rows.flatMap((row) => {
    const remembered = known.get(rowName(row));
    const open = openFindings(remembered?.history ?? { findings: [] }).filter(isDrift);
    if (remembered === undefined || open.length === 0) return [];
    const severity = driftSeverities.find((one) => open.some((found) => found.severity === one)) ?? 'low';
    const [since] = open.map(({ firstSeen }) => firstSeen).sort();
    return [{ ...row, ...defined({ since }), open, severity, cause: causeOf(open, toldCheck(remembered)) }];
  });
  return all.sort((a, b) => driftSeverities.indexOf(a.severity) - driftSeverities.indexOf(b.severity));
}

function isDrift({ class: what }: SeenFinding): boolean {
  return what !== 'not-compared';
}

/** As the check says it, with the value; else what the record knows: the fields, without the addresses, which no two stacks share. */
function causeOf(open: readonly SeenFinding[], check: Pick<Standing, 'state' | 'cause'> | undefined): string {
  if (check?.state === 'drift') return check.cause;
  const causes = [...new Set(open.map(({ field, class: what }) => `${field ?? 'a resource'} ${classWords[what]}`))];
  return `${causes[0] ?? ''}${causes.length > 1 ? `, and ${count(causes.length - 1, 'other cause')}` : ''}`;
}

/** Who drifted, in what, since when: the worst first, stacks of one cause as one line. */
export function driftsPage(all: readonly Standing[], drifted: readonly Drifted[], filters: DriftFilters): Page {
  const { severity, ...others } = filters;
  const shown = drifted.filter(
    (row) =>
      (severity === undefined || row.severity === severity) &&
      (isChosen(row, others) || row.open.some((found) => findingName(found).includes(others.text ?? '\n'))),
  );
  const unchecked = all.filter(({ lastGood }) => lastGood === undefined).length;
  const [title, tone] = verdictOf(all, drifted, unchecked);
  const heading = markup`<h2 id="ui:drifted">Drifted <span class="number">${shown.length}</span></h2>`;
  const listed = markup`<section class="card" aria-labelledby="ui:drifted"><div class="top">${heading}${searchForm('/drift', drifted, { owner: others.owner, text: others.text }, { severity })}</div>${list(shown)}</section>`;
  return {
    ...{ title, tone, skip: 'To the stacks' },
    header: headHtml(
      tone,
      title,
      'Changed outside of the catalogue',
      joined([chips(drifted, filters), unsure(unchecked)]),
    ),
    main: drifted.length === 0 ? '' : listed,
    footer: markup`<p>Times are UTC. A stack is here as long as its last check found drift, however else it stands.</p>`,
  };
}

function verdictOf(
  all: readonly Standing[],
  drifted: readonly Drifted[],
  unchecked: number,
): readonly [string, Page['tone']] {
  const changes = drifted.reduce((sum, { open }) => sum + open.length, 0);
  if (drifted.length > 0)
    return [`${count(changes, 'change')} outside, in ${count(drifted.length, 'stack')}`, 'dangerous'];
  return unchecked === all.length ? ['No stack was compared yet', 'incomplete'] : ['No stack has drifted', 'clean'];
}

function unsure(unchecked: number): Part {
  if (unchecked === 0) return '';
  const verb = unchecked === 1 ? 'was' : 'were';
  return markup`<p class="fact">${count(unchecked, 'stack')} ${verb} never compared as a whole: whether they drifted, nobody knows.</p>`;
}

function chips(drifted: readonly Drifted[], filters: DriftFilters): Part {
  const items = driftSeverities.flatMap((severity) => {
    const number = drifted.filter((row) => row.severity === severity).length;
    if (number === 0) return [];
    const isHere = filters.severity === severity;
    const query = new URLSearchParams(defined({ ...filters, severity: isHere ? undefined : severity })).toString();
    const here = isHere ? markup` aria-current="true"` : '';
    return [
      markup`<li><a class="chip ${toneOf(severity)}" href="/drift${query === '' ? '' : `?${query}`}"${here}><b>${number}</b> ${severity}</a></li>`,
    ];
  });
  return items.length === 0 ? '' : markup`<ul class="chips" aria-label="Stacks by severity">${items}</ul>`;
}

function toneOf(severity: DriftSeverity): string {
  return severity === 'high' ? 'remove' : severity === 'medium' ? 'change' : 'state';
}

function list(shown: readonly Drifted[]): Html {
  if (shown.length === 0) return markup`<p class="empty">No stack matches. <a href="/drift">Show all</a></p>`;
  return foldedHtml(
    shown.map((row) => {
      const mark = markup`<span class="mark ${toneOf(row.severity)}">${row.severity}</span>`;
      return {
        ...{ kind: row.severity, cause: row.cause, since: row.since, mark },
        html: (isAlone) => rowHtml(row, isAlone ? mark : markup`<span></span>`, isAlone),
      };
    }),
  );
}

/** Of a stack, so many names. */
const shownNames = 3;

function rowHtml(row: Drifted, mark: Html, isAlone: boolean): Html {
  const { open, since, owners, cause } = row;
  const names = open
    .slice(0, shownNames)
    .map((found, nth) => [nth === 0 ? '' : ', ', markup`<code>${findingName(found)}</code>`]);
  const more = open.length > shownNames ? ` and ${String(open.length - shownNames)} more` : '';
  const [seen] = open
    .map(({ lastSeen }) => lastSeen)
    .sort()
    .reverse();
  return joined([
    markup`<div class="row">${mark}<span><a href="${stackPath(row)}/drift">${rowName(row)}</a>`,
    isAlone ? markup`<span class="cause">${cause}</span>` : '',
    markup`<small class="of">${names}${more}</small></span>`,
    markup`<small>${since === undefined ? '' : `since ${moment(since)}`}</small>`,
    markup`<small>${seen === undefined ? '' : `seen ${moment(seen)}`}</small><small>${owners.join(' ')}</small></div>`,
  ]);
}
