import type { ConsoleRole } from '@platform-sync/core/model/console';
import type { DriftHistory } from '@platform-sync/core/model/drift';
import type { RunSummary } from '@platform-sync/core/model/run-summary';
import { stackLooks } from '@platform-sync/report/document/fleet';
import { planDocument } from '@platform-sync/report/document/plan';
import { documentPage } from '@platform-sync/report/html/document';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { planViews } from '@platform-sync/report/view/plan-views';
import { count } from '@platform-sync/report/words/value';
import type { KeptPlan } from '@platform-sync/state/fleet-record';
import { suffices } from './access.js';
import { type Approval, missingApproval } from './approval.js';
import { driftCard, openFindings } from './drift-view.js';
import { rowName, stackPath, stackTabs, type Standing } from './fleet-view.js';
import { form, headHtml, type Looker } from './frame.js';
import { monthsHtml, runsTable } from './history-view.js';
import { card, moment, tableHtml } from './table.js';

interface StackFacts {
  readonly row: Standing;
  readonly history: DriftHistory;
  readonly plans: readonly Omit<KeptPlan, 'plan'>[];
  readonly approvals: ReadonlyMap<string, readonly Approval[]>;
  readonly needed: number;
  readonly runs: readonly RunSummary[];
  /** ISO 8601 UTC. */
  readonly now: string;
}

/** One stack: how it stands, what waits for approval, what drifted, and what was done. */
export function stackPage(facts: StackFacts, looker: Looker): Page {
  const { row, runs, now } = facts;
  const { tone } = stackLooks[row.state];
  const name = rowName(row);
  const title = row.cause === '' ? `${name} is ${row.state}` : `${name}: ${row.state}`;
  return {
    ...{ title, tone, skip: 'To the contents' },
    header: headHtml(tone, title, 'Stack', joined([stackTabs(row, ''), factsOf(row), actsOf(row, looker)])),
    main: joined(
      [
        plansCard(facts),
        openFindings(facts.history).length === 0 ? '' : driftCard(row, openFindings(facts.history), looker),
        card('runs', 'Runs', runs.length, [
          runsTable(row, runs),
          runs.length === 0
            ? ''
            : markup`<p class="months"><a href="${stackPath(row)}/history">All runs</a>, or those of a month: ${monthsHtml(row, now)}</p>`,
        ]),
      ],
      '\n',
    ),
    footer: markup`<p>Times are UTC.</p>`,
  };
}

export function factsOf(row: Standing): Html {
  const { cause, since, lastGood, lastApply, owners, labels, busy } = row;
  const parts: readonly Part[] = [
    since === undefined ? '' : `since ${moment(since)}`,
    lastGood === undefined ? 'never compared as a whole' : `compared ${moment(lastGood)}`,
    lastApply === undefined ? 'never applied' : `applied ${moment(lastApply.at)} by ${lastApply.by}`,
    owners.length === 0 ? '' : `owner ${owners.join(' ')}`,
    ...Object.entries(labels).map(([key, value]) => `${key}: ${value}`),
    busy === undefined
      ? ''
      : markup`<b class="state" data-live="${stackPath(row)}/events?seen=${encodeURIComponent(busy)}">${busy}</b>`,
  ];
  const spans = parts.filter((part) => part !== '').map((part) => markup`<span>${part}</span>`);
  return markup`${cause === '' ? '' : markup`<p class="fact summary">${cause}</p>`}<div class="meta">${spans}</div>`;
}

function actsOf(row: Standing, { role, token }: Looker): Part {
  if (!suffices(role, 'planner')) return '';
  const act = (kind: string, words: string): Html =>
    form(`${stackPath(row)}/${kind}`, token, markup`<button>${words}</button>`);
  return markup`<div class="acts">${act('check', 'Check for drift')}${act('plan', 'Plan')}</div>`;
}

function plansCard({ row, plans, approvals, needed }: StackFacts): Html {
  const lines = plans.map((plan) => {
    const missing = missingApproval(plan, approvals.get(plan.effect) ?? [], needed);
    return [
      markup`<a href="${stackPath(row)}/plans/${plan.effect}">${plan.steps === undefined ? 'plan' : count(plan.steps, 'step')}</a>`,
      moment(plan.at),
      plan.authors.join(', '),
      plan.commit === undefined ? '' : markup`<code>${plan.commit.slice(0, 12)}</code>`,
      markup`<code>${plan.effect.slice(0, 12)}</code>`,
      missing ?? 'It may be applied.',
    ];
  });
  if (lines.length === 0) return card('plans', 'Plans', 0, markup`<p class="empty">No plan is kept.</p>`);
  return card(
    'plans',
    'Plans',
    lines.length,
    tableHtml(['plan', 'planned', 'written by', 'commit', 'effect', 'approval'], lines),
  );
}

/** A plan with what is said of its effect, and what can be done with it. */
export async function planPage(
  row: Standing,
  kept: KeptPlan,
  approvals: readonly Approval[],
  needed: number,
  looker: Looker,
): Promise<Page> {
  const { plan } = kept;
  const page = documentPage({ ...planDocument(plan, await planViews(plan)), next: [] });
  const missing = missingApproval(kept, approvals, needed);
  const said = approvals.map(({ who, at, glass }) =>
    glass === undefined
      ? markup`<li><b>${who}</b> approved it, ${moment(at)}</li>`
      : markup`<li><b>${who}</b> broke the glass, ${moment(at)}: ${glass}</li>`,
  );
  const about = [
    markup`Effect <code>${kept.effect.slice(0, 12)}</code>`,
    `planned ${moment(kept.at)}`,
    kept.authors.length === 0 ? 'by nobody who is known' : `written by ${kept.authors.join(', ')}`,
  ];
  const words = missing ?? 'It may be applied: by this console, or by a pipeline with the same effect.';
  const approval = markup`<section class="card plain" aria-labelledby="ui:approval"><h2 id="ui:approval">Approval <span class="number">${said.length}</span></h2><p>${joined(about, ', ')}.</p><ul>${said}</ul><p>${words}</p>${planActs(row, kept, missing, looker)}</section>\n`;
  const back = markup`<p class="about"><a href="${stackPath(row)}">${rowName(row)}</a> · <a href="${stackPath(row)}/plans/${kept.effect}/diff">Branch, catalogue and platform side by side</a></p>`;
  return { ...page, header: joined([page.header, back]), main: joined([approval, page.main]) };
}

function planActs(row: Standing, { effect }: KeptPlan, missing: string | undefined, { role, token }: Looker): Part {
  const path = `${stackPath(row)}/plans/${effect}`;
  const can = (asked: ConsoleRole): boolean => suffices(role, asked);
  if (!can('approver')) return '';
  return joined([
    markup`<div class="acts">`,
    form(
      `${path}/approve`,
      token,
      markup`<button${missing === undefined ? '' : markup` class="main"`}>Approve this effect</button>`,
    ),
    missing === undefined ? form(`${path}/apply`, token, markup`<button class="main">Apply this effect</button>`) : '',
    markup`</div>`,
    missing === undefined || !can('operator')
      ? ''
      : markup`<details><summary>Break the glass</summary><p>Applies it without the approvals that it waits for. Everybody is told, with your name and this reason.</p><div class="acts">${form(`${path}/break-glass`, token, markup`<label>Reason <input type="text" name="reason" required minlength="10" maxlength="500" autocomplete="off"></label><button>Break the glass and apply</button>`)}</div></details>`,
  ]);
}
