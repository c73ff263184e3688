import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { Pipeline } from './pipeline.js';
import type { NotCompared, PlanValue, Unmanaged } from './plan.js';
import { defined } from './value.js';
import type { NumberedRunNews } from './run-news.js';

/** What a drift check calls a finding. Each one counts as drift. */
export type DriftClass =
  /** A field this tool answers for has another value than the recorded one. */
  | 'modified'
  /** The object is gone. */
  | 'deleted'
  /** A field that the catalogue leaves to the platform has another value than when it was last seen. */
  | 'undeclared-changed'
  /** A rule under `drift.ignore` is past its date; what it hid is shown again. */
  | 'expired-rule'
  /** An object that nobody manages, where `drift.unmanaged` asks for it. */
  | 'unmanaged';

export const driftClasses: readonly DriftClass[] = [
  'modified',
  'deleted',
  'undeclared-changed',
  'expired-rule',
  'unmanaged',
];

/** Worst first. */
export type DriftSeverity = 'high' | 'medium' | 'low';

export const driftSeverities: readonly DriftSeverity[] = ['high', 'medium', 'low'];

/** What a user can do about a finding. */
export type DriftVerb =
  /** Put the platform back, through a plan. */
  | 'revert'
  /** Write what the platform has into the catalogue. */
  | 'accept'
  /** Take it into state: no finding until it moves again. */
  | 'record'
  /** Leave it out of the check, by a rule with a reason. */
  | 'ignore';

export const driftVerbs: readonly DriftVerb[] = ['accept', 'ignore', 'revert', 'record'];

/**
 * A step of a plan that compares: what was changed behind the tool's back, how much it weighs, whether it is new, and what can be
 * done about it.
 */
export interface Finding {
  /** Ten hex digits of a digest over address, field and class: the same in every check that finds it. */
  readonly id: string;
  /** Of an object that nobody manages: its type and id, below the resource it lives in (`petstore/ApiDocument:ID`). */
  readonly address: Address;
  /** Full type token; empty for a rule that names no single resource. */
  readonly type: string;
  readonly class: DriftClass;
  /** Absent where it is about the whole object. */
  readonly field?: string;
  /** As recorded; absent: there was none. Secrets are sealed. */
  readonly old?: PlanValue;
  /** As the platform has it; absent: none. Secrets are sealed. */
  readonly new?: PlanValue;
  readonly severity: DriftSeverity;
  /** Against the last check that could see it. `worse`: it weighs more, or moved again. */
  readonly trend: 'new' | 'worse' | 'known';
  /** ISO 8601 UTC: the checks that saw it first and last without one in between that did not. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** When the platform says the object was last changed. */
  readonly updatedAt?: string;
  /** The object's id on the platform. */
  readonly objectId?: string;
  /** For `unmanaged`: what people know the object by. */
  readonly name?: string;
  /** For `unmanaged`: the public sees it. */
  readonly visible?: true;
  /** For `unmanaged`: what `sync adopt` takes. */
  readonly importId?: string;
  /** `file:line:column` of the property, or of the resource's key. */
  readonly source?: string;
  /** The catalogue says something else than what was recorded, too. */
  readonly alsoInFile?: true;
  /** For `deleted`: the deleted object it lived in. */
  readonly with?: Address;
  /** The rule that has run out and used to hide this. */
  readonly expired?: { readonly reason: string; readonly until: string };
  /** It comes and goes: how often it came, each time soon after it had gone. */
  readonly flaps?: number;
  /** Verbs that can deal with it. */
  readonly verbs: readonly DriftVerb[];
  /** What to do, one sentence. */
  readonly todo: string;
}

/**
 * A change outside that ended where the catalogue wants it: only the record is behind. Without a field the object is gone, and the
 * catalogue does not want it any more.
 */
export type Converged = Pick<Finding, 'address' | 'type' | 'field'>;

/** A change of the catalogue that was not applied yet. No drift. */
export interface Unapplied {
  readonly address: Address;
  readonly type: string;
  /** What a plan would do: `create`, `update` … */
  readonly action: string;
  /** Fields that differ; empty where it is about the whole object. */
  readonly fields: readonly string[];
  readonly source?: string;
}

export interface IgnoredFinding extends Pick<Finding, 'id' | 'address' | 'type' | 'class' | 'field'> {
  readonly reason: string;
  /** `YYYY-MM-DD` */
  readonly until?: string;
}

/** A read that failed: nothing is claimed about this object, and what was known of it stands. */
export interface UncheckedFinding extends NotCompared, Pick<Finding, 'id' | 'firstSeen'> {
  readonly trend: 'new' | 'known';
}

/** What is remembered of a finding; without values. */
export interface SeenFinding extends Pick<Finding, 'id' | 'address' | 'field' | 'severity' | 'firstSeen' | 'lastSeen'> {
  readonly class: DriftClass | 'not-compared';
  /** sha256 over the new value, secrets sealed: tells whether it moved again. */
  readonly digest: string;
  /** Absent: it was there at the last check that could see it. */
  readonly resolvedAt?: string;
  /** How many times in a row it came, each time soon after it had gone; absent: once. */
  readonly came?: number;
}

/** What an earlier check saw and this one does not any more. */
export interface ResolvedFinding extends Omit<SeenFinding, 'digest' | 'resolvedAt'> {
  /** `settled`: recorded and actual agree again; `ignored`: a rule hides it now. */
  readonly by: 'settled' | 'ignored';
}

/** How a check ended. `incomplete` beats `drift`: what was not compared is never clean, nor is a stack without any record. */
export type DriftStatus = 'clean' | 'drift' | 'incomplete' | 'failed';

/** Recorded against actual, as one document. Pure JSON (schemas/drift.schema.json). */
export interface DriftResult {
  readonly formatVersion: 1;
  readonly engine: string;
  readonly project: string;
  readonly stack: string;
  /** Provider → target (server URL). */
  readonly targets: Readonly<Record<string, string>>;
  readonly checkedAt: string;
  /** The pipeline's run that made the check; absent outside of one. */
  readonly pipeline?: Pipeline;
  /** Set when only a part of the stack was looked at: nothing is said of the rest, and nothing of it is kept. */
  readonly partial?: { readonly targets: readonly Address[]; readonly excludes: readonly Address[] };
  readonly status: DriftStatus;
  /** Worst first, then by address and field. */
  readonly findings: readonly Finding[];
  readonly notCompared: readonly UncheckedFinding[];
  readonly resolved: readonly ResolvedFinding[];
  /** What comes and goes and is not there at the moment; nobody is told that it is gone before it has stayed away. */
  readonly flapping?: readonly ResolvedFinding[];
  readonly ignored: readonly IgnoredFinding[];
  readonly converged: readonly Converged[];
  readonly unapplied: readonly Unapplied[];
  readonly unmanaged: readonly Unmanaged[];
  /** Objects that were compared. */
  readonly compared: number;
  /** Resources of the catalogue, where nothing at all is recorded for the stack: nothing could be compared. */
  readonly unrecorded?: number;
  /** Identity of the state that was compared; absent where it was not read. */
  readonly lineage?: string;
  /** The last check that compared everything, this one included. */
  readonly lastSuccess?: string;
  /** How the check before this one ended; absent: there was none, or nothing is known of it. */
  readonly before?: DriftStatus;
  readonly requests: number;
  /** Errors that kept the check from being made; else warnings. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A rule of sync.yaml that leaves drift out of the check. */
export interface DriftRule {
  /** `*` stands for any part of an address. */
  readonly address: string;
  /** A field, or the dotted path of a part of one (`labels.team`); absent: everything, deletion included. */
  readonly field?: string;
  readonly reason: string;
  /** Last day it holds, `YYYY-MM-DD`, UTC. */
  readonly until?: string;
  /** `file:line:column` */
  readonly source: string;
}

/** When a finding that comes and goes is told as one that does: see `drift.flapping`. */
export interface FlapRule {
  readonly times: number;
  readonly hours: number;
}

/** `visible`: what the public sees; `all`: everything; else everything of these types, by name (`Api`). */
export type UnmanagedSetting = 'visible' | 'all' | readonly string[];

/** `drift:` of sync.yaml. */
export interface DriftSettings {
  /** `FIELD`, `TYPE.FIELD`; `deleted`, `unmanaged` and `TYPE.` with these → severity. */
  readonly severity: Readonly<Record<string, DriftSeverity>>;
  /** Objects that nobody manages: what of them is a finding. Absent: nothing. */
  readonly unmanaged?: UnmanagedSetting;
  readonly ignore: readonly DriftRule[];
  readonly flapping?: FlapRule;
  readonly webhook?: string;
  /** Why the webhook of the files under review is not posted to. */
  readonly refused?: Diagnostic;
  readonly format: 'generic' | 'slack';
  /** Key of the webhook's signature. */
  readonly secret?: string;
  /** Settings that name an environment variable which is not set: `drift.webhook`. Only a drift check minds. */
  readonly unset: readonly string[];
}

/** The last check of a stack. */
interface CheckMark {
  readonly at: string;
  readonly status: DriftStatus;
}

/** What earlier checks of a stack saw. */
export interface DriftHistory {
  /** By id; resolved ones are kept for ninety days. */
  readonly findings: readonly SeenFinding[];
  readonly lastCheck?: CheckMark;
  /** Of the last check, or of the last run that was told of; 0: neither. A check follows it. */
  readonly number: number;
  /** The last check that compared everything. */
  readonly lastSuccess?: string;
}

/** One check, to be remembered. */
export interface DriftNote {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly status: DriftStatus;
  /** When they were seen is when the check was. */
  readonly seen: readonly Omit<SeenFinding, 'firstSeen' | 'lastSeen' | 'resolvedAt'>[];
  /** Ids of open findings that are no more. */
  readonly resolved: readonly string[];
  /** Those of them that flapped and are quiet now. */
  readonly quiet?: readonly string[];
  /** See `DriftHistory.number`: where another check or run came in between, nothing is written. Left out: any. */
  readonly after?: number;
  /** What others are to be told, if anything. */
  readonly news?: DriftNews;
}

/** A finding as somebody is told of it: long values only by their beginning, secrets sealed. */
export interface NewsFinding extends Finding {
  /** Values of which only the beginning is there. */
  readonly cut?: readonly ('old' | 'new')[];
}

/** What one check saw that the check before it did not. */
export type DriftChange =
  | { readonly kind: 'new' | 'worse'; readonly finding: NewsFinding }
  | { readonly kind: 'resolved'; readonly finding: ResolvedFinding }
  /** A read that fails since this check. */
  | { readonly kind: 'unread'; readonly read: UncheckedFinding }
  /** The check could not be made; the one before could. */
  | { readonly kind: 'failed'; readonly problems: readonly Diagnostic[] }
  /** It could be made again. */
  | { readonly kind: 'recovered' };

/** How a check ended, in numbers. */
export interface CheckSummary extends Pick<
  DriftResult,
  'project' | 'stack' | 'targets' | 'checkedAt' | 'status' | 'unrecorded'
> {
  readonly findings: Readonly<Record<DriftSeverity, number>>;
  readonly notCompared: number;
  readonly compared: number;
}

/** The changes of one check. */
export interface DriftNews {
  readonly check: CheckSummary;
  readonly changes: readonly DriftChange[];
}

/** News with its place among the checks and told runs of a stack: 1, 2 … */
interface NumberedNews extends DriftNews {
  readonly number: number;
}

/** What news can be about. */
export interface NewsOf {
  readonly drift: NumberedNews;
  readonly run: NumberedRunNews;
}

/** What a receiver has not acknowledged yet, and the right to tell it: nobody else does meanwhile. */
export interface TakenNews<About extends keyof NewsOf = 'drift'> {
  /** False: it was never told anything, and is told what is so now. */
  readonly isKnown: boolean;
  /** By number. Of runs, one that was never told anything gets the last. */
  readonly news: readonly NewsOf[About][];
}

/** Who tells whom of what. */
export interface NewsClaim<About extends keyof NewsOf = keyof NewsOf> {
  /** Names the receiver; no address, which may let anybody post. */
  readonly receiver: string;
  readonly about: About;
  /** Names the one who tells. */
  readonly by: string;
}

export function summaryOf(result: DriftResult): CheckSummary {
  const { project, stack, targets, checkedAt, status, findings, notCompared, compared, unrecorded } = result;
  return {
    ...{ project, stack, targets, checkedAt, status, compared, notCompared: notCompared.length },
    ...defined({ unrecorded }),
    findings: countBySeverity(findings),
  };
}

function countBySeverity(findings: readonly { readonly severity: DriftSeverity }[]): CheckSummary['findings'] {
  const counts = { high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}
