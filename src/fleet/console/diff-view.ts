import type { DriftHistory } from '@platform-sync/core/model/drift';
import type { FleetRow } from '@platform-sync/core/model/fleet';
import type { FieldChange, Plan, PlanStep, PlanValue } from '@platform-sync/core/model/plan';
import { defined } from '@platform-sync/core/model/value';
import { markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count, inline } from '@platform-sync/report/words/value';
import type { KeptPlan } from '@platform-sync/state/fleet-record';
import { openFindings } from './drift-view.js';
import { rowName, stackPath } from './fleet-view.js';
import { headHtml } from './frame.js';
import { card, moment, tableHtml } from './table.js';

/** What two plans of a stack say of one field: how the platform has it, and how each of them wants it. */
interface Compared {
  readonly address: string;
  /** Absent: it is about the whole object. */
  readonly field?: string;
  readonly platform: string;
  /** Absent: no plan says. */
  readonly catalogue?: string;
  readonly branch: string;
  readonly isDrift: boolean;
}

interface DiffFacts {
  readonly row: Pick<FleetRow, 'project' | 'stack'>;
  readonly kept: KeptPlan;
  /** The newest plan of the catalogue as it was merged, where one is kept. */
  readonly base?: KeptPlan;
  readonly history: Pick<DriftHistory, 'findings'>;
  /** Rows before this one are left out. */
  readonly from: number;
}

const shownRows = 200;

/** What a request changes, beside what the catalogue wants already and what the platform has. */
export function diffPage(facts: DiffFacts): Page {
  const { row, kept, base, from } = facts;
  const rows = comparedRows(kept.plan, base?.plan);
  const title = `Branch, catalogue and platform of ${rowName(row)}`;
  const shown = rows.slice(from, from + shownRows);
  return {
    ...{ title, tone: 'changes', skip: 'To the fields' },
    header: headHtml(
      undefined,
      title,
      markup`<a href="${stackPath(row)}/plans/${kept.effect}">Plan ${kept.effect.slice(0, 12)}</a>`,
      aboutHtml(facts),
    ),
    main: card('fields', 'Fields that differ', rows.length, [
      rows.length === 0
        ? markup`<p class="empty">Branch, catalogue and platform say the same.</p>`
        : tableHtml(['field', 'why', 'branch', 'catalogue', 'platform'], shown.map(lineOf)),
      rows.length > shownRows ? pagesHtml(facts, rows.length) : '',
    ]),
    footer: markup`<p>Times are UTC. Secrets are sealed; long values are cut, and whole in the plan.</p>`,
  };
}

function aboutHtml({ row, kept, base, history }: DiffFacts): Html {
  const open = openFindings(history);
  const parts: readonly Part[] = [
    `branch: ${kept.commit === undefined ? 'the catalogue as merged' : kept.commit.slice(0, 12)}, planned ${moment(kept.at)}`,
    base === undefined ? 'catalogue: not planned lately' : `catalogue: planned ${moment(base.at)}`,
    open.length === 0
      ? ''
      : markup`<a href="${stackPath(row)}/drift">${count(open.length, 'change')} outside since ${moment(open.map(({ firstSeen }) => firstSeen).sort()[0] ?? '')}</a>`,
  ];
  return markup`<div class="meta">${parts.filter((one) => one !== '').map((one) => markup`<span>${one}</span>`)}</div>`;
}

function pagesHtml({ row, kept, from }: DiffFacts, all: number): Html {
  const path = `${stackPath(row)}/plans/${kept.effect}/diff`;
  const link = (at: number, words: string): Part =>
    at < 0 || at >= all ? '' : markup`<a href="${path}${at === 0 ? '' : `?from=${String(at)}`}">${words}</a> `;
  return markup`<p>${link(from - shownRows, 'Those before')}${link(from + shownRows, 'Those after')}</p>`;
}

function lineOf(one: Compared): readonly Part[] {
  const { address, field, platform, catalogue, branch } = one;
  const known = catalogue ?? platform;
  const value = (text: string, isOther: boolean): Part =>
    isOther ? markup`<ins>${text}</ins>` : markup`<code>${text}</code>`;
  return [
    markup`<code>${field === undefined ? address : `${address}.${field}`}</code>`,
    markup`<span class="mark ${one.isDrift ? 'remove' : branch === known ? 'state' : 'change'}">${whyOf(one, known)}</span>`,
    value(branch, branch !== known),
    catalogue === undefined ? markup`<span class="about">not planned</span>` : value(catalogue, catalogue !== platform),
    value(platform, false),
  ];
}

function whyOf({ isDrift, branch, platform }: Compared, known: string): string {
  if (isDrift) return 'changed outside';
  if (branch !== known) return 'by the branch';
  return known === platform ? 'the same' : 'not applied yet';
}

/** Field by field, those of the plan first. */
export function comparedRows(plan: Plan, base: Plan | undefined): readonly Compared[] {
  const [mine, others] = [changesOf(plan), base === undefined ? undefined : changesOf(base)];
  const keys = [...new Set([...mine.keys(), ...(others?.keys() ?? [])])];
  return keys.flatMap((key) => {
    const [own, other] = [mine.get(key), others?.get(key)];
    const some = own ?? other;
    if (some === undefined) return [];
    const platform = some.before;
    // Where a plan has no step, what it was made of says what the platform has.
    const catalogue = others === undefined ? undefined : (other?.after ?? platform);
    const { address, field } = some;
    const isDrift = (other ?? some).isDrift;
    // What was changed outside since it was planned, the branch wants as the catalogue does.
    const branch = own?.after ?? (other?.isDrift === true ? other.after : platform);
    return [{ ...{ address, platform, branch, isDrift }, ...defined({ field, catalogue }) }];
  });
}

interface Changed {
  readonly address: string;
  readonly field?: string;
  readonly before: string;
  readonly after: string;
  readonly isDrift: boolean;
}

function changesOf({ steps }: Plan): ReadonlyMap<string, Changed> {
  const all = steps.flatMap((step) =>
    step.fields.length === 0 || step.action === 'delete'
      ? [wholeOf(step)]
      : step.fields.map((one) => changeOf(step, one)),
  );
  return new Map(all.map((one) => [JSON.stringify([one.address, one.field ?? null]), one]));
}

function wholeOf({ address, action }: PlanStep): Changed {
  const isNew = action === 'create' || action === 'adopt';
  return { address, before: isNew ? '(none)' : '(there)', after: action, isDrift: false };
}

function changeOf({ address }: PlanStep, { field, old, new: now, cause }: FieldChange): Changed {
  return { address, field, before: text(old), after: text(now), isDrift: cause !== 'config' };
}

const longest = 200;

function text(value: PlanValue | undefined): string {
  if (value === undefined) return '(none)';
  const all = [...inline(value)];
  return all.length <= longest ? all.join('') : `${all.slice(0, longest).join('')}…`;
}
