import { defined } from '@platform-sync/core/model/value';
import { isSuperseded, type Revision } from './review-request.js';
import { isSameSubject, type Subject } from './subject.js';

/** What the table of a comment tells of a project and stack. Texts are HTML that is as harmless in Markdown. */
export interface Row {
  readonly mark: string;
  readonly verdict: string;
  readonly counts: string;
  /** 0 is the gravest; `clean` is told by its row alone. */
  readonly rank: number;
  /** Absent where sync.yaml could not be read. */
  readonly project?: string;
  readonly stack?: string;
  /** Page of the run that said so. */
  readonly link?: string;
}

/** The rank of what is all right. */
export const cleanRank = 4;

/** What one run said of one project and stack. */
export interface Part {
  /** `plan`: what would happen, under review. `run`: what became of the plan after it. */
  readonly kind: 'plan' | 'run';
  readonly revision: Revision;
  readonly row: Row;
  readonly markdown: string;
}

export type PastRun = Pick<Part, 'row' | 'revision'>;

/** All that the comment tells of one project and stack. */
export interface Entry {
  readonly subject: Subject;
  readonly now: Part;
  /** What was reviewed, where `now` is what became of it. */
  readonly plan?: Part;
  /** Runs before, oldest first. */
  readonly runs: readonly PastRun[];
  /** Commit that was applied after the plan was made: what it says of the platform is old. */
  readonly appliedSince?: string;
}

// Of more runs nobody reads the first.
const mostRuns = 10;

/** The entry once a run has spoken: a run never wipes out what was reviewed, nor the runs before it. */
function entryWith(before: Entry | undefined, subject: Subject, part: Part): Entry {
  if (before === undefined) return { subject, now: part, runs: [] };
  const { now } = before;
  const isRepeated = now.kind === 'run' && part.kind === 'run' && isSameResult(now, part);
  const runs =
    now.kind === 'run' && !isRepeated ? [...before.runs, { row: now.row, revision: now.revision }] : before.runs;
  const plan = part.kind === 'plan' ? undefined : now.kind === 'plan' ? now : before.plan;
  return {
    subject:
      subject.isAnyStack === true
        ? before.subject
        : { ...subject, ...defined({ project: subject.project ?? before.subject.project }) },
    now: {
      ...part,
      row: {
        ...part.row,
        ...defined({ project: part.row.project ?? now.row.project, stack: part.row.stack ?? now.row.stack }),
      },
    },
    ...defined({ plan }),
    runs: runs.slice(-mostRuns),
  };
}

/** A job that is started again tells the same result, of the same moment. */
function isSameResult(a: Part, b: Part): boolean {
  return (
    a.revision.commit === b.revision.commit && (a.revision.planned === b.revision.planned || a.markdown === b.markdown)
  );
}

/** The entries once all parts have spoken. */
export function entriesWith(
  before: readonly Entry[],
  parts: readonly { readonly subject: Subject; readonly part: Part }[],
): readonly Entry[] {
  const entries = [...before];
  for (const { subject, part } of parts) {
    const at = placeOf(entries, subject);
    const made = entryWith(entries[at], subject, part);
    if (at < 0) entries.push(made);
    else entries[at] = made;
  }
  // A failure that could not tell its stack is over once a stack of the folder can be told.
  const known = new Set(parts.flatMap(({ subject }) => (subject.isAnyStack === true ? [] : [subject.folder])));
  return entries.filter(({ subject }) => subject.isAnyStack !== true || !known.has(subject.folder));
}

/** Where a run of no known stack belongs: to the only one of its folder, if there is one. */
function placeOf(entries: readonly Entry[], subject: Subject): number {
  const at = entries.findIndex((entry) => isSameSubject(entry.subject, subject));
  if (at >= 0 || subject.isAnyStack !== true) return at;
  const ofFolder = entries.filter((entry) => entry.subject.folder === subject.folder);
  const [only, ...others] = ofFolder;
  return only === undefined || others.length > 0 ? -1 : entries.indexOf(only);
}

/** What two comments tell, as one: of each subject what was said last. */
export function joined(a: readonly Entry[], b: readonly Entry[]): readonly Entry[] {
  const entries = [...a];
  for (const entry of b) {
    const at = entries.findIndex(({ subject }) => isSameSubject(subject, entry.subject));
    const known = entries[at];
    if (known === undefined) entries.push(entry);
    else if (isSuperseded(known.now.revision, entry.now.revision)) entries[at] = entry;
  }
  return entries;
}
