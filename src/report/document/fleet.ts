import { groupBy } from '@platform-sync/core/model/graph';
import {
  type FleetCause,
  stackStates,
  type FleetReport,
  type FleetRow,
  type StackNews,
  type StackState,
} from '@platform-sync/core/model/fleet';
import type { DriftChange, DriftNews, Finding, NewsFinding } from '@platform-sync/core/model/drift';
import { findingClause, shortTime } from '../words/drift.js';
import { count, inline, typeName } from '../words/value.js';
import { shellWord, visible } from '../words/escape.js';
import { isObject, type JsonObject, ownMember } from '@platform-sync/core/model/value';
import type { PlanValue } from '@platform-sync/core/model/plan';
import type { Change, ChangeGroup, Changes, Document, Line, Note, SectionId, Tone } from './document.js';
import { section } from './section.js';

interface Look {
  readonly mark: string;
  readonly tone: Tone;
  readonly change: Change['tone'];
}

/** How a state is shown, in every form. */
export const stackLooks: Readonly<Record<StackState, Look>> = {
  failed: { mark: '⛔', tone: 'blocked', change: 'remove' },
  unknown: { mark: '❓', tone: 'incomplete', change: 'state' },
  blocked: { mark: '⛔', tone: 'blocked', change: 'remove' },
  drift: { mark: '⚠️', tone: 'dangerous', change: 'change' },
  waiting: { mark: '🔷', tone: 'changes', change: 'add' },
  clean: { mark: '✅', tone: 'clean', change: 'state' },
};

const titles = { check: 'Drift', plan: 'Plans', status: 'Status' } as const;

/** What a round over a fleet tells: which stacks need somebody, the worst first, those of one cause together. */
export function fleetDocument({ name, kind, madeAt, rows, requests, engine }: FleetReport): Document {
  const worst = stackStates.find((state) => rows.some((row) => row.state === state)) ?? 'clean';
  const { mark, tone } = stackLooks[worst];
  const [needy, clean] = [rows.filter(isNeedy), rows.filter((row) => !isNeedy(row))];
  const verdict = verdictOf(rows, needy);
  return {
    subject: { what: `${titles[kind]} of`, targets: {} },
    verdict: `${name}: ${verdict}`,
    ...{ mark, tone, ending: `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}.`, facts: [] },
    ...(needy.length === 0 ? {} : { changes: changesOf(needy) }),
    sections: section(
      'done',
      'Clean',
      'aside',
      clean.map((row) => ({ line: cleanLine(row) })),
    ),
    next: [],
    values: { verdict: worst, stacks: rows.length, needy: needy.length },
    engine,
    source: [`Looked at ${shortTime(madeAt)}.`],
    made: [`made by version ${engine} with ${count(requests, 'request')}; the same as data: `, { page: 'fleet.json' }],
  };
}

function isNeedy({ state }: FleetRow): boolean {
  return state !== 'clean';
}

function verdictOf(rows: readonly FleetRow[], needy: readonly FleetRow[]): string {
  const all = count(rows.length, 'stack');
  if (needy.length === 0) return rows.length === 1 ? 'the stack is clean' : `all ${all} are clean`;
  return `${needy.length} of ${all} ${needy.length === 1 ? 'needs' : 'need'} somebody: ${kindsOf(needy)
    .map(([state, number]) => `${number} ${state}`)
    .join(', ')}`;
}

function kindsOf(rows: readonly FleetRow[]): Changes['kinds'] {
  return stackStates
    .map((state) => [state, rows.filter((row) => row.state === state).length] as const)
    .filter(([, number]) => number > 0);
}

function changesOf(rows: readonly FleetRow[]): Changes {
  return {
    ...{ title: 'Stacks', noun: 'stack', detailTitle: 'Each stack', kindTitle: 'State' },
    ...{ alertTitle: 'only high severity', kinds: kindsOf(rows), number: rows.length },
    columns: ['stack', 'cause', 'since', 'last apply', 'owner'],
    groups: [...groupBy(rows, ({ state, cause }) => `${state} ${cause}`).values()].flatMap(groupOf),
  };
}

/** Stacks of one cause: the first stands for all. */
function groupOf(rows: readonly FleetRow[]): readonly ChangeGroup[] {
  const [lead, ...alike] = rows.map(changeOf);
  return lead === undefined ? [] : [{ lead, alike, along: [], alongWords: '' }];
}

/** `payments/prod`; of a project that could not be opened, its folder. */
function rowName({ project, stack, folder }: Pick<FleetRow, 'project' | 'stack' | 'folder'>): string {
  return `${project === '' ? folder : project}/${stack === '' ? '?' : stack}`;
}

function changeOf(row: FleetRow): Change {
  const { state, cause, since, findings, folder, stack, lastGood, lastApply } = row;
  const at = `${folder === '.' ? '' : ` --cwd ${shellWord(folder)}`}${stack === '' ? '' : ` --stack ${shellWord(stack)}`}`;
  // Of one of which nothing is recorded, a plan says what to do.
  const isNew = state === 'unknown' && lastGood === undefined && lastApply === undefined;
  const verb = stack === '' ? 'validate' : state === 'waiting' || state === 'blocked' || isNew ? 'plan' : 'drift';
  const command = `sync ${verb}${at}`;
  return {
    key: `${folder}/${stack}`,
    ...{ mark: state, kind: state, tone: stackLooks[state].change, verb: '', name: rowName(row), type: '' },
    clause: since === undefined ? cause : `${cause.replace(/\.$/, '')}; since ${shortTime(since)}`,
    place: undefined,
    alert: (findings?.high ?? 0) > 0 ? { words: 'high', isSure: true } : undefined,
    cells: cellsOf(row),
    notes: notesOf(row),
    ...{ fieldCount: 0, fields: () => [] },
    commands: [{ line: command, each: [command] }],
    sameKind: `${state} ${cause}`,
    rank: stackStates.indexOf(state),
  };
}

function cellsOf(row: FleetRow): readonly Line[] {
  const { cause, since, lastApply, owners } = row;
  return [
    [{ code: rowName(row) }],
    [cause],
    since === undefined ? [] : [shortTime(since)],
    lastApply === undefined ? [] : [shortTime(lastApply.at), ' by ', { code: lastApply.by }],
    owners.length === 0 ? [] : [{ code: owners.join(' ') }],
  ];
}

function notesOf({ lastGood, lastApply, owners, labels, report }: FleetRow): readonly Note[] {
  const words = Object.entries(labels).map(([key, value]) => `${key}: ${value}`);
  const lines: Line[] = [[`everything compared last: ${lastGood === undefined ? 'never' : shortTime(lastGood)}`]];
  if (lastApply !== undefined) lines.push(lastApplyLine(lastApply));
  if (owners.length > 0) lines.push(['owner: ', { code: owners.join(' ') }]);
  if (words.length > 0) lines.push(['labels: ', { code: words.join(', ') }]);
  if (report !== undefined) lines.push(['report: ', { page: report }]);
  return lines.map((line) => ({ line }));
}

function lastApplyLine({ at, by, status }: NonNullable<FleetRow['lastApply']>): Line {
  return [
    'last apply: ',
    shortTime(at),
    ' by ',
    { code: by },
    status === undefined ? ', without an end' : `, ${status}`,
  ];
}

function cleanLine(row: FleetRow): Line {
  const { lastGood, report } = row;
  const good = lastGood === undefined ? '' : `, compared ${shortTime(lastGood)}`;
  return [{ strong: rowName(row) }, good, ...(report === undefined ? [] : [': ', { page: report }])];
}

const mostOfCause = 120;

/** What a finding says without its address and without what was before: many stacks may have one cause. */
export function findingCause(finding: Finding | NewsFinding): string {
  const { type, field, old, new: now } = finding;
  const name = type === '' ? 'rule' : typeName(type);
  if (field === undefined) return `${name} ${findingClause(finding)}`;
  const causes = isMap(old) && isMap(now) ? memberCauses(old, now) : [sideCause('', now)];
  const text = causes.map((cause) => `${name}.${field}${cause}`).join(', ');
  return text.length <= mostOfCause ? text : `${name}.${field} ${findingClause(finding)}`;
}

/** A map, and no secret that is shown as one word. */
function isMap(value: PlanValue | undefined): value is JsonObject {
  return isObject(value) && inline(value).startsWith('{');
}

/** Of a map, what differs. */
function memberCauses(old: JsonObject, now: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  const moved = names.filter((name) => inline(ownMember(old, name) ?? null) !== inline(ownMember(now, name) ?? null));
  return moved.map((name) => sideCause(`.${visible(name)}`, ownMember(now, name)));
}

function sideCause(path: string, now: PlanValue | undefined): string {
  return now === undefined ? `${path} removed` : `${path} → ${inline(now)}`;
}

/** News of stacks by their causes. */
export function fleetCauses(news: readonly DriftNews[]): readonly FleetCause[] {
  const all = news.flatMap(({ check: { project, stack }, changes }) =>
    changes.map((change) => ({ kind: change.kind, cause: newsCause(change), stack: `${project}/${stack}` })),
  );
  return [...groupBy(all, ({ kind, cause }) => `${kind} ${cause}`).values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{ kind: first.kind, cause: first.cause, stacks: [...new Set(group.map(({ stack }) => stack))] }];
  });
}

/** News of one stack, each by what is the same when it is gone. */
export function stackNews({ check: { project, stack }, changes }: DriftNews): readonly StackNews[] {
  return changes.map((change) => ({
    ...{ stack: `${project}/${stack}`, kind: change.kind, cause: newsCause(change), item: itemOf(change) },
  }));
}

function itemOf(change: DriftChange): string {
  if ('finding' in change) return change.finding.id;
  return 'read' in change ? change.read.id : 'check';
}

function newsCause(change: DriftChange): string {
  switch (change.kind) {
    case 'new':
    case 'worse':
      return findingCause(change.finding);
    case 'resolved':
      return change.finding.field ?? change.finding.class;
    case 'unread':
      return change.read.diagnostic.summary;
    case 'failed':
      return change.problems[0]?.summary ?? 'The check failed.';
    case 'recovered':
      return 'It can be checked again.';
  }
}

const newsSections: readonly (readonly [FleetCause['kind'], SectionId, string])[] = [
  ['failed', 'problems', 'Could not be checked'],
  ['unread', 'not-compared', 'Could not be compared'],
  ['new', 'appeared', 'New'],
  ['worse', 'worse', 'Worse'],
  ['resolved', 'resolved', 'Resolved'],
  ['recovered', 'notices', 'Recovered'],
];

/** What a round saw that the ones before did not: a line a cause. */
export function fleetNewsDocument(name: string, causes: readonly FleetCause[]): Document {
  const stacks = new Set(causes.flatMap((cause) => cause.stacks));
  const verdict = `${name}: news of ${count(stacks.size, 'stack')}`;
  const sections = newsSections.flatMap(([kind, id, title]) =>
    section(id, title, 'grave', causes.filter((one) => one.kind === kind).map(causeItem)),
  );
  const values = { verdict: 'news', stacks: stacks.size };
  const bare = { facts: [], next: [], source: [], made: [], values };
  return {
    subject: { what: 'Fleet', targets: {} },
    verdict,
    mark: '⚠️',
    tone: 'dangerous',
    ending: `${verdict}.`,
    sections,
    ...bare,
  };
}

function causeItem({ cause, stacks }: FleetCause): { readonly line: Line } {
  const [names, more] = [stacks.slice(0, shownStacks), stacks.length - shownStacks];
  const rest = more > 0 ? ` and ${String(more)} more` : '';
  return { line: [`${cause}: `, { names: names.map((address) => ({ address })) }, rest] };
}

const shownStacks = 10;
