import type { FleetRow } from '@platform-sync/core/model/fleet';
import type { Address } from '@platform-sync/core/model/address';
import type { ConsoleSettings } from '@platform-sync/core/model/console';
import type { Plan } from '@platform-sync/core/model/plan';
import type { StepResult } from '@platform-sync/core/model/results';
import type { RunContent, RunEnd, RunEntry, RunPlan } from '@platform-sync/core/model/run';
import { type RunSummary, summaryOf } from '@platform-sync/core/model/run-summary';
import { defined, ownMember } from '@platform-sync/core/model/value';
import { planDocument } from '@platform-sync/report/document/plan';
import { documentPage } from '@platform-sync/report/html/document';
import { planViews } from '@platform-sync/report/view/plan-views';
import { joined, markup, type Html, type Part } from '@platform-sync/report/html/html';
import type { Page } from '@platform-sync/report/html/page';
import { count } from '@platform-sync/report/words/value';
import { rowName, stackPath } from './fleet-view.js';
import type { Approval } from './approval.js';
import { headHtml } from './frame.js';
import { cameFrom } from './links.js';
import { addressHtml, logCard, messagesCard, timeText } from './run-log.js';
import { card, moment, tableHtml } from './table.js';

type Place = Pick<FleetRow, 'project' | 'stack'>;

/** What a page tells of one run. */
export interface RunFacts {
  readonly row: Place;
  readonly run: number;
  /** How it began, what it was to do, how it ended. */
  readonly rows: readonly RunEntry[];
  /** Rows of its log, in their order. */
  readonly log: readonly RunEntry[];
  readonly approvals: readonly Approval[];
  /** What it carried out, as long as that is kept. */
  readonly plan?: Plan;
  /** It goes on: how far it is. */
  readonly progress?: string;
  readonly settings: Pick<ConsoleSettings, 'repository'>;
  readonly choice: RunChoice;
}

/** What an address chooses of a run. */
interface RunChoice {
  /** Steps that ended so. */
  readonly outcome?: string;
  /** Steps before this one are left out. */
  readonly from: number;
}

/** More than anybody reads at once. */
const shownSteps = 200;
export const shownLog = 100;

/** One run: who, when, why, and what became of each step and of each record. */
export async function runPage(facts: RunFacts): Promise<Page> {
  const { row, run, rows, progress } = facts;
  const summary = summaryOf(rows);
  const plan = contentOf(rows, 'plan');
  const end = contentOf(rows, 'end');
  const ended =
    end === undefined
      ? progress !== undefined
        ? 'goes on'
        : plan === undefined
          ? 'is recorded'
          : 'has no end'
      : (ownMember(endWords, end.status) ?? end.status);
  const title = `Run ${String(run)}: ${summary?.command ?? 'run'} ${ended}`;
  const tone = end === undefined ? (progress === undefined ? 'incomplete' : 'changes') : toneOfEnd(end.status);
  return {
    ...{ title, tone, skip: 'To the steps' },
    header: headHtml(
      tone,
      title,
      markup`<a href="${stackPath(row)}">${rowName(row)}</a>`,
      joined([runFacts(facts, summary, end), plan === undefined ? '' : outcomeChips(facts, plan, end)]),
    ),
    main: joined(
      [
        facts.choice.outcome === undefined && facts.choice.from === 0 ? messagesCard(row, end) : '',
        await dangersOf(facts, plan),
        saidCard(facts, plan),
        waitsCard(end),
        plan === undefined ? '' : stepsCard(facts, plan, end),
        logCard({ ...facts, results: outcomesOf(end).results, later: laterRows(facts) }),
      ],
      '\n',
    ),
    footer: markup`<p>Times are UTC. Every row is bound to the one before it: <code>sync history verify</code> finds one that was changed.</p>`,
  };
}

/** How it ended, as a page says it of a command. */
const endWords: Readonly<Record<string, string>> = {
  done: 'is done',
  partly: 'is done in part',
  failed: 'failed',
  interrupted: 'was interrupted',
};

function toneOfEnd(status: string): Page['tone'] {
  return status === 'done' ? 'clean' : 'blocked';
}

function contentOf<K extends RunContent['kind']>(
  rows: readonly RunEntry[],
  kind: K,
): Extract<RunContent, { readonly kind: K }> | undefined {
  const isMeant = (content: RunContent): content is Extract<RunContent, { readonly kind: K }> => content.kind === kind;
  return rows.map(({ content }) => content).find(isMeant);
}

function runFacts(
  { row, settings, progress }: RunFacts,
  summary: RunSummary | undefined,
  end: RunEnd | undefined,
): Html {
  if (summary === undefined) return markup``;
  const { run, at, actor, owner, effectDigest, mode } = summary;
  const facts: readonly Part[] = [
    `begun ${moment(at)}`,
    `by ${actor === undefined ? owner : `${actor} (${owner})`}`,
    mode === undefined || mode === 'apply' ? '' : mode,
    ...cameFrom(summary, settings),
    effectDigest === undefined ? '' : markup`effect <code>${effectDigest.slice(0, 12)}</code>`,
    end === undefined ? '' : count(end.requests, 'request to the platform', 'requests to the platform'),
    progress === undefined
      ? ''
      : markup`<b class="state" role="status" data-live="${stackPath(row)}/runs/${run}/events?seen=${encodeURIComponent(progress)}">${progress}</b>`,
  ];
  return markup`<div class="meta">${facts.filter((one) => one !== '').map((one) => markup`<span>${one}</span>`)}</div>`;
}

type Outcome = StepResult['outcome'] | 'open';

/** Troubles first. */
const outcomes: readonly Outcome[] = ['failed', 'skipped', 'open', 'done'];
const outcomeTones: Readonly<Record<Outcome, string>> = {
  failed: 'remove',
  skipped: 'change',
  open: 'change',
  done: 'add',
};

interface Outcomes {
  readonly of: (address: Address) => Outcome;
  readonly results: ReadonlyMap<Address, StepResult>;
}

function outcomesOf(end: RunEnd | undefined): Outcomes {
  const results = new Map(end?.steps.map((step) => [step.address, step]));
  return { results, of: (address) => results.get(address)?.outcome ?? 'open' };
}

function runAddress({ row, run }: Pick<RunFacts, 'row' | 'run'>, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return `${stackPath(row)}/runs/${String(run)}${text === '' ? '' : `?${text}`}`;
}

/** Undefined: the log that is shown is all there is. */
function laterRows(facts: RunFacts): string | undefined {
  const { log, choice } = facts;
  if (log.length < shownLog) return undefined;
  return runAddress(facts, { ...defined({ outcome: choice.outcome }), after: String(log.at(-1)?.number) });
}

/** How much became of it; each chooses its steps. */
function outcomeChips(facts: RunFacts, { steps }: RunPlan, end: RunEnd | undefined): Part {
  const { of } = outcomesOf(end);
  const { outcome: chosen } = facts.choice;
  const items = outcomes.flatMap((outcome) => {
    const number = steps.filter(({ address }) => of(address) === outcome).length;
    const isChosen = chosen === outcome;
    const href = runAddress(facts, isChosen ? {} : { outcome });
    const here = isChosen ? markup` aria-current="true"` : '';
    return number === 0
      ? []
      : [
          markup`<li><a class="chip ${outcomeTones[outcome]}" href="${href}"${here}><b>${number}</b> ${outcome}</a></li>`,
        ];
  });
  return items.length === 0 ? '' : markup`<ul class="chips" aria-label="Steps by outcome">${items}</ul>`;
}

/** What was dangerous in it, and where all of it stands field by field. */
async function dangersOf({ row, plan }: RunFacts, carried: RunPlan | undefined): Promise<Part> {
  if (plan === undefined || carried?.effectDigest === undefined) return '';
  const { changes: _, ...document } = planDocument(plan, await planViews(plan));
  const grave = document.sections.filter(({ id }) => id === 'danger');
  const { main } = documentPage({ ...document, sections: grave, next: [] });
  const link = markup`<a href="${stackPath(row)}/plans/${carried.effectDigest}">What it changes, field by field</a>`;
  return [card('verdict', 'What was planned', undefined, markup`<p>${document.verdict}. ${link}.</p>`), main];
}

/** What people and rules have said of it. */
function saidCard({ approvals }: RunFacts, plan: RunPlan | undefined): Part {
  const lines: (readonly Part[])[] = [
    ...approvals.map(({ who, at, glass }) => [
      glass === undefined ? 'approved' : 'glass broken',
      who,
      markup`${moment(at)}${glass === undefined ? '' : `: ${glass}`}`,
    ]),
    ...(plan?.lifted ?? []).map(({ guard, reason }) => ['guard lifted', guard, reason]),
    ...(plan?.policies?.found ?? []).map(({ level, summary, lifted }) => [
      `policy: ${level}`,
      summary,
      lifted === undefined ? '' : `lifted: ${lifted}`,
    ]),
  ];
  if (lines.length === 0) return '';
  return card(
    'said',
    'Approvals, guards and policy',
    lines.length,
    tableHtml(['what', 'who or which', 'when or why'], lines),
  );
}

function waitsCard(end: RunEnd | undefined): Part {
  const waited = end?.waited ?? [];
  if (waited.length === 0) return '';
  const lines = waited.map(({ reason, times, ms }) => [reason, count(times, 'time'), timeText(ms)]);
  return card('waits', 'What it waited for', lines.length, tableHtml(['for', 'how often', 'in all'], lines));
}

function stepsCard(facts: RunFacts, { steps }: RunPlan, end: RunEnd | undefined): Html {
  const { choice, row } = facts;
  const { of, results } = outcomesOf(end);
  if (steps.length === 0) return card('steps', 'Steps', 0, markup`<p class="empty">It had no steps.</p>`);
  const sorted = outcomes.flatMap((outcome) =>
    choice.outcome === undefined || choice.outcome === outcome
      ? steps.filter(({ address }) => of(address) === outcome)
      : [],
  );
  const lines = sorted.slice(choice.from, choice.from + shownSteps).map(({ address, action, fields }) => {
    const result = results.get(address);
    return [
      markup`<span class="mark ${outcomeTones[of(address)]}">${of(address)}</span>`,
      action,
      addressHtml(row, address),
      fields.join(', '),
      result?.durationMs === undefined ? '' : timeText(result.durationMs),
      result?.diagnostics?.[0]?.summary ?? becauseOf(result?.because),
    ];
  });
  const link = (from: number, words: string): Part =>
    from < 0 || from >= sorted.length
      ? ''
      : markup`<a href="${runAddress(facts, { ...defined({ outcome: choice.outcome }), ...(from === 0 ? {} : { from: String(from) }) })}#ui:steps">${words}</a> `;
  const shown =
    sorted.length <= shownSteps
      ? ''
      : markup`<p>Steps ${choice.from + 1} to ${choice.from + lines.length} of ${sorted.length}. ${link(choice.from - shownSteps, 'Those before')}${link(choice.from + shownSteps, 'Those after')}</p>`;
  if (lines.length === 0) return card('steps', 'Steps', 0, markup`<p class="empty">None of them.</p>`);
  return card('steps', 'Steps', sorted.length, [
    tableHtml(['outcome', 'action', 'resource', 'fields', 'took', 'why'], lines),
    shown,
  ]);
}

/** Why it was skipped: by the step that failed, or for the whole run's own reason. */
function becauseOf(because: string | undefined): string {
  if (because === undefined) return '';
  return because === 'interrupted' || because === 'stopped' ? `the run was ${because}` : `it waits for ${because}`;
}
