import type { Address } from '@platform-sync/core/model/address';
import type { Diagnostic } from '@platform-sync/core/model/diagnostic';
import type { FieldView } from '../view/field-view.js';
import type { FilePlace } from '../view/review-place.js';
import type { FindingRule } from './rules.js';

/**
 * What a plan, a drift check or an apply tells its readers, before any form: what is said, in which order, and how much
 * it weighs. Writers decide how it looks and what has no room. All texts are visible, none is escaped for a form.
 */
export interface Document {
  readonly subject: Subject;
  /** The answer in one line, without names and values, and its sign. */
  readonly verdict: string;
  readonly mark: string;
  readonly tone: Tone;
  /** What it comes to, as the last word of a text. */
  readonly ending: string;
  readonly facts: readonly Fact[];
  readonly changes?: Changes;
  /** The gravest first. None is empty. */
  readonly sections: readonly Section[];
  /** What to do next. */
  readonly next: readonly Cure[];
  /** What it was made of; the same for the same plan. */
  readonly source: Line;
  /** When and by whom. */
  readonly made: Line;
  /** Version of this program, where it is known. */
  readonly engine?: string;
  /** The same for programs: its verdict in a word, its counts, what it is of. */
  readonly values: Readonly<Record<string, string | number | boolean>> & { readonly verdict: string };
}

/** `Plan for payments, stack default: platform at https://…` */
interface Subject {
  /** `Plan for`, `Drift of` */
  readonly what: string;
  /** Absent where the project could not even be opened. */
  readonly project?: string;
  readonly stack?: string;
  readonly targets: Readonly<Record<string, string>>;
}

/** The gravest that holds; colours of the page. */
export type Tone = 'blocked' | 'incomplete' | 'dangerous' | 'changes' | 'clean';

/** A piece of a line: a sentence that may hold names, or what is shown as it is. */
export type Span =
  | string
  | { readonly code: string }
  /** What the line is about. */
  | { readonly strong: string }
  /** Resources; each leads to its change, or to its line. `such`: one of them stands for all where there is little room. */
  | { readonly names: readonly Name[]; readonly such?: true }
  | { readonly type: string }
  | { readonly place: FilePlace }
  /** Of a value; absent: there is none. */
  | { readonly old: string | undefined; readonly new: string | undefined }
  | { readonly command: string }
  /** Path of another page, relative to this one. */
  | { readonly page: string };

export type Line = readonly Span[];

export interface Name {
  readonly address: Address;
  readonly place?: FilePlace;
}

export interface Fact {
  /**
   * `warning`: before all else. `summary`: the counts. `notice`: not all was looked at. `ending`: of interest once the
   * rest was read.
   */
  readonly weight: 'warning' | 'summary' | 'plain' | 'notice' | 'ending';
  readonly line: Line;
  /** Shown as a problem is, where there is room for it. */
  readonly problem?: Diagnostic;
}

export type SectionId =
  | 'danger'
  | 'appeared'
  | 'worse'
  | 'about'
  | 'guards'
  | 'failed'
  | 'open'
  | 'superseded'
  | 'not-compared'
  | 'origins'
  | 'skipped'
  | 'problems'
  | 'outputs'
  | 'resolved'
  | 'flapping'
  | 'left-out'
  | 'notices'
  | 'undeclared'
  | 'watched'
  | 'ignored'
  | 'unapplied'
  | 'converged'
  | 'unmanaged'
  | 'done';

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  /** `grave`: to be seen. `aside`: for whoever asks. */
  readonly weight: 'grave' | 'plain' | 'aside';
  /** What holds for all of its items. */
  readonly lead?: string;
  readonly items: readonly Item[];
  /** What can be done about it. */
  readonly cure?: readonly Cure[];
}

export interface Item {
  /** Title of the group it belongs to; those of one group stand together. */
  readonly group?: string;
  readonly line: Line;
  /** All names of its line are told as one. */
  readonly isAlike?: true;
  /** How many it stands for, unless one. */
  readonly number?: number;
  readonly below?: readonly Line[];
  /** Shown as a problem is, in place of the line: where it stands, and what helps. */
  readonly problem?: Diagnostic;
  /** The others of its kind, which are not told themselves. */
  readonly alike?: readonly Diagnostic[];
  /** Why, below the line. */
  readonly causes?: readonly Diagnostic[];
  /** What its causes are about, where they do not say it themselves. */
  readonly about?: Name;
  /** What a tool shows at a line of a file; absent: its problem and its causes. */
  readonly finding?: ItemFinding;
}

interface ItemFinding {
  readonly rule: FindingRule;
  /** Tells it apart from others of its rule and address. */
  readonly subject: string;
  readonly address?: Address;
  readonly place?: FilePlace;
  /** A sentence: what helps against this one. */
  readonly help?: string;
}

/** A sentence, and what to type or to write. */
export interface Cure {
  readonly words: string;
  readonly language: 'sh' | 'yaml';
  readonly lines: readonly string[];
  /** Where it helps; absent: anywhere. */
  readonly where?: 'review' | 'terminal';
}

/** What changes, or has changed: told one by one, or once for many. */
export interface Changes {
  readonly title: string;
  /** What one of them is: `change`, `finding`. */
  readonly noun: string;
  /** Of the parts that tell each in full. */
  readonly detailTitle: string;
  /** What its kinds are: `Action`, `Severity`. */
  readonly kindTitle: string;
  readonly kinds: readonly (readonly [kind: string, number: number])[];
  /** What the alert of a change means. */
  readonly alertTitle: string;
  readonly columns: readonly string[];
  /** What the marks mean, on one line. */
  readonly legend?: string;
  readonly groups: readonly ChangeGroup[];
  readonly number: number;
}

/** Each change, whether it is told for itself or with others. */
export function allChanges(changes: Changes | undefined): readonly Change[] {
  return (changes?.groups ?? []).flatMap(({ lead, alike, along }) => [lead, ...alike, ...along]);
}

/** One that is told, and those that are told with it. */
export interface ChangeGroup {
  readonly lead: Change;
  /** Changed in exactly the same way. */
  readonly alike: readonly Change[];
  /** Only there because of the lead. */
  readonly along: readonly Change[];
  /** `deletes`: what happens to what goes along. */
  readonly alongWords: string;
}

export interface Change {
  /** Unlike that of all others. */
  readonly key: string;
  /** `+`, `high` */
  readonly mark: string;
  readonly kind: string;
  readonly tone: 'add' | 'change' | 'remove' | 'state';
  readonly verb: string;
  readonly name: string;
  /** As catalogues spell it; empty: of no type. */
  readonly type: string;
  /** Key of what it lives in, or goes with. */
  readonly below?: string;
  /** What happened, where the verb does not say it. */
  readonly clause?: string;
  readonly place: FilePlace | undefined;
  /** `can hurt`, `new` */
  readonly alert: { readonly words: string; readonly isSure: boolean } | undefined;
  /** Its cells in a table, besides the mark. */
  readonly cells: readonly Line[];
  readonly notes: readonly Note[];
  readonly fieldCount: number;
  /** What a tool shows at the line that caused it. `clauses`: what else it does. */
  readonly finding?: { readonly rule: FindingRule; readonly place?: FilePlace; readonly clauses: readonly string[] };
  readonly fields: () => readonly FieldView[];
  /** What can be done about it. */
  readonly todo?: string;
  readonly commands: readonly Command[];
  /** The same for those that differ in values alone; absent: like no other. */
  readonly sameKind?: string;
  /** Least first: what hurts, what changes, what is new. */
  readonly rank: number;
}

/** What to type: one of several, as one line where there is little room, or each for itself. */
export interface Command {
  readonly line: string;
  readonly each: readonly string[];
}

export interface Note {
  readonly label?: 'because' | 'risk';
  readonly line: Line;
  /** `aside`: who has little room leaves it out. `graph`: a picture tells it better than a terminal. */
  readonly weight?: 'aside' | 'graph';
}
