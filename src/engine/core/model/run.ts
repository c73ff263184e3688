import type { Address } from './address.js';
import type { Diagnostic } from './diagnostic.js';
import type { OptionChange } from './plan.js';
import type { Pipeline } from './pipeline.js';
import type { StepResult } from './results.js';
import type { RecordedResource } from './state.js';

/** Whoever lets something be carried out, as far as the machine says it. */
export interface RunBy {
  /** Of a pipeline, the person who started it. */
  readonly actor?: string;
  /** Number of the pull or merge request. */
  readonly request?: number;
  readonly pipeline?: Pipeline;
}

/** What a run was about to do: written before its first request. */
export interface RunPlan extends RunBy {
  readonly kind: 'plan';
  readonly mode: string;
  readonly effectDigest?: string;
  /** Provider → whose token it signed with, where the token says so. */
  readonly subjects?: Readonly<Record<string, string>>;
  /** Guards that were lifted, and why. */
  readonly lifted: readonly { readonly guard: string; readonly reason: string }[];
  /** What rules of policies said: those that hold something back, and advice. Absent: nothing judged it. */
  readonly policies?: RunPolicies;
  readonly steps: readonly RunStep[];
}

interface RunPolicies {
  readonly rules: number;
  /** Of the files that the rules stand in. */
  readonly digest: string;
  readonly found: readonly {
    readonly level: 'advise' | 'warn' | 'deny';
    readonly summary: string;
    readonly addresses: readonly Address[];
    /** The reason that was given. */
    readonly lifted?: string;
  }[];
}

interface RunStep {
  readonly address: Address;
  readonly action: string;
  /** Names of the fields that change. */
  readonly fields: readonly string[];
  readonly options?: readonly OptionChange[];
}

/** How it ended. A run without one was killed, or the state was away then. */
export interface RunEnd {
  readonly kind: 'end';
  readonly status: string;
  readonly steps: readonly StepResult[];
  readonly requests: number;
  /** What it waited for, the longest first; absent: nothing. */
  readonly waited?: readonly RunWait[];
  /** What it said of itself and of steps that failed, secrets masked; absent: nothing. */
  readonly messages?: readonly RunMessage[];
}

/** What whoever watched a run has read, without what only files know. */
export type RunMessage = Pick<Diagnostic, 'severity' | 'code' | 'summary' | 'detail' | 'hint' | 'address'>;

/** One cause of waiting. */
export interface RunWait {
  readonly reason: string;
  readonly times: number;
  readonly ms: number;
}

/** What one row of the history says. */
export type RunContent =
  /** The first row of a run: which command, by whom. */
  | { readonly kind: 'begin'; readonly command: string; readonly owner: string; readonly since: string }
  | RunPlan
  | RunEnd
  /** A record was written or removed: what it was before. `null`: there was none. Secrets are sealed. */
  | { readonly kind: 'record'; readonly before: RecordedResource | null; readonly removed?: true }
  | { readonly kind: 'move'; readonly from: Address }
  /** The whole state was replaced by a document. */
  | { readonly kind: 'replace' }
  | { readonly kind: 'freeze'; readonly reason: string; readonly until?: string }
  | { readonly kind: 'thaw' }
  /** Rows up to this number were dropped, as the settings say: the next row follows one with this digest. */
  | { readonly kind: 'checkpoint'; readonly upTo: number; readonly digest: string };

/** A row of a stack's history. Rows are only ever added, each bound to the one before it by its digest. */
export interface RunEntry {
  /** From 1, without a gap. */
  readonly number: number;
  /** Number of the run: that of its lease. */
  readonly run: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** Of a record. */
  readonly address?: Address;
  readonly content: RunContent;
  readonly digest: string;
}

/** Which rows are meant; the newest first, unless those after a number are. */
export interface RunQuestion {
  readonly run?: number;
  /** Only of one of these runs. */
  readonly runs?: readonly number[];
  readonly kinds?: readonly RunContent['kind'][];
  readonly address?: Address;
  /** Only what names an object with this id. */
  readonly id?: string;
  readonly before?: number;
  /** Oldest first. */
  readonly after?: number;
  readonly limit: number;
}

/** All rows of a run, in their order. */
export async function rowsOfRun(
  history: { readonly runs: (question: RunQuestion) => Promise<readonly RunEntry[]> },
  question: Required<Pick<RunQuestion, 'run'>> & Pick<RunQuestion, 'kinds'>,
): Promise<readonly RunEntry[]> {
  const rows: RunEntry[] = [];
  for (let after = 0; ;) {
    const page = await history.runs({ ...question, after, limit: 1000 });
    const last = page.at(-1);
    if (last === undefined) return rows;
    rows.push(...page);
    after = last.number;
  }
}

/** What holds back every run that does not name it. */
export interface Freeze {
  readonly id: string;
  readonly reason: string;
  readonly by: string;
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly until?: string;
}
