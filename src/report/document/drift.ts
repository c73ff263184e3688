import { defined } from '@platform-sync/core/model/value';
import {
  driftSeverities,
  type DriftResult,
  type DriftSeverity,
  type DriftStatus,
  type DriftVerb,
  type Finding,
} from '@platform-sync/core/model/drift';
import { readJsonText } from '../diff/structured-text.js';
import { compared } from '../view/compared.js';
import { fieldView, type FieldView } from '../view/field-view.js';
import { filePlace } from '../view/review-place.js';
import {
  driftMarks,
  driftVerdict,
  endWords,
  findingClause,
  findingName,
  partialDriftLine,
  shortTime,
  trendWords,
} from '../words/drift.js';
import { visible } from '../words/escape.js';
import { adoptCommand, besidesFirst, noRecordOf } from '../words/diagnostics.js';
import { count, typeName } from '../words/value.js';
import { importCommand } from '../words/next-steps.js';
import type { Change, Changes, Command, Cure, Document, Fact, Item, Line, Note, Section, Tone } from './document.js';
import { firstFacts, notComparedSection, problemSection, section, strangerSection } from './section.js';

export interface DriftDocumentOptions {
  /**
   * For a text that stays: without what holds for this check only (what is news, what is resolved, what is no drift), so
   * that it is the same until a finding changes, its source aside.
   */
  readonly lasting?: boolean;
}

const tones: Readonly<Record<DriftStatus, Tone>> = {
  clean: 'clean',
  drift: 'dangerous',
  incomplete: 'incomplete',
  failed: 'blocked',
};

/** What a drift check tells. */
export function driftDocument(result: DriftResult, { lasting = false }: DriftDocumentOptions = {}): Document {
  const verdict = driftVerdict(result);
  const { project, stack, targets, status, engine, requests } = result;
  const changes = findingChanges(result.findings, lasting);
  return {
    subject: { what: 'Drift of', targets, ...defined({ project: project || undefined, stack: stack || undefined }) },
    verdict: verdict.replace(/\.$/, ''),
    mark: driftMarks[status],
    tone: tones[status],
    ending: verdict,
    facts: factsOf(result),
    ...defined({ changes }),
    sections: [
      problemSection(besidesFirst(result.diagnostics)),
      notComparedSection(result.notCompared.map(uncheckedItem)),
      flappingSection(result),
      ...(lasting ? [] : restSections(result)),
    ].flat(),
    next: nextSteps(result),
    values: { verdict: status, 'verdict-text': verdict, findings: result.findings.length, project, stack },
    engine,
    source: [lasting ? lastingNote(result) : checkNote(result)],
    made: [`made by version ${engine} with ${count(Number(requests), 'request')}; the same as data: drift.json`],
  };
}

function factsOf({ diagnostics, partial, unrecorded }: DriftResult): readonly Fact[] {
  // That nothing is recorded is the verdict itself.
  const first = diagnostics.filter((one) => unrecorded === undefined || noRecordOf([one]) === undefined);
  return [
    ...firstFacts(first),
    ...(partial === undefined ? [] : [{ weight: 'notice' as const, line: [partialDriftLine(partial)] }]),
  ];
}

function findingChanges(findings: readonly Finding[], lasting: boolean): Changes | undefined {
  if (findings.length === 0) return undefined;
  const number = (severity: DriftSeverity): number => findings.filter((one) => one.severity === severity).length;
  return {
    title: 'Findings',
    noun: 'finding',
    detailTitle: 'Each finding',
    kindTitle: 'Severity',
    alertTitle: 'only what is new or worse',
    kinds: driftSeverities.map((severity) => [severity, number(severity)] as const).filter(([, found]) => found > 0),
    columns: ['what', 'where', 'since', 'finding'],
    number: findings.length,
    groups: findings.map((finding) => ({ lead: changeOf(finding, lasting), alike: [], along: [], alongWords: '' })),
  };
}

// The colours of what a plan deletes, updates and takes over.
const severityTones: Readonly<Record<DriftSeverity, Change['tone']>> = {
  high: 'remove',
  medium: 'change',
  low: 'state',
};

function changeOf(finding: Finding, lasting: boolean): Change {
  const { id, severity, trend, todo } = finding;
  const place = filePlace(finding.source);
  const view = findingView(finding);
  const isNews = !lasting && trend !== 'known';
  return {
    key: id,
    mark: severity,
    kind: severity,
    tone: severityTones[severity],
    verb: '',
    name: findingName(finding),
    type: finding.type === '' ? '' : typeName(finding.type),
    clause: findingClause(finding),
    place,
    alert: isNews ? { words: trend, isSure: true } : undefined,
    cells: cellsOf(finding, isNews),
    notes: notesOf(finding, lasting),
    fieldCount: view === undefined ? 0 : 1,
    fields: () => (view === undefined ? [] : [view]),
    todo: todo.split('\n').join(' '),
    commands: findingCommands(finding),
    rank: driftSeverities.indexOf(severity),
  };
}

/** Both values of a finding, laid out; none for one that is about a whole object, or has no value to show. */
function findingView({ field, old, new: now }: Finding): FieldView | undefined {
  if (field === undefined || (old === undefined && now === undefined)) return undefined;
  const sides = defined({ old, new: now });
  // As a deletion, so that nothing is said about what an update would do.
  return fieldView({ field, rule: 'update', cause: 'config', ...sides }, 'delete', readJsonText, compared);
}

/** What can be typed about a finding, with its ids in it. */
function findingCommands({ id, verbs, importId }: Finding): readonly Command[] {
  const take = importId === undefined ? [] : [importCommand({ importId })];
  return [
    ...take.map((line) => ({ line, each: [line] })),
    ...(verbs.length === 0
      ? []
      : [{ line: `sync drift ${verbs.join('|')} ${id}`, each: verbs.map((verb) => `sync drift ${verb} ${id}`) }]),
  ];
}

function cellsOf(finding: Finding, isNews: boolean): readonly Line[] {
  const { id, trend, type, name, source, firstSeen } = finding;
  const place = filePlace(source);
  return [
    [
      ...(isNews ? [{ strong: trend }, ' '] : []),
      { code: findingName(finding) },
      ...(type === '' ? [] : [' (', { type: typeName(type) }, ')']),
      ` ${findingClause(finding)}`,
      ...(name === undefined ? [] : [': ', { code: name }]),
    ],
    place === undefined ? (source === undefined ? [] : [{ code: source }]) : [{ place }],
    // The day: its hour stands with the finding itself.
    [shortTime(firstSeen).split(' ')[0] ?? ''],
    [{ code: id }],
  ];
}

/** What the values do not tell. */
function notesOf(finding: Finding, lasting: boolean): readonly Note[] {
  const { id, name, trend, firstSeen, updatedAt, with: parent, expired, flaps } = finding;
  const news = lasting ? '' : `, ${trendWords[trend]}`;
  const moved: Line = updatedAt === undefined ? [] : ['; object last changed ', platformTime(updatedAt)];
  return [
    ...(name === undefined ? [] : [{ line: [{ strong: name }] }]),
    { line: ['finding ', { code: id }, `${news}, first seen ${shortTime(firstSeen)}`, ...moved] },
    ...(parent === undefined ? [] : [{ line: ['went with ', { code: parent }] }]),
    ...(flaps === undefined
      ? []
      : [{ line: [`comes and goes: it came ${flaps} times, each time soon after it had gone`] }]),
    ...(expired === undefined
      ? []
      : [{ line: ['was ignored until ', { code: expired.until }, `: ${expired.reason}`] }]),
  ];
}

/** A time in the platform's own words: shown as it is unless it is one. */
function platformTime(text: string): Line[number] {
  const short = shortTime(text);
  return short === text ? { code: text } : short;
}

function uncheckedItem({ address, type, diagnostic, firstSeen }: DriftResult['notCompared'][number]): Item {
  const since = `since ${shortTime(firstSeen)}`;
  return {
    line: [{ code: address ?? typeName(type) }, ` ${since}: ${diagnostic.summary}`],
    problem: {
      ...diagnostic,
      address: address ?? typeName(type),
      detail: [diagnostic.detail ?? [], since].flat().join('\n'),
    },
  };
}

function flappingSection({ flapping = [] }: DriftResult): readonly Section[] {
  return section(
    'flapping',
    'Comes and goes; not there at the moment',
    'plain',
    flapping.map((found) => ({
      line: [
        { strong: findingName(found) },
        `: it came ${found.came ?? 1} times (last seen ${shortTime(found.lastSeen)})`,
      ],
    })),
  );
}

/** What is no drift. */
function restSections({
  resolved,
  ignored,
  unapplied,
  converged,
  unmanaged,
  unrecorded,
}: DriftResult): readonly Section[] {
  const name = (found: Pick<Finding, 'address' | 'field'>): Line => [{ strong: findingName(found) }];
  return [
    section(
      'resolved',
      'Resolved since the last check',
      'aside',
      resolved.map((found) => ({
        line: [...name(found), `: ${endWords[found.by]} (first seen ${shortTime(found.firstSeen)})`],
      })),
    ),
    section(
      'ignored',
      'Ignored by a rule',
      'aside',
      ignored.map(({ until, reason, ...found }) => ({
        line: [...name(found), `${until === undefined ? '' : ` until ${until}`}: ${reason}`],
      })),
    ),
    section(
      'unapplied',
      'In the catalogue and not applied yet',
      'aside',
      unapplied.map(({ address, action, fields, source }) => {
        const place = filePlace(source);
        const names = fields.flatMap((field, at): Line => [at === 0 ? ' of ' : ', ', { code: field }]);
        return {
          line: [`${action} `, { strong: address }, ...names, ...(place === undefined ? [] : [' in ', { place }])],
        };
      }),
    ),
    section(
      'converged',
      'Changed outside, and now as the catalogue says; the next apply records that',
      'aside',
      converged.map((found) => ({ line: name(found) })),
    ),
    strangerSection(unmanaged, unrecorded === undefined ? undefined : 'On the platform, and not recorded'),
  ].flat();
}

const verbNotes: Readonly<Record<DriftVerb, string>> = {
  revert: '# put the platform back, through a plan',
  accept: '# write the value into the catalogue',
  record: '# fine for now: reported again when it changes',
  ignore: '--reason "why"   # leave it out of the check, by a rule',
};

function nextSteps({ findings, unapplied, status, unrecorded }: DriftResult): readonly Cure[] {
  const cure = (words: string, lines: readonly string[], where?: Cure['where']): Cure => ({
    words,
    lines,
    language: 'sh',
    ...defined({ where }),
  });
  if (unrecorded !== undefined)
    return [cure('This is normal before a first apply. If the objects exist already, record them:', [adoptCommand])];
  const best = findings.reduce<Finding | undefined>(
    (most, one) => (one.verbs.length > (most?.verbs.length ?? 0) ? one : most),
    undefined,
  );
  return [
    // For the finding that allows the most.
    ...(best === undefined
      ? []
      : [
          cure(
            'What can be done about a finding:',
            best.verbs.map((verb) => `sync drift ${verb} ${visible(best.id)} ${verbNotes[verb]}`),
            'review',
          ),
        ]),
    ...(status === 'failed' || unapplied.length === 0
      ? []
      : [cure(`${count(unapplied.length, 'change')} of the catalogue still to apply:`, ['sync plan'], 'terminal')]),
  ];
}

function checkNote({ checkedAt, lastSuccess, findings }: DriftResult): string {
  const [oldest] = findings.map(({ firstSeen }) => firstSeen).sort();
  const since = oldest === undefined ? '' : ` Oldest finding: ${shortTime(oldest)}.`;
  const success = lastSuccess === undefined ? 'never' : shortTime(lastSuccess);
  return `Checked ${shortTime(checkedAt)}; everything compared last: ${success}.${since}`;
}

function lastingNote({ checkedAt }: DriftResult): string {
  return `As of ${shortTime(checkedAt)}. This text is rewritten when the findings change, so write notes as comments. A check that compares everything and finds no drift closes the issue.`;
}
