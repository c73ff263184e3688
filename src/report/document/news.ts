import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import {
  type CheckSummary,
  type DriftNews,
  driftSeverities,
  type NewsFinding,
  type ResolvedFinding,
  type UncheckedFinding,
} from '@platform-sync/core/model/drift';
import type { RunNews, RunStatus } from '@platform-sync/core/model/run-news';
import { shortened, shortenedPair } from '../view/field-view.js';
import { checkVerdict, driftMarks, findingClause, findingName } from '../words/drift.js';
import { count } from '../words/value.js';
import type { Document, Item, Line, Section, SectionId, Span, Tone } from './document.js';
import { section, untold } from './section.js';

/** News of a check by what they are about. */
export interface SortedNews {
  readonly check: CheckSummary;
  readonly appeared: readonly NewsFinding[];
  readonly worse: readonly NewsFinding[];
  readonly resolved: readonly ResolvedFinding[];
  readonly unread: readonly UncheckedFinding[];
  /** Why checks could not be made. */
  readonly problems: readonly Diagnostic[];
  /** After one or more that could not, a check could be made again. */
  readonly recovered: boolean;
}

export function sortedNews({ check, changes }: DriftNews): SortedNews {
  const foundAs = (kind: 'new' | 'worse'): readonly NewsFinding[] =>
    changes.flatMap((change) => (change.kind === kind ? [change.finding] : []));
  return {
    check,
    appeared: foundAs('new'),
    worse: foundAs('worse'),
    resolved: changes.flatMap((change) => (change.kind === 'resolved' ? [change.finding] : [])),
    unread: changes.flatMap((change) => (change.kind === 'unread' ? [change.read] : [])),
    problems: changes.flatMap((change) => (change.kind === 'failed' ? change.problems : [])),
    recovered: check.status !== 'failed' && changes.some(({ kind }) => kind === 'recovered'),
  };
}

type OwnersOf = (source: string) => readonly string[];

/** What a check saw that the one before did not. `ownersOf`: who answers for a place. */
export function driftNewsDocument(news: SortedNews, ownersOf: OwnersOf = () => []): Document {
  const { check, appeared, worse, unread, resolved, problems, recovered } = news;
  const { project, stack, targets, status } = check;
  const findings = (id: SectionId, title: string, found: readonly NewsFinding[]): readonly Section[] =>
    section(
      id,
      title,
      'grave',
      worstFirst(found).map((one) => findingItem(one, ownersOf(one.source ?? ''))),
    );
  return {
    ...bare(checkVerdict(check), status),
    subject: { what: 'Drift of', project, stack, targets },
    mark: driftMarks[status],
    tone: status === 'clean' ? 'clean' : status === 'drift' ? 'dangerous' : 'incomplete',
    facts: recovered ? [{ weight: 'warning', line: ['The check can be made again.'] }] : [],
    sections: [
      findings('appeared', 'New', appeared),
      findings('worse', 'Worse', worse),
      section('not-compared', 'Could not be compared', 'grave', unread.map(unreadItem)),
      section(
        'resolved',
        'Resolved',
        'aside',
        resolved.map((one) => ({ line: [{ strong: findingName(one) }] })),
      ),
      problemSection(status === 'failed' ? 'Problems' : 'Problems meanwhile', problems),
    ].flat(),
  };
}

/** Worst first: lists are cut. */
function worstFirst(found: readonly NewsFinding[]): readonly NewsFinding[] {
  const weight = ({ severity }: NewsFinding): number => driftSeverities.indexOf(severity);
  return [...found].sort((a, b) => weight(a) - weight(b));
}

function findingItem(finding: NewsFinding, owners: readonly string[]): Item {
  const { severity, id, source, name, field, flaps } = finding;
  return {
    line: [
      `${severity}: `,
      { strong: findingName(finding) },
      ` ${findingClause(finding)}`,
      ...(name === undefined ? [] : [': ', { code: name }]),
      ...(field === undefined ? [] : [': ', ...valueSides(finding)]),
      ...(source === undefined ? [] : [' in ', { code: source }]),
      ...owners.flatMap((owner, at): Line => [at === 0 ? ', of ' : ' ', { code: owner }]),
      flaps === undefined ? '' : `; it comes and goes (${flaps} times)`,
      ` (${id})`,
    ],
  };
}

/** Values on one line; secrets are one, and what is long is cut around the first difference, and whole in the report. */
function valueSides({ old, new: now, cut = [] }: NewsFinding): Line {
  const [before, after] =
    old === undefined || now === undefined
      ? [old, now].map((one) => (one === undefined ? undefined : shortened(one)))
      : shortenedPair(old, now);
  const side = (name: 'old' | 'new', text: string | undefined): Span => {
    if (text === undefined) return '(none)';
    // How long a part is says nothing of the whole.
    return { code: cut.includes(name) ? text.replace(/ \(\d+ characters\)$/, '') : text };
  };
  return [side('old', before), ' → ', side('new', after), ...(cut.length === 0 ? [] : [' (long: see the report)'])];
}

function unreadItem({ address, type, diagnostic }: UncheckedFinding): Item {
  return { line: [{ strong: address ?? type }, ` ${diagnostic.summary}`] };
}

/** How a run ended, for who was not there. */
export function runNewsDocument(news: RunNews): Document {
  const { project, stack, status, about, problems } = news;
  const items = about.map(({ name, summary }) => ({ line: [{ strong: name }, ` ${summary}`] }));
  return {
    ...bare(runVerdict(news), status),
    subject: { what: 'Run of', project, stack, targets: {} },
    ...runLooks[status],
    sections: [
      section('about', runTitles[status] ?? 'Steps', 'grave', items),
      problemSection('Problems', problems),
    ].flat(),
  };
}

const runTitles: Readonly<Partial<Record<RunStatus, string>>> = {
  blocked: 'Guards',
  unknown: 'Not known',
  failed: 'Failed',
};

const stopped = { mark: '⛔', tone: 'blocked' } as const;
const unsure = { mark: '❓', tone: 'incomplete' } as const;

const runLooks: Readonly<Record<RunStatus, { readonly mark: string; readonly tone: Tone }>> = {
  blocked: stopped,
  failed: stopped,
  partly: { mark: '⚠️', tone: 'dangerous' },
  stale: { mark: '⏩', tone: 'incomplete' },
  interrupted: { mark: '🛑', tone: 'dangerous' },
  held: unsure,
  unknown: unsure,
  done: { mark: '✅', tone: 'clean' },
};

/** How it ended, in a sentence: what was done first, so that nobody has to ask. */
function runVerdict({ status, command, counts, owner, at }: RunNews): string {
  const what = command.charAt(0).toUpperCase() + command.slice(1);
  const numbers =
    counts === undefined
      ? ''
      : `: ${count(counts.done, 'step')} done, ${counts.failed} failed, ${counts.skipped} not begun`;
  switch (status) {
    case 'blocked':
      return `${what}: the plan is blocked; nothing was done.`;
    case 'failed':
      return `${what} failed${numbers}.`;
    case 'partly':
      return `${what} was partly done${numbers}.`;
    case 'stale':
      return `${what} refused: the reviewed plan is out of date; nothing was done.`;
    case 'interrupted':
      return `${what} was interrupted${numbers}.`;
    case 'held':
      return `${what} did not begin: another run has locked the stack.`;
    case 'unknown':
      return `${what} of ${owner ?? 'somebody'} left no result; its last sign of life is of ${at}.`;
    case 'done':
      return `${what} done: what was wrong is over.`;
  }
}

function problemSection(title: string, problems: readonly Pick<Diagnostic, 'summary'>[]): readonly Section[] {
  const items = problems.map(({ summary }) => ({ line: [summary] }));
  return section('problems', title, 'grave', items);
}

function bare(ending: string, verdict: string): Omit<Document, 'subject' | 'mark' | 'tone'> {
  const text = ending.replace(/\.$/, '');
  return { ...untold, verdict: text, ending, values: { verdict } };
}
